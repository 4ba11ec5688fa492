"""Is it known how requests arrive? At one rate, bursts make a longer queue than even gaps do."""

from __future__ import annotations

from collections.abc import Sequence

from generator.across.levels import arrival, level_names
from generator.frame import Analysis
from generator.kinds import check
from generator.model import Level, Series
from generator.text import Text
from generator.themes import LOAD
from generator.told.findings import Finding
from generator.told.sentence import SeriesName, say


@check(
    theme=LOAD,
    title=Text(zh="到达方式是否写明", en="Arrivals named"),
    question=Text(
        zh="每一档的请求是怎样到达的，有没有写明？", en="Is it on record how the requests of each level arrive?"
    ),
    rule=Text(
        zh="按到达率发请求而没有写明到达过程（泊松、等间隔、gamma、ramp（线性变化）、trace）的档位，只提示。闭环不必另写。",
        en="A note on levels under a rate whose arrival process (Poisson, constant, gamma, ramp, trace) is not on record. A closed loop needs no further description.",
    ),
)
def arrivals_named(analysis: Analysis) -> Sequence[Finding]:
    """Examine each series that has levels."""
    return [_examine(analysis, series) for series in analysis.round.series if series.levels] or [_nothing()]


def _examine(analysis: Analysis, series: Series) -> Finding:
    under_rates = [level for level in series.levels if level.rate is not None]
    unnamed = [level for level in under_rates if arrival(analysis, (series, level)) is None]
    return _unnamed(series, unnamed) if unnamed else _named(series)


def _unnamed(series: Series, levels: list[Level]) -> Finding:
    return Finding(
        check="arrivals_named",
        status="note",
        series=series.id,
        levels=tuple(level.id for level in levels),
        message=say(
            zh="{series} 在 {levels} 的请求是怎样到达的，没有写明；同样的到达率，成簇到达比均匀到达排队更长。",
            en="How the requests of {series} arrive at {levels} is not on record; at one and the same rate, bursts queue longer than "
            "even gaps.",
            series=SeriesName(series.id),
            levels=level_names(series, levels),
        ),
        remedy=say(
            zh="在 round.toml 的 [workload] 里写明 arrival。", en="Declare arrival in [workload] of round.toml."
        ),
    )


def _named(series: Series) -> Finding:
    message = say(
        zh="{series} 每一档的到达方式都有记录。",
        en="How the requests of {series} arrive is on record for every level.",
        series=SeriesName(series.id),
    )
    return Finding("arrivals_named", "pass", message, series.id, tuple(level.id for level in series.levels))


def _nothing() -> Finding:
    message = say(zh="没有测过任何档位。", en="No level was measured.")
    return Finding("arrivals_named", "pass", message, is_empty=True)
