"""The answer: how long each engine takes from its spawn to the first token, and what of it its T1 holds."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.across.cold_starts import (
    BASES,
    NAMES,
    STAGE_NAMES,
    at_start,
    first_of,
    of_start,
    soonest,
    started,
    state_at,
)
from generator.frame import Analysis
from generator.model import Series
from generator.report_kinds import Chapter, section
from generator.runs.starts import StartState
from generator.text import Text, same
from generator.told.blocks import Block, Card, Cards, Paragraph
from generator.told.quoting import filled, passage, series_names, series_value
from generator.told.sentence import Listing, Part, Quantity, Sentence, SeriesName, say

EARLY: Final = 0.1
"""Share of the time to good health that a port may be open before it, and still open with it."""


@section(checks=("page_cache_known",))
def cold_start(analysis: Analysis) -> Chapter | None:
    """State the moments of the first start of each series, what T1 means for it, and the median of repeated ones."""
    told = started(analysis)
    if not told:
        return None
    blocks: list[Block] = []
    for series in told:
        blocks += [Paragraph(_told(analysis, series), "lead"), _cards(analysis, series)]
    if len(told) > 1:
        blocks.append(Paragraph(_comparable()))
    return Chapter(_heading(analysis), tuple(blocks))


def _heading(analysis: Analysis) -> Sentence:
    first, later = soonest(analysis)
    parts: dict[str, Part] = {"s": _names(first), "o": _names(later)}
    if not later:
        return Sentence(ONE if len(first) < 2 else ALIKE, {})  # noqa: PLR2004  # the fastest of one says nothing
    return filled(SOONEST if len(first) == 1 else SOONER, parts)


def _names(several: list[Series]) -> Listing:
    return series_names(one.id for one in several)


ONE: Final = Text(zh="结论：冷启动要多久", en="Verdict: how long a cold start takes")
ALIKE: Final = Text(zh="结论：各系列的启动分不出快慢", en="Verdict: which start is the fastest cannot be told")
SOONEST: Final = Text(zh="结论：{s} 最快给出首个 token", en="Verdict: {s} gives the first token soonest")
SOONER: Final = Text(
    zh="结论：{s}（彼此分不出快慢）比 {o} 更快给出首个 token",
    en="Verdict: {s}, indistinguishable, give the first token sooner than {o}",
)


def _number(analysis: Analysis, series: Series, key: str) -> float | None:
    return analysis.frame.of_series(key, series.id).value


def _told(analysis: Analysis, series: Series) -> Sentence:
    parts: dict[str, Part] = {
        "s": SeriesName(series.id), "seen": series_value("cold_start_perceived", series.id),
        "t1": series_value("cold_start_t1", series.id), "ok": series_value("cold_start_healthy", series.id),
        "times": Listing(tuple(_times(analysis, series))),
    }  # fmt: skip
    known = _number(analysis, series, "cold_start_perceived") is not None
    sentences = [
        filled(SEEN if known else NO_TOKEN, parts),
        *_longest(analysis, series),
        *_port(analysis, series, parts),
    ]
    if state_at(analysis, series, first_of(analysis, series)) == "warm":
        sentences.append(Sentence(IN_MEMORY))
    sentences += [told for state in BASES if (told := _median(analysis, series, state)) is not None]
    return passage(*sentences)


def _times(analysis: Analysis, series: Series) -> Iterator[Sentence]:
    """Yield those of T1, T2 and T3 that are on record."""
    for name in ("T1", "T2", "T3"):
        key = f"cold_start_{name.lower()}"
        if _number(analysis, series, key) is not None:
            yield say(zh="{name} {t}", en="{name} {t}", name=same(name), t=series_value(key, series.id))


def _longest(analysis: Analysis, series: Series) -> list[Sentence]:
    """Say which stage took longest by the log of the first start, and which comes next; nothing without a log."""
    start = first_of(analysis, series)
    stages = {**STAGE_NAMES, "start_untold": UNTOLD}
    known = [(seconds, key) for key in stages if (seconds := of_start(analysis, key, series, start)) is not None]
    if len(known) < FEWEST:
        return []
    (most, key), (_, other) = sorted(known, reverse=True)[:2]
    whole = _number(analysis, series, "cold_start_perceived")
    parts: dict[str, Part] = {
        "a": stages[key], "x": Quantity(at_start(key, series, start)),
        "b": stages[other], "y": Quantity(at_start(other, series, start)),
    }  # fmt: skip
    return [Sentence(MOST if whole is not None and most > whole / 2 else LONGEST, parts)]


FEWEST: Final = 2
"""Stages of which one can be the longest."""
UNTOLD: Final = Text(zh="日志没有说明的部分", en="what its log does not tell")
MOST: Final = Text(
    zh="大部分时间花在{a}（{x}），其次是{b}（{y}）。", en="Most of it goes into {a} ({x}), then into {b} ({y})."
)
LONGEST: Final = Text(
    zh="最长的阶段是{a}（{x}），其次是{b}（{y}）。", en="Its longest stage is {a} ({x}), then {b} ({y})."
)
IN_MEMORY: Final = Text(
    zh="模型文件已在内存里，这不是真正的冷启动。",
    en="The model's files were already in memory: this is a warm start, not a cold one.",
)


def _port(analysis: Analysis, series: Series, parts: dict[str, Part]) -> list[Sentence]:
    """Say what the port meant: nothing where it opened long before the engine could answer."""
    healthy, port = _number(analysis, series, "cold_start_healthy"), _number(analysis, series, "cold_start_t1")
    if healthy is None or port is None:
        return []
    return [filled(OPENS_EARLY if healthy - port > EARLY * healthy else OPENS_READY, parts)]


def _median(analysis: Analysis, series: Series, state: StartState) -> Sentence | None:
    basis = BASES[state]
    count = analysis.frame.of_series("cold_starts_alike", series.id, basis).value
    if count is None or count < 2:  # noqa: PLR2004  # a median of one is that one
        return None
    keys = {"n": "cold_starts_alike", "mid": "cold_start_perceived", "low": "cold_start_perceived_low",
            "high": "cold_start_perceived_high"}  # fmt: skip
    parts: dict[str, Part] = {name: series_value(key, series.id, basis) for name, key in keys.items()}
    return Sentence(MEDIANS[state], parts)


SEEN: Final = Text(
    zh="{s} 从拉起进程到首个 token 用了 {seen}（{times}）。",
    en="{s} takes {seen} from spawn to first token ({times}).",
)
NO_TOKEN: Final = Text(
    zh="{s} 的端口在 {t1} 之后打开，首个 token 的时刻没有记录。",
    en="The port of {s} opens after {t1}; when its first token came is not on record.",
)
OPENS_EARLY: Final = Text(
    zh="它先开端口、后载入：端口开着而健康检查到 {ok} 才通过，所以它的 T1 不说明问题。",
    en="Its port opens before the model is loaded (healthy only after {ok}), so T1 alone means nothing.",
)
OPENS_READY: Final = Text(
    zh="它就绪之后才开端口：T1 已包含全部准备时间（健康检查 {ok}）。",
    en="Its port opens only when it is ready (healthy after {ok}), so T1 includes the whole start.",
)
MEDIANS: Final[dict[StartState, Text]] = {
    "cold": Text(
        zh="{n} 次冷启动（模型文件不在内存里）的中位数 {mid}（范围从 {low} 到 {high}）。",
        en="Its {n} cold {n:start|starts} (model files not in the page cache) took {mid} at the median, from {low} to {high}.",
    ),
    "warm": Text(
        zh="{n} 次热启动（模型文件已在内存里）的中位数 {mid}（范围从 {low} 到 {high}）。",
        en="Its {n} warm {n:start|starts} (model files in memory) took {mid} at the median, from {low} to {high}.",
    ),
    "unknown": Text(
        zh="{n} 次不知页缓存状态的启动，中位数 {mid}（范围从 {low} 到 {high}）。",
        en="Its {n} {n:start|starts} with the page cache in an unknown state took {mid} at the median, from {low} to {high}.",
    ),
}


def _comparable() -> Sentence:
    return say(
        zh="不同引擎之间可比的只有 T1 + T2：端口何时打开由各自决定。",
        en="Compare engines by T1 + T2 only: each opens its port at a moment of its own choosing.",
    )


LABELS: Final = (
    ("cold_start_perceived", say(zh="T1 + T2", en="T1 + T2"), say(zh="到首个 token", en="to the first token")),
    ("cold_start_t1", say(zh="T1", en="T1"), say(zh="到端口可连", en="to the open port")),
    ("cold_start_t2", say(zh="T2", en="T2"), say(zh="端口到首个 token", en="port to first token")),
    ("cold_start_t3", say(zh="T3", en="T3"), say(zh="端口到首条完整回答", en="port to first completion")),
)


def _cards(analysis: Analysis, series: Series) -> Cards:
    cards = tuple(
        Card(label, series_value(key, series.id), context)
        for key, label, context in LABELS
        if _number(analysis, series, key) is not None
    )
    start = first_of(analysis, series)
    state = state_at(analysis, series, start)
    if start is None or of_start(analysis, "cold_start_resident", series, start) is None:
        return Cards(say(zh="{s}", en="{s}", s=SeriesName(series.id)), cards)
    heading = say(
        zh="{s}，第一次启动：页缓存{c}", en="{s}, first start: page cache {c}", s=SeriesName(series.id), c=NAMES[state]
    )
    return Cards(heading, cards)
