"""Is everything there that the round plans? What is missing is missing from every comparison."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from generator.declared.round_tables import LevelTable
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text, same
from generator.themes import RECORDS
from generator.told.findings import Finding
from generator.told.sentence import Count, LevelName, Listing, Part, SeriesName, say


@dataclass(frozen=True, slots=True)
class Planned:
    """A level that is planned for a series, and the level that is there; None where none is."""

    entry: LevelTable
    there: Level | None

    @property
    def wanted(self) -> int:
        """Return how often it is to be run."""
        return int(self.entry.trials or 1)

    @property
    def lacking(self) -> int:
        """Return how many of its runs are not there."""
        return max(0, self.wanted - (self.there.trials if self.there is not None else 0))

    def name(self, series: Series) -> Part:
        """Return what a reader calls it: by the load that the plan gives it where there are no data."""
        if self.there is not None:
            return LevelName(series.id, self.there.id)
        return same(Level(self.entry.id, self.entry.concurrency, self.entry.rate).name)


@check(
    theme=RECORDS,
    title=Text(zh="计划是否完成", en="Plan completed"),
    question=Text(zh="round.toml 计划的每一档、每一次运行都在吗？", en="Is every planned level and run present?"),
    rule=Text(
        zh="round.toml 计划的档位与运行，缺一次就警告。只看保留了运行记录的系列。",
        en="A warning as soon as one level or run that round.toml plans is missing. Only series that keep their runs are examined.",
    ),
)
def plan_fulfilled(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series that keeps its runs, or has no data yet: a table of results is whole as it is."""
    entries = analysis.round.file.level
    growing = [series for series in analysis.round.series if all(level.from_runs for level in series.levels)]
    found = [_examine(series, planned) for series in growing if (planned := _planned(series, entries))]
    return found or [_no_plan()]


def _planned(series: Series, entries: Sequence[LevelTable]) -> list[Planned]:
    levels = {level.id: level for level in series.levels}
    return [Planned(one, levels.get(one.id)) for one in entries if one.speaks_of(series.id)]


def _examine(series: Series, planned: Sequence[Planned]) -> Finding:
    lacking = [one for one in planned if one.lacking]
    if not series.levels:
        return _not_begun(series, planned)
    return _incomplete(series, planned, lacking) if lacking else _complete(series, planned)


def _runs(planned: Sequence[Planned]) -> Count:
    return Count(sum(one.wanted for one in planned))


def _not_begun(series: Series, planned: Sequence[Planned]) -> Finding:
    return Finding(
        check="plan_fulfilled",
        status="warn",
        series=series.id,
        message=say(
            zh="{series} 还没有数据：计划的 {runs} 次运行都还没有采集。",
            en="{series} has no data yet: none of its {runs} planned runs has been collected.",
            series=SeriesName(series.id),
            runs=_runs(planned),
        ),
        remedy=say(zh="对这一轮运行 rounds collect。", en="Run rounds collect on this round."),
    )


def _incomplete(series: Series, planned: Sequence[Planned], lacking: Sequence[Planned]) -> Finding:
    return Finding(
        check="plan_fulfilled",
        status="warn",
        series=series.id,
        levels=tuple(one.there.id for one in lacking if one.there is not None),
        message=say(
            zh="{series} 计划的 {runs} 次运行缺 {missing} 次，在 {levels}。",
            en="Missing of the {runs} planned runs of {series}: {missing}, at {levels}.",
            series=SeriesName(series.id),
            runs=_runs(planned),
            missing=Count(sum(one.lacking for one in lacking)),
            levels=Listing(tuple(one.name(series) for one in lacking)),
        ),
        remedy=say(
            zh="再运行一次 rounds collect，它从停下的地方继续；不打算测的档位，从 round.toml 里删去。",
            en="Run rounds collect again, which goes on where it stopped; take levels that are not to be measured out of "
            "round.toml.",
        ),
    )


def _complete(series: Series, planned: Sequence[Planned]) -> Finding:
    return Finding(
        check="plan_fulfilled",
        status="pass",
        series=series.id,
        levels=tuple(one.entry.id for one in planned),
        message=say(
            zh="{series} 计划的 {runs} 次运行都在。",
            en="All {runs} planned runs of {series} are there.",
            series=SeriesName(series.id),
            runs=_runs(planned),
        ),
    )


def _no_plan() -> Finding:
    return Finding(
        check="plan_fulfilled",
        status="pass",
        message=say(zh="没有系列声明过采集计划，不适用。", en="No series declares a plan of runs: not applicable."),
        is_empty=True,
    )
