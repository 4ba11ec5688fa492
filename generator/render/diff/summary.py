"""What a comparison comes to, in a sentence: what may be called worse or better, and how many rows allow no verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from generator.comparing.records import Standing
from generator.comparing.states import ABSENT, QUIET, State
from generator.render.diff.rows import RowView
from generator.render.wording.numbers import UNKNOWN
from generator.text import Lang, Text

NAMED: Final = 3
"""Rows that are named on either side; more are counted."""
BARE: Final[Mapping[Standing, Text]] = {
    "identical": Text(
        zh="两轮是同一份数据，没有什么可比（{n} 行）。",
        en="Both rounds are the same data, so there is nothing to compare (rows: {n}).",
    ),
    "not_comparable": Text(
        zh="两轮不可比，没有任何判定（{n} 行）。",
        en="The rounds cannot be compared, so there is no verdict (rows: {n}).",
    ),
}
"""What is said where no row has a verdict of its own."""
CONFOUNDED: Final = Text(
    zh="{n} 行有混杂因素（{changed} 项设置变了）", en="{n} confounded (settings changed: {changed})"
)
FAILED: Final = Text(zh="{n} 行全部失败（一边或两边）", en="{n} failed wholly (one side or both)")
KINDS: Final[tuple[tuple[Collection[State], Text], ...]] = (
    ({"confounded"}, CONFOUNDED),
    ({"leans_worse", "leans_better", "open", "zero", "undirected"}, Text(zh="{n} 行未定论", en="{n} inconclusive")),
    ({"failed_both", "failed_base", "failed_head"}, FAILED),
    (QUIET, Text(zh="{n} 行在噪声之内或相同", en="{n} within noise or the same")),
    (ABSENT, Text(zh="{n} 行没有比较", en="{n} not compared")),
)  # fmt: skip
NOTHING: Final = Text(
    zh="没有一项可以判为变好或变差：{n} 行中 {rest}。", en="Nothing can be called better or worse: of {n} rows {rest}."
)
JUDGED: Final = Text(zh="变差：{worse}；变好：{better}。", en="Worse: {worse}; better: {better}.")
OTHERS: Final = Text(zh="其余各行：{rest}。", en=" Other rows: {rest}.")
NONE: Final = Text(zh="没有", en="none")
AND_MORE: Final = Text(zh="{named} 等 {n} 项", en="{named} and others ({n} in all)")
ONE: Final = Text(zh="{series} {level} {metric}（{change}）", en="{series} {level} {metric} ({change})")
AND: Final = Text(zh="、", en=", ")
COMMA: Final = Text(zh="，", en=", ")


def summary(rows: Sequence[RowView], changed: int, standing: Standing, lang: Lang) -> str:
    """Return what a comparison comes to.

    Args:
        rows: all of it, those that matter most first.
        changed: how many settings differ that may be behind confounded rows.
        standing: whether the rounds can be compared.
        lang: the language.
    """
    if rows and all(row.state == "identical" for row in rows):
        standing = "identical"
    if standing in BARE:
        return BARE[standing][lang].format(n=len(rows))
    rest = COMMA[lang].join(_counted(rows, changed, lang))
    worse, better = ([row for row in rows if row.state == state] for state in ("worse", "better"))
    if not worse and not better:
        return NOTHING[lang].format(n=len(rows), rest=rest)
    told = JUDGED[lang].format(worse=_named(worse, lang), better=_named(better, lang))
    return told + OTHERS[lang].format(rest=rest) if rest else told


def _counted(rows: Sequence[RowView], changed: int, lang: Lang) -> Iterator[str]:
    for states, text in KINDS:
        number = sum(row.state in states for row in rows)
        if number:
            yield text[lang].format(n=number, changed=changed)


def _named(rows: Sequence[RowView], lang: Lang) -> str:
    named = AND[lang].join(_one(row, lang) for row in rows[:NAMED])
    if len(rows) > NAMED:
        return AND_MORE[lang].format(named=named, n=len(rows))
    return named or NONE[lang]


def _one(row: RowView, lang: Lang) -> str:
    change = f"{row.base.text} → {row.head.text}" if row.change == UNKNOWN else row.change
    return ONE[lang].format(series=row.series, level=row.level, metric=row.metric, change=change)
