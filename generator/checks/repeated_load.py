"""Do several levels of a series ask for the same load? A curve has one value a load, and these give it several."""

from __future__ import annotations

from collections.abc import Sequence

from generator.across.levels import all_places, at_level, known_addresses, level_names, workloads
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import LOAD
from generator.told.findings import Finding
from generator.told.sentence import SeriesName, say


@check(
    theme=LOAD,
    title=Text(zh="每种负载只测一档", en="One level per load"),
    question=Text(
        zh="有没有几档的负载与长度都相同，却没有声明为重复测量？",
        en="Are there levels of the same load and lengths that are not declared as runs of one level?",
    ),
    rule=Text(
        zh="一个系列里有几档的负载与长度都相同，就警告：它们是没有声明的重复测量。",
        en="A warning where levels of a series have the same load and lengths: they are runs of one level that are not declared as such.",
    ),
)
def repeated_load(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series; where none repeats a load, that is said once."""
    if not all_places(analysis):
        return [_no_level()]
    return [finding for series in analysis.round.series for finding in _examine(analysis, series)] or [_differ()]


def _examine(analysis: Analysis, series: Series) -> list[Finding]:
    by_load: dict[tuple[float | None, float | None], list[Level]] = {}
    for level in series.levels:
        if level.load:  # levels without any are told apart by what was run
            by_load.setdefault((level.concurrency, level.rate), []).append(level)
    groups = [alike for levels in by_load.values() for alike in workloads(analysis, series, levels)]
    return [_repeats(analysis, series, levels) for levels in groups if len(levels) > 1]


def _repeats(analysis: Analysis, series: Series, levels: list[Level]) -> Finding:
    delivered = [at_level("output_throughput", series, level) for level in levels]
    names = level_names(series, levels)
    return Finding(
        check="repeated_load",
        status="warn",
        series=series.id,
        levels=tuple(level.id for level in levels),
        evidence=known_addresses(analysis, delivered),
        message=say(
            zh="{series} 的 {levels} 负载与长度都相同：它们是重复测量，却没有这样声明。哪一档算数没有定下来，"
            "落在它们旁边的交叉点就算作未知。",
            en="{levels} of {series} have the same load and lengths: they are runs of one level that are not declared as such. "
            "Which of them counts is open, so a crossover beside them is held to be unknown.",
            series=SeriesName(series.id),
            levels=names,
        ),
        remedy=say(
            zh="每种负载只留一行，取各次的中位数；若它们另有不同，就拆成各自的系列。",
            en="Keep one row per load, with the median of the runs; where they differ in something else, make "
            "each a series of its own.",
        ),
    )


def _differ() -> Finding:
    return Finding(
        check="repeated_load",
        status="pass",
        message=say(
            zh="同一系列里没有哪两档的负载与长度都相同。",
            en="No two levels of one series have the same load and lengths.",
        ),
    )


def _no_level() -> Finding:
    return Finding(
        check="repeated_load",
        status="unknown",
        message=say(zh="没有测过任何档位，谈不上重复。", en="There is no level, so there is none to be repeated."),
    )
