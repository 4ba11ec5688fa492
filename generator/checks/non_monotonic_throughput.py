"""Does throughput fall at a level and recover above it? Then that level is spoilt: a plateau does not recover."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from generator.findings import Finding
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.sentence import LevelName, Listing, Quantity, Sentence, SeriesName, say
from generator.text import Text
from generator.values import Address

FEWEST: Final = 3
"""Levels that it takes for one to fall and a later one to recover."""
TOLERANCE: Final = 0.02
"""A fall smaller than this is within what two runs of one level differ by."""

DIP: Final = Text(
    zh="{series} 在 {level} 只有 {here}，低于 {before} 的 {low}，而 {after} 又有 {high}：这一档不进入任何结论。",
    en="{series} delivers {here} at {level}, less than {low} at {before}, while {after} reaches {high}: conclusions "
    "leave this level out.",
)
SPIKE: Final = Text(
    zh="{series} 在 {level} 冲到 {here}，而 {before} 是 {low}，{after} 又落到 {high}：这一档不进入任何结论。",
    en="{series} leaps to {here} at {level}, between {low} at {before} and {high} at {after}: conclusions leave this "
    "level out.",
)
WORSE: Final = Text(zh="留着这一档会让 {series} 显得更差。", en="Kept in, the level would make {series} look worse.")
BETTER: Final = Text(zh="留着这一档会让 {series} 显得更好。", en="Kept in, the level would make {series} look better.")

Curve = list[tuple[Level, float]]


@check(
    title=Text(zh="吞吐随并发单调", en="Throughput rises with the load"),
    question=Text(
        zh="有没有哪一档的吞吐低于更低的档位，而更高的档位又恢复了？",
        en="Is there a level that delivers less than a lower one while a higher one recovers?",
    ),
)
def non_monotonic_throughput(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series."""
    return [
        finding
        for series in analysis.round.series
        for curve in _curves(analysis, series)
        for finding in _examine(series, curve)
    ]


def _examine(series: Series, curve: Curve) -> list[Finding]:
    if len(curve) < FEWEST:
        return [_too_few(series)]
    dips = dipped(curve)
    falls = [level for level in _tail_falls(curve) if level not in dips]
    findings = [_dip(curve, series, level) for level in dips]
    if falls:
        findings.append(_decline(series, falls))
    return findings or [_rises(series, curve)]


def _curves(analysis: Analysis, series: Series) -> list[Curve]:
    """Return one curve for each pair of asked lengths: a sweep over lengths is no curve over the load."""
    curves: dict[tuple[float | None, float | None], Curve] = {}
    for level in series.levels:
        asked = [
            analysis.frame.of_level(key, series.id, level.id).value
            for key in ("asked_input_tokens", "asked_output_tokens")
        ]
        curve = curves.setdefault((asked[0], asked[1]), [])
        throughput = analysis.frame.of_level("output_throughput", series.id, level.id).value
        if throughput and (not curve or level.load > curve[-1][0].load):
            curve.append((level, throughput))
    return list(curves.values())


def dipped(curve: Curve) -> list[Level]:
    """Return the levels that must go for the curve to rise, each of which a higher level recovers from.

    Of the two levels at a fall, the one further from the line between its neighbours (log–log) is at fault.
    """
    left, dips = list(curve), []
    while (fall := _recovering_fall(left)) is not None:
        culprit = max((fall, fall - 1), key=lambda row: _off_the_line(left, row))
        dips.append(left.pop(culprit)[0])
    return sorted(dips, key=lambda level: level.load)


def _recovering_fall(curve: Curve) -> int | None:
    """Return the first row below the row before it, where a later row passes both."""
    for row in range(1, len(curve) - 1):
        before = curve[row - 1][1]
        recovers = any(later > before for _, later in curve[row + 1 :])
        if curve[row][1] < before * (1 - TOLERANCE) and recovers:
            return row
    return None


def _off_the_line(curve: Curve, row: int) -> float:
    """Return how far a row stands off the straight line between its neighbours, in ln(throughput)."""
    if not 0 < row < len(curve) - 1:
        return 0.0
    (a, low), (b, here), (c, high) = curve[row - 1 : row + 2]
    part = math.log(b.load / a.load) / math.log(c.load / a.load)
    return abs(math.log(here) - math.log(low) - part * math.log(high / low))


def _tail_falls(curve: Curve) -> list[Level]:
    peak = max(range(len(curve)), key=lambda row: curve[row][1])
    return [level for level, amount in curve[peak + 1 :] if amount < curve[peak][1] * (1 - TOLERANCE)]


def _throughput(series: Series, level: Level) -> Address:
    return Address("output_throughput", "level", series.id, level.id)


def _dip(curve: Curve, series: Series, level: Level) -> Finding:
    levels = [one for one, _ in curve]
    row = levels.index(level)
    before, after = levels[max(row - 1, 0)], levels[min(row + 1, len(levels) - 1)]
    is_low = curve[row][1] < curve[max(row - 1, 0)][1]
    return Finding(
        check="non_monotonic_throughput",
        status="fail",
        series=series.id,
        levels=(level.id,),
        spoils=(level.id,),
        evidence=tuple(_throughput(series, one) for one in (before, level, after)),
        message=Sentence(
            DIP if is_low else SPIKE,
            {
                "series": SeriesName(series.id),
                "level": LevelName(series.id, level.id),
                "before": LevelName(series.id, before.id),
                "after": LevelName(series.id, after.id),
                "here": Quantity(_throughput(series, level)),
                "low": Quantity(_throughput(series, before)),
                "high": Quantity(_throughput(series, after)),
            },
        ),
        bias=Sentence(WORSE if is_low else BETTER, {"series": SeriesName(series.id)}),
        remedy=say(
            zh="把 {level} 与相邻两档在同一次启动里各重跑几遍；若可以重现，再逐项改变引擎参数查原因。",
            en="Run {level} and both neighbours again, several times within one start of the engine; if it is "
            "reproduced, vary one engine setting at a time.",
            level=LevelName(series.id, level.id),
        ),
    )


def _decline(series: Series, falls: list[Level]) -> Finding:
    return Finding(
        check="non_monotonic_throughput",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in falls),
        evidence=tuple(_throughput(series, level) for level in falls),
        message=say(
            zh="{series} 在 {levels} 的吞吐低于峰值，之后没有恢复：可能已过饱和点，也可能是这些档位出了问题。",
            en="{series} delivers less than its peak at {levels} and does not recover: past saturation, or a fault "
            "of these levels.",
            series=SeriesName(series.id),
            levels=Listing(tuple(LevelName(series.id, level.id) for level in falls)),
        ),
        remedy=say(
            zh="查看这些档位的抢占与排队计数；再加测一个更高的并发。",
            en="Look at preemptions and queueing at these levels, and add a higher concurrency.",
        ),
    )


def _rises(series: Series, curve: Curve) -> Finding:
    return Finding(
        check="non_monotonic_throughput",
        status="pass",
        series=series.id,
        levels=tuple(level.id for level, _ in curve),
        evidence=tuple(_throughput(series, level) for level, _ in curve),
        message=say(
            zh="{series} 的吞吐随并发一路上升。",
            en="The throughput of {series} rises with every level.",
            series=SeriesName(series.id),
        ),
    )


def _too_few(series: Series) -> Finding:
    return Finding(
        check="non_monotonic_throughput",
        status="unknown",
        series=series.id,
        message=say(
            zh="{series} 有吞吐数据的档位不足三个，看不出是否有塌陷。",
            en="{series} has fewer than three levels with a throughput, too few to see a dip.",
            series=SeriesName(series.id),
        ),
        remedy=say(zh="至少测三个并发档位。", en="Measure three levels or more."),
    )
