"""What a comparison comes to, in a sentence: what may be called worse or better, and how many rows allow no verdict."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

from generator.comparing.records import Standing
from generator.comparing.states import ABSENT, State
from generator.render.diff.rows import RowView
from generator.render.wording.numbers import UNKNOWN
from generator.text import Lang, Text

NAMED: Final = 3
"""Rows that are named of either verdict."""
SEVERAL: Final = 2
"""Settings that have changed together."""
BARE: Final[Mapping[Standing, Text]] = {
    "identical": Text(
        zh="两轮是同一份数据，没有什么可比。", en="Both rounds are the same data, so there is nothing to compare."
    ),
    "not_comparable": Text(
        zh="两轮不可比，没有一行有判定。", en="The rounds cannot be compared, so no row has a verdict."
    ),
}
"""What is said where no row has a verdict of its own."""
CONFOUNDED: Final = Text(
    zh="{n} 行有混杂因素（{changed} 项设置同时变了）",
    en="{n} {n:is|are} confounded by {changed} settings changed together",
)
CONFOUNDED_OTHERWISE: Final = Text(zh="{n} 行有混杂因素", en="{n} {n:is|are} confounded")
"""Where fewer than two settings are known to have changed: the length of the output did, or what is not recorded."""
FAILED: Final = Text(zh="{n} 行全部失败（一边或两边）", en="{n} failed altogether, on one side or both")
ONE_SIDED: Final[frozenset[State]] = frozenset({"only_base", "only_head"})
KINDS: Final[tuple[tuple[Collection[State], Text], ...]] = (
    ({"noise"}, Text(zh="{n} 行在噪声之内", en="{n} {n:is|are} within noise")),
    ({"same", "identical"}, Text(zh="{n} 行相同", en="{n} {n:is|are} the same")),
    ({"confounded"}, CONFOUNDED),
    (
        {"leans_worse", "leans_better", "open", "zero", "undirected"},
        Text(zh="{n} 行未定论", en="{n} {n:is|are} inconclusive"),
    ),
    ({"failed_both", "failed_base", "failed_head"}, FAILED),
    (ABSENT - ONE_SIDED, Text(zh="{n} 行没有比较", en="{n} {n:was|were} not compared")),
)
"""What the rows that both rounds have come to, where neither worse nor better; what matters least comes first."""
NOTHING: Final = Text(
    zh="两轮之间没有任何变化可以归因于引擎。", en="No change between the rounds can be attributed to the engine."
)
"""Said where no row is worse or better: only such a verdict has excluded noise and other causes."""
BOTH: Final = Text(zh="两轮都有的 {n} 行里，{rest}", en="Of the {n} {n:row|rows} that both rounds have, {rest}")
WORSE: Final = Text(zh="{n} 行变差：{named}。", en="{n} {n:row is|rows are} worse: {named}.")
BETTER: Final = Text(zh="{n} 行变好：{named}。", en="{n} {n:row is|rows are} better: {named}.")
NONE_WORSE: Final = Text(zh="没有变差的行。", en="No row is worse.")
NONE_BETTER: Final = Text(zh="没有变好的行。", en="No row is better.")
OTHERS: Final = Text(zh="其余各行中，{rest}", en="Of the other rows, {rest}")
FURTHER: Final = Text(zh="另有 {n} 行只有一轮有", en="{n} further {n:row exists|rows exist} in one round only")
CLAUSES: Final = Text(zh="；", en="; ")
STOP: Final = Text(zh="。", en=".")
AND_MORE: Final = Text(zh="{named}等", en="{named} and others")
ONE: Final = Text(zh="{series} {level} {metric}（{change}）", en="{series} {level} {metric} ({change})")
SPACE: Final = Text(zh="", en=" ")
LAST_COMMA: Final = Text(zh="，", en=" and ")
COMMA: Final = Text(zh="，", en=", ")
AND: Final = Text(zh="、", en=", ")


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
        return BARE[standing][lang]
    worse, better = ([row for row in rows if row.state == state] for state in ("worse", "better"))
    if not worse and not better:
        return SPACE[lang].join([NOTHING[lang], *_rest(rows, BOTH, changed, lang)])
    told = [_judged(worse, WORSE, NONE_WORSE, lang), _judged(better, BETTER, NONE_BETTER, lang)]
    return SPACE[lang].join([*told, *_rest(rows, OTHERS, changed, lang)])


def _rest(rows: Sequence[RowView], of: Text, changed: int, lang: Lang) -> Iterator[str]:
    """Yield the sentence that counts the rows without such a verdict; rows of one round alone stand apart."""
    one_sided = sum(row.state in ONE_SIDED for row in rows)
    counted = _listed(list(_counted(rows, changed, lang)), lang)
    clauses = [of.format(n=len(rows) - one_sided, rest=counted)[lang]] if counted else []
    clauses += [FURTHER.format(n=one_sided)[lang]] if one_sided else []
    if clauses:
        yield CLAUSES[lang].join(clauses) + STOP[lang]


def _counted(rows: Sequence[RowView], changed: int, lang: Lang) -> Iterator[str]:
    for states, text in KINDS:
        number = sum(row.state in states for row in rows)
        said = CONFOUNDED_OTHERWISE if text is CONFOUNDED and changed < SEVERAL else text
        if number:
            yield said.format(n=number, changed=changed)[lang]


def _listed(told: Sequence[str], lang: Lang) -> str:
    """Return clauses in a row, the last of them joined as the language joins it."""
    return LAST_COMMA[lang].join([one for one in (COMMA[lang].join(told[:-1]), *told[-1:]) if one])


def _judged(rows: Sequence[RowView], some: Text, none: Text, lang: Lang) -> str:
    """Count the rows of one verdict, and name the first of them."""
    if not rows:
        return none[lang]
    named = AND[lang].join(_one(row, lang) for row in rows[:NAMED])
    told = AND_MORE.format(named=named)[lang] if len(rows) > NAMED else named
    return some.format(n=len(rows), named=told)[lang]


def _one(row: RowView, lang: Lang) -> str:
    change = f"{row.base.text} → {row.head.text}" if row.change == UNKNOWN else row.change
    return ONE[lang].format(series=row.series, level=row.level, metric=row.metric, change=change)
