"""Did slots stay empty while requests were still to be sent? That, and not clustered releases, is static batching."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.levels import amount, at_level, at_levels, highest, level_names, seen_at, worst_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import LOAD
from generator.told.findings import Finding
from generator.told.quoting import MOST_OF_ALL, level_value
from generator.told.sentence import LevelName, SeriesName, say

IDLE: Final = 0.1
"""Share of the time of all slots that may be empty while requests are still to be sent."""
KEYS: Final = ("idle_slots_while_waiting", "refill_p50")


@check(
    theme=LOAD,
    title=Text(zh="空着的槽位", en="Idle slots"),
    question=Text(
        zh="还有请求待发的时候，有没有槽位空着？", en="Did slots stay empty while requests were still to be sent?"
    ),
    rule=Text(
        zh="闭环、没有失败、有逐条请求的档位：从第一条发出到末条发出，槽位时间空着超过 {idle} 就警告。只凭请求成批结束不下结论：长度相同的请求本来就会一起结束。",
        en="Of closed loops with single requests in which nothing failed: a warning where more than {idle} of the time of all slots was empty between the first sending and the last. That requests end in clusters proves nothing: those of one length do.",
    ).format(idle=f"{IDLE:.0%}"),
)
def slots_idle(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series whose requests are on record."""
    known = {series: found for series in analysis.round.series if (found := _idle(analysis, series))}
    return [_examine(series, found) for series, found in known.items()] or [_nothing()]


def _idle(analysis: Analysis, series: Series) -> list[tuple[float, Level]]:
    """Return the idle share of the levels in which nothing failed: a failed request has no end on record."""
    return [
        (share, level)
        for share, level in seen_at(analysis, "idle_slots_while_waiting", series)
        if not amount(analysis, "failed", (series, level))
    ]


def _examine(series: Series, known: list[tuple[float, Level]]) -> Finding:
    idle = [one for one in known if one[0] > IDLE]
    return _found(series, idle) if idle else _full(series, known)


def _found(series: Series, idle: list[tuple[float, Level]]) -> Finding:
    levels, worst = [level for _, level in idle], highest(idle)
    told = say(
        zh="槽位有 {share} 的时间空着，空出来之后再次填上的时间，中位数是 {refill}",
        en="{share} of the time of all slots, with a median of {refill} to refill one",
        share=level_value("idle_slots_while_waiting", series.id, worst.id),
        refill=level_value("refill_p50", series.id, worst.id),
    )
    return Finding(
        check="slots_idle",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=at_levels(series, levels, *KEYS),
        message=say(
            zh="{series} 在 {levels} 还有请求待发，槽位却空着：{worst}。空出的槽位要等别的请求结束才填上，这是成批发送。",
            en="At {levels} slots of {series} stayed empty though requests were still to be sent: {worst}. Free slots waited for "
            "other requests to end, which is sending in batches.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=worst_level(told, MOST_OF_ALL, series, worst, levels),
        ),
        bias=say(
            zh="{series} 的吞吐显得更差，时延显得更好：在途的请求比并发少。",
            en="The throughput of {series} looks worse and its latency better: fewer requests were in flight than its concurrency.",
            series=SeriesName(series.id),
        ),
        remedy=say(
            zh="让客户端在一条回答结束时立刻补发下一条；若它已经如此，查它是否忙不过来。",
            en="Let the client send the next request as soon as an answer ends; where it does, see whether it could keep up.",
        ),
    )


def _full(series: Series, known: list[tuple[float, Level]]) -> Finding:
    worst = highest(known)
    return Finding(
        check="slots_idle",
        status="pass",
        series=series.id,
        levels=tuple(level.id for _, level in known),
        evidence=tuple(at_level(key, series, level) for _, level in known for key in KEYS),
        message=say(
            zh="还有请求待发的时候，{series} 的槽位没有空着：空着的时间最多占 {share}，在 {level}。",
            en="While requests were still to be sent, the slots of {series} were in use: at most {share} of their time was empty, "
            "at {level}.",
            series=SeriesName(series.id),
            level=LevelName(series.id, worst.id),
            share=level_value("idle_slots_while_waiting", series.id, worst.id),
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有哪个闭环档位既无失败、又有逐条请求的起止时刻，槽位是否空着看不出来。",
        en="No closed loop without failures has the times of its requests on record, so idle slots cannot be seen.",
    )
    return Finding("slots_idle", "pass", message, is_empty=True)
