"""Rounds made in memory, from numbers in base units: no file is read."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import generator.metrics
from generator.analysis.graph import Graph, build
from generator.analysis.resolve import Resolver
from generator.declared.round_tables import HardwareTable, ModelTable, RoundFile, RoundTable, SeriesTable
from generator.declared.table_types import Title
from generator.model import Integrity, Level, Round, Series, Trial
from generator.places import Place
from generator.registry import discover_metrics
from generator.runs.requests import Requests
from generator.units import from_base, to_base
from generator.values import Address, Observation, Origin, Scope, Source

GRAPH: Final[Graph] = build(discover_metrics(generator.metrics))

Numbers = Mapping[str, float]
"""Metric (``key`` or ``key__basis``) -> its number in base units."""
Levels = Mapping[str, Numbers]
"""Level id -> what was seen there; ``concurrency`` or ``rate`` also places the level."""

NOTHING: Final[Mapping[str, Numbers]] = {}
NO_RUNS: Final[Mapping[Trial, Requests | None]] = {}


def address(
    name: str,
    scope: Scope,
    series: str | None = None,
    level: str | None = None,
    basis: str | None = None,
    trial: int | None = None,
) -> Address:
    """Name a number; ``key__basis`` is the metric with that basis."""
    key, _, written_basis = name.partition("__")
    return Address(key, scope, series, level, written_basis or basis, trial)


def observation(where: Address, value: float, origin: Origin = "transcribed", priority: int = 0) -> Observation:
    """Say that a file of the round gives a number, in base units."""
    file = f"{where.series}/published.csv" if where.scope == "level" else "round.toml"
    trial = "" if where.trial is None else f" {where.trial}"
    place = f"{where.series} {where.level}{trial} {where.metric} {priority}"
    return Observation(where, value, origin, Source(file, place), priority=priority)


def memory_round(
    levels: Mapping[str, Levels],
    *,
    of_series: Mapping[str, Numbers] = NOTHING,
    of_round: Numbers | None = None,
    baseline: str | None = None,
    further: Sequence[Observation] = (),
    runs: Mapping[Trial, Requests | None] = NO_RUNS,
) -> Round:
    """Make a round: series -> level -> metric -> number, and the constants of series and round.

    Args:
        levels: every series of the round, also those without levels.
        of_series: constants declared of a series.
        of_round: constants declared of the round.
        baseline: the series that the others are compared with.
        further: observations that the other arguments cannot express.
        runs: the trials of levels (None for the one of a level that was run once) and the requests of each; None
            where a run has no requests on record.
    """
    seen = [*_of_round(of_round or {}), *_of_series(of_series), *_of_levels(levels), *further]
    return Round(
        id="in-memory",
        file=_round_file(levels, baseline),
        series=tuple(Series(SeriesTable(id=one), _placed(one, by_level, runs)) for one, by_level in levels.items()),
        observations=tuple(seen),
        integrity=Integrity("absent"),
        data_sha256="",
        requests={trial: requests for trial, requests in runs.items() if requests is not None},
    )


def read_typed(key: str, place: Place, amount: float) -> tuple[float | None, float | None]:
    """Resolve a metric in a round where an author typed one number; return it in base units and as reported.

    Raises:
        KeyError: no metric is read from that place in that unit.
    """
    metric = GRAPH.places()[place]
    where = Address(
        key,
        metric.scope,
        series="a" if metric.scope in ("series", "level") else None,
        level="c1" if metric.scope == "level" else None,
        basis=metric.basis,
    )
    seen = observation(where, to_base(amount, place.unit))
    value = Resolver(GRAPH, memory_round({"a": {"c1": {}}}, further=[seen])).value(where).value
    return value, None if value is None else from_base(value, metric.unit)


def _round_file(levels: Iterable[str], baseline: str | None) -> RoundFile:
    tables = {
        "schema": 1,
        "round": RoundTable(title=Title(zh="测试", en="test"), baseline=baseline, origin="transcribed"),
        "model": ModelTable(name="a model"),
        "hardware": HardwareTable.model_validate({"gpu": "a device"}),
        "series": tuple(SeriesTable(id=series) for series in levels),
    }
    return RoundFile.model_validate(tables)


def _placed(series: str, by_level: Levels, runs: Iterable[Trial]) -> tuple[Level, ...]:
    made = []
    for level, seen in by_level.items():
        trials = [trial for of, at, trial in runs if (of, at) == (series, level)]
        load = (seen.get("concurrency"), seen.get("rate"))
        made.append(Level(level, *load, trials=max(1, len(trials)), from_runs=bool(trials)))
    return tuple(sorted(made, key=lambda level: level.order))


def _of_round(numbers: Numbers) -> Iterator[Observation]:
    for name, value in numbers.items():
        yield observation(address(name, "round"), value, "declared")


def _of_series(numbers: Mapping[str, Numbers]) -> Iterator[Observation]:
    for series, by_name in numbers.items():
        for name, value in by_name.items():
            yield observation(address(name, "series", series), value, "declared")


def _of_levels(numbers: Mapping[str, Levels]) -> Iterator[Observation]:
    for series, by_level in numbers.items():
        for level, by_name in by_level.items():
            for name, value in by_name.items():
                yield observation(address(name, "level", series, level), value)
