"""Does the engine's log tell the same start as we saw? Else one of the two clocks, or of the two stories, is wrong."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.across.cold_starts import at_start, of_start, starts_of
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Series
from generator.text import Text
from generator.themes import COLD_START
from generator.told.findings import Finding
from generator.told.sentence import Count, Listing, Quantity, SeriesName, say

LEAST_S: Final = 0.5
"""Seconds that the two may be apart at any start: between two looks, and until a line is read."""
SHARE: Final = 0.05
"""Of the time to good health that they may be apart besides."""
GAP: Final = "start_ready_gap"
UNTOLD: Final = "start_untold"


@check(
    theme=COLD_START,
    title=Text(zh="启动阶段对得上", en="Stages of the start agree"),
    question=Text(
        zh="日志里的就绪时刻与各阶段之和，同我们看到的启动对得上吗？",
        en="Do the log's moment of readiness and the sum of its stages agree with the start as observed?",
    ),
    stage="conclusions",
    rule=Text(
        zh="日志说的就绪与健康检查通过相差超过 {least} 秒与启动时间的 {share} 中较大者，或者日志各阶段之和比整个启动还长这么多，就警告。",
        en="A warning where readiness by the log and the passed health check are further apart than {least} s or {share} of the start, whichever is "
        "more, or where the stages of the log together are longer than the start by as much.",
    ).format(least=f"{LEAST_S:g}", share=f"{SHARE:.0%}"),
)
def start_stages_agree(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series of which a start is told by its log."""
    found = [_examined(analysis, series) for series in analysis.round.series if _told(analysis, series)]
    return found or [_nothing()]


def _told(analysis: Analysis, series: Series) -> list[int]:
    """Return the starts that can be examined."""
    starts = starts_of(analysis, series)
    return [one for one in starts if any(of_start(analysis, key, series, one) is not None for key in (GAP, UNTOLD))]


def _examined(analysis: Analysis, series: Series) -> Finding:
    starts = _told(analysis, series)
    odd = [start for start in starts if _is_off(analysis, series, start)]
    if odd:
        return _off(analysis, series, odd)
    told = Count(len(starts))
    message = say(
        zh="{s} 的日志与我们所见对得上（启动 {n} 次）。",
        en="The log of {s} agrees with what we saw ({n} {n:start|starts}).",
        s=SeriesName(series.id),
        n=told,
    )
    evidence = tuple(at_start(GAP, series, start) for start in starts)
    return Finding("start_stages_agree", "pass", message, series.id, evidence=evidence)


def _is_off(analysis: Analysis, series: Series, start: int) -> bool:
    allowed = max(LEAST_S, SHARE * (of_start(analysis, "cold_start_healthy", series, start) or 0.0))
    gap, untold = (of_start(analysis, key, series, start) for key in (GAP, UNTOLD))
    return (gap is not None and abs(gap) > allowed) or (untold is not None and untold < -allowed)


def _off(analysis: Analysis, series: Series, odd: list[int]) -> Finding:
    key = GAP if of_start(analysis, GAP, series, odd[0]) is not None else UNTOLD
    return Finding(
        check="start_stages_agree",
        status="warn",
        series=series.id,
        evidence=tuple(at_start(key, series, start) for start in odd),
        message=say(
            zh="{s} 第 {n} 次启动的日志与我们所见对不上：相差 {gap}。",
            en="At start {n} of {s} the log disagrees with what we saw: they are {gap} apart.",
            s=SeriesName(series.id),
            n=Listing(tuple(Count(start) for start in odd)),
            gap=Quantity(at_start(key, series, odd[0])),
        ),
        remedy=say(
            zh="看那次启动的日志：是不是混进了别的启动的行，或者健康检查的路径不是引擎的。",
            en="See the log of that start: lines of another start may be in it, or the health path is not the engine's.",
        ),
    )


def _nothing() -> Finding:
    message = say(
        zh="没有哪次启动既有日志又有我们记下的时刻，不适用。",
        en="No start has both a log and the moments that we noted: not applicable.",
    )
    return Finding("start_stages_agree", "pass", message, is_empty=True)
