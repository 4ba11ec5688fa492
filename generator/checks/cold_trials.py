"""Was the first run of a level the cold one? Then the median over its trials is of two states of the server."""

from __future__ import annotations

import statistics
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import at_level, level_names, worst_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text, same
from generator.themes import FAIRNESS
from generator.told.findings import Finding
from generator.told.quoting import FURTHEST_OFF
from generator.told.sentence import Listing, Quantity, SeriesName, say
from generator.values import Value

COLD: Final = 0.2
"""Difference between the first run and the median of the others above which it is called cold."""


@dataclass(frozen=True, slots=True)
class Statistic:
    """What runs are compared by: how many requests it needs, and whether a cold run has more of it."""

    key: str
    name: Text
    needs: int = 1
    is_more: bool = True


COMPARED: Final = (
    Statistic("ttft_p99", same("TTFT p99"), needs=100),
    Statistic("ttft_p95", same("TTFT p95"), needs=20),
    Statistic("ttft_p50", same("TTFT p50")),
    Statistic("output_throughput", Text(zh="输出吞吐", en="output throughput"), is_more=False),
)
"""What runs are compared by."""


@dataclass(frozen=True, slots=True)
class Cold:
    """A statistic in which the first run of a level is worse than all later ones."""

    level: Level
    name: Text
    runs: tuple[Value, ...]
    by: float


@check(
    theme=FAIRNESS,
    title=Text(zh="首次运行是否为冷启动", en="Cold first runs"),
    question=Text(
        zh="同一档重复几次时，第一次与其余几次相近吗？",
        en="Of levels that were run several times, is the first run like the others?",
    ),
    rule=Text(
        zh="第一次运行的 TTFT 或吞吐比其余各次都差，而且与它们的中位数相差超过 {cold}，就警告。",
        en="A warning where TTFT or throughput of the first run is worse than in all others, and off their median by more than {cold}.",
    ).format(cold=f"{COLD:.0%}"),
)
def cold_trials(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series with levels that were run more than once."""
    repeated = {s: levels for s in analysis.round.series if (levels := [one for one in s.levels if one.trials > 1])}
    if not repeated:
        return [_once()]
    colds = {
        series: found
        for series, levels in repeated.items()
        if (found := [cold for level in levels for cold in _colds(analysis, series, level)])
    }
    return [_cold(series, found) for series, found in colds.items()] or [_alike(repeated)]


def _colds(analysis: Analysis, series: Series, level: Level) -> list[Cold]:
    found = []
    for one in COMPARED:
        runs = analysis.frame.known(at_level(one.key, series, level, trial) for trial in level.runs)
        if len(runs) < level.trials or _fewest(analysis, series, level) < one.needs:
            continue
        by = _departure([run.value or 0.0 for run in runs], is_more=one.is_more)
        if by > COLD:
            found.append(Cold(level, one.name, tuple(runs), by))
    return found


def _fewest(analysis: Analysis, series: Series, level: Level) -> float:
    """Return the requests of the run that has fewest: a tail of a few is the slowest of them."""
    counted = analysis.frame.known(at_level("completed", series, level, trial) for trial in level.runs)
    return min((value.value or 0.0 for value in counted), default=1.0)


def _departure(runs: Sequence[float], *, is_more: bool) -> float:
    """Return by how much of it the first run is off the median of the others; 0 where it is not the worst."""
    first, *others = runs
    usual = statistics.median(others)
    is_worst = first > max(others) if is_more else first < min(others)
    return abs(first / usual - 1) if is_worst and usual else 0.0


def _cold(series: Series, found: list[Cold]) -> Finding:
    levels = list(dict.fromkeys(cold.level for cold in found))
    worst = max(found, key=lambda cold: cold.by)
    told = say(
        zh="{name} 第一次是 {first}，之后是 {others}",
        en="{name} is {first} at first and then {others}",
        name=worst.name,
        first=Quantity(worst.runs[0].address),
        others=Listing(tuple(Quantity(run.address) for run in worst.runs[1:])),
    )
    return Finding(
        check="cold_trials",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=tuple(run.address for cold in found for run in cold.runs),
        message=say(
            zh="{series} 在 {levels} 的第一次运行比后来的都差：{worst}。它是冷的，不该与其余的一起取中位数。",
            en="At {levels} the first run of {series} is worse than all later ones: {worst}. It was cold, and does not belong in "
            "one median with the others.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
            worst=worst_level(told, FURTHEST_OFF, series, worst.level, levels),
        ),
        bias=say(
            zh="{series} 显得比预热之后更差。",
            en="{series} looks worse than it is once it is warm.",
            series=SeriesName(series.id),
        ),
        looks="worse",
        remedy=say(
            zh="每次运行之前预热，或把第一次单独列为冷启动，再多测一次。",
            en="Warm up before each run, or report the first one apart as cold and run once more.",
        ),
    )


def _alike(repeated: dict[Series, list[Level]]) -> Finding:
    evidence = [
        at_level("output_throughput", series, level, trial)
        for series, levels in repeated.items()
        for level in levels
        for trial in level.runs
    ]
    message = say(
        zh="没有哪一档的第一次运行明显比其余几次差。",
        en="No level has a first run that is clearly worse than all others.",
    )
    return Finding("cold_trials", "pass", message, evidence=tuple(evidence))


def _once() -> Finding:
    message = say(
        zh="没有哪一档有几次运行的记录，分不出冷热。",
        en="No level has several runs on record, so none can be told to be the cold one.",
    )
    return Finding("cold_trials", "pass", message, is_empty=True)
