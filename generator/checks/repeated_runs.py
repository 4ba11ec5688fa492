"""Are the trials of a level runs of their own? Copies of one run look like a measurement without any spread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

from generator.across.levels import at_level
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import RECORDS
from generator.told.findings import Finding
from generator.told.sentence import Count, LevelName, Listing, SeriesName, say

Numbers = frozenset[tuple[str, str | None, float]]
"""What one run reports: metric, basis, number."""

ENOUGH: Final = 3
"""Numbers that two runs share by chance, where the load and the counts of requests are all that is reported."""
PLANNED: Final = frozenset({"concurrency", "rate", "requests", "completed", "logged_requests"})


@check(
    theme=RECORDS,
    title=Text(zh="重复运行是否为副本", en="Duplicate runs"),
    question=Text(
        zh="同一档的几次运行里，有没有同一个文件被放了两遍？",
        en="Are there two runs of a level that are one and the same?",
    ),
    rule=Text(
        zh="同一档的两次运行，至少 {enough} 个数到最后一位全部相同，就不通过：那是同一个文件。",
        en="A failure where two runs of a level give {enough} numbers or more that are all the same to the last digit: they are one and the same file.",
    ).format(enough=ENOUGH),
)
def repeated_runs(analysis: Analysis) -> Sequence[Finding]:
    """Examine each level that was run more than once."""
    repeated = [(series, level) for series in analysis.round.series for level in series.levels if level.trials > 1]
    if not repeated:
        return [_once()]
    reported = _reported(analysis)
    copies = [(series, level, _copies(series, level, reported)) for series, level in repeated]
    return [_copied(series, level, runs) for series, level, groups in copies for runs in groups] or [_all_differ()]


def _reported(analysis: Analysis) -> dict[tuple[str | None, str | None, int | None], Numbers]:
    found: dict[tuple[str | None, str | None, int | None], set[tuple[str, str | None, float]]] = {}
    for seen in analysis.round.observations:
        at = seen.address
        if at.trial is not None and at.metric not in PLANNED:
            found.setdefault((at.series, at.level, at.trial), set()).add((at.metric, at.basis, seen.value))
    return {run: frozenset(numbers) for run, numbers in found.items()}


def _copies(
    series: Series, level: Level, reported: Mapping[tuple[str | None, str | None, int | None], Numbers]
) -> list[list[int]]:
    """Return the runs that give the same numbers to the last digit, in groups."""
    alike: dict[Numbers, list[int]] = {}
    for trial in range(1, level.trials + 1):
        numbers = reported.get((series.id, level.id, trial), frozenset())
        if len(numbers) >= ENOUGH:
            alike.setdefault(numbers, []).append(trial)
    return [runs for runs in alike.values() if len(runs) > 1]


def _copied(series: Series, level: Level, runs: Sequence[int]) -> Finding:
    return Finding(
        check="repeated_runs",
        status="fail",
        series=series.id,
        levels=(level.id,),
        evidence=tuple(at_level("duration", series, level, run) for run in runs),
        message=say(
            zh="{series} 在 {level} 的第 {runs} 次运行，每个数到最后一位都相同：是同一次运行的副本，不是重复测量。",
            en="Runs {runs} of {series} at {level} give the same numbers to the last digit: they are copies of one run.",
            series=SeriesName(series.id),
            level=LevelName(series.id, level.id),
            runs=Listing(tuple(Count(run) for run in runs)),
        ),
        bias=say(
            zh="副本让 {series} 看起来比实际更稳定，也让这一次运行在中位数里多算了几遍。",
            en="The copies make {series} look steadier than it is, and count one run several times in the median.",
            series=SeriesName(series.id),
        ),
        looks="better",
        remedy=say(zh="每次运行只留一份，或补上真正的重复测量。", en="Keep one of them, or run the level again."),
    )


def _all_differ() -> Finding:
    return Finding(
        check="repeated_runs",
        status="pass",
        message=say(
            zh="同一档的几次运行各不相同。", en="Of levels that were run more than once, no two runs are the same."
        ),
    )


def _once() -> Finding:
    return Finding(
        check="repeated_runs",
        status="pass",
        is_empty=True,
        message=say(
            zh="没有哪一档有几次运行的记录，谈不上副本。",
            en="No level has several runs on record, so none can be a copy of another.",
        ),
    )
