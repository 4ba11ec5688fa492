"""What there are values of, in the order of report.json: round, series, level, pair, pair-level."""

from __future__ import annotations

from collections.abc import Iterator

from generator.analysis.graph import BESIDE_RUNS, Graph
from generator.frame import shared_levels
from generator.kinds import Metric
from generator.model import Level, Round
from generator.runs.starts import starts_in
from generator.values import Address, Scope


def all_addresses(round_: Round, graph: Graph) -> Iterator[Address]:
    """Yield the address of everything that is a value of a round."""
    for metric in graph.of_scope("round"):
        yield Address(metric.key, "round", basis=metric.basis)
    for series in round_.series:
        for metric in graph.of_scope("series"):
            yield Address(metric.key, "series", series.id, basis=metric.basis)
    yield from _of_starts(round_, graph)
    yield from level_addresses(round_, graph)
    for compared in round_.compared:
        for metric in graph.of_scope("pair"):
            yield Address(metric.key, "pair", compared.id, basis=metric.basis)
    for compared in round_.compared:
        for level in shared_levels(round_.baseline.levels if round_.baseline else (), compared.levels):
            for metric in graph.of_scope("pair-level"):
                yield Address(metric.key, "pair-level", compared.id, level.id, metric.basis)


def _of_starts(round_: Round, graph: Graph) -> Iterator[Address]:
    """Yield the address of everything that each start of an engine has one of its own of."""
    metrics = [metric for metric in graph.of_scope("series") if metric.of_start]
    for series, starts in starts_in(round_.observations).items():
        for start in starts:
            for metric in metrics:
                yield Address(metric.key, "series", series, basis=metric.basis, trial=start)


def level_addresses(round_: Round, graph: Graph) -> Iterator[Address]:
    """Yield the address of everything that is a value of a level, and of each trial of one that was run more often."""
    metrics = {from_runs: graph.of_levels(from_runs=from_runs) for from_runs in (False, True)}
    for series in round_.series:
        for level in series.levels:
            for metric in metrics[level.from_runs]:
                yield from _of_level(metric, series.id, level)


def watched_addresses(round_: Round, graph: Graph) -> Iterator[Address]:
    """Yield the address of everything that was sampled of a series as a whole: it rests on no level."""
    for metric in graph.of_scope("series"):
        if metric.places and not metric.derivations and all(place.kind in BESIDE_RUNS for place in metric.places):
            for series in round_.series:
                yield Address(metric.key, "series", series.id, basis=metric.basis)


def _of_level(metric: Metric, series: str, level: Level) -> Iterator[Address]:
    scope: Scope = "level"
    yield Address(metric.key, scope, series, level.id, metric.basis)
    if level.trials > 1:
        for trial in level.runs:
            yield Address(metric.key, scope, series, level.id, metric.basis, trial)
