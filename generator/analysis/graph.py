"""The metric graph: every definition, checked when it is put together."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from graphlib import CycleError, TopologicalSorter
from typing import Final, Literal

from generator.kinds import REPORTED, STEADY, Derivation, Metric, Over, Parameter
from generator.places import Place, PlaceKind
from generator.runs.starts import StartState
from generator.units import FACTORS
from generator.values import Scope

Side = Literal["baseline", "compared"]
Key = tuple[str, str | None]
"""A metric's name and basis."""

FORMULA_FUNCTIONS: Final = frozenset(
    {"first", "last", "sum", "mean", "median", "percentile", "count", "count_below", "count_between", "peak",
     "ln", "exp", "count_crossings", "drop_first", "drop_last", "longest_quiet", "start_of_quiet",
     "longest_span", "start_of_longest", "knee",
     "sd", "correlation", "line_slope", "line_intercept", "line_r2", "line_error", "line_samples",
     "fit", "fit_error", "fit_r2", "ceil", "floor", "highest_served", "first_sign",
     "min", "max"}
)  # fmt: skip
BESIDE_RUNS: Final[frozenset[PlaceKind]] = frozenset({"log", "telemetry", "counters"})
"""Places beside the runs themselves: where a level is a row of a table, there are none."""
OVER_STARTS: Final[Mapping[Over, StartState]] = {
    "cold_starts": "cold", "warm_starts": "warm", "unknown_starts": "unknown",
}  # fmt: skip
"""Columns over the starts of an engine, and what these have in common."""
WHOLE: Final[frozenset[Over]] = frozenset({"all", "trials", "whole_ladder", *OVER_STARTS})
"""Columns that are the same whatever is excluded."""
NAME: Final = re.compile(r"[a-z][a-z0-9_]*")

SCALARS: Final[Mapping[Scope, frozenset[Scope]]] = {
    "round": frozenset({"round"}),
    "series": frozenset({"round", "series"}),
    "level": frozenset({"round", "series", "level"}),
    "pair": frozenset({"round", "pair"}),
    "pair-level": frozenset({"round", "pair", "pair-level"}),
}
"""Scopes that a metric of a scope may take one number from."""
COLUMNS: Final[Mapping[Scope, frozenset[Scope]]] = {
    "round": frozenset({"series"}),
    "series": frozenset({"level"}),
    "pair": frozenset({"pair-level"}),
    "level": frozenset(),
    "pair-level": frozenset(),
}
"""Scopes that a metric of a scope may take a column from."""
SIDE_SCALARS: Final[Mapping[Scope, frozenset[Scope]]] = {
    "pair": frozenset({"series"}),
    "pair-level": frozenset({"series", "level"}),
}
SIDE_COLUMNS: Final[Mapping[Scope, frozenset[Scope]]] = {"pair": frozenset({"level"})}


class GraphError(TypeError):
    """A metric is declared wrongly: a defect of the program, never of its input."""


@dataclass(frozen=True, slots=True)
class Port:
    """One input of one derivation: which metric it takes, of which side of a pair, and as what."""

    name: str
    key: Key
    side: Side | None
    is_column: bool
    is_sparse: bool = False


@dataclass(frozen=True, slots=True)
class Step:
    """A derivation with its inputs resolved to metrics; ``samples`` names those that come from requests."""

    derivation: Derivation
    ports: tuple[Port, ...]
    samples: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Graph:
    """All metrics by name and basis, and the ways to compute each."""

    metrics: Mapping[Key, Metric]
    steps: Mapping[Key, tuple[Step, ...]] = field(default_factory=dict)

    def places(self) -> dict[Place, Metric]:
        """Return every place where a number may be written down, and the metric it is of."""
        return {place: metric for metric in self.metrics.values() for place in metric.places}

    def of_scope(self, *scopes: Scope) -> list[Metric]:
        """Return the metrics of some scopes, in order of declaration."""
        return [metric for metric in self.metrics.values() if metric.scope in scopes]

    def of_levels(self, *, from_runs: bool) -> list[Metric]:
        """Return the metrics that a level has: one without runs has none that only runs can give."""
        levels = self.of_scope("level")
        return [metric for metric in levels if from_runs or not self._of_runs((metric.key, metric.basis))]

    def _of_runs(self, key: Key) -> bool:
        """Say whether a number is known from runs alone: from requests, the client, or numbers that are."""
        metric = self.metrics[key]
        if metric.basis in (REPORTED, STEADY):
            return True
        if {place.kind for place in metric.places} & BESIDE_RUNS:
            return all(place.kind != "column" for place in metric.places)
        ways = self.steps[key]
        return not metric.places and all(way.samples or any(self._of_runs(p.key) for p in way.ports) for way in ways)


def build(declared: Iterable[Metric]) -> Graph:
    """Put the graph together.

    Raises:
        GraphError: a name, unit, scope, formula or place does not hold, or metrics depend on each other in a ring.
    """
    metrics: dict[Key, Metric] = {}
    for metric in declared:
        for variant in (metric, *_variants(metric), *_reported(metric)):
            key = (variant.key, variant.basis)
            if key in metrics:
                raise GraphError(f"{key} is declared twice")
            metrics[key] = variant
    steps = {key: _steps(metric, metrics) for key, metric in metrics.items()}
    _check_units(metrics)
    _check_places(metrics)
    _check_rings(steps)
    _check_stages(metrics, steps)
    return Graph(metrics, steps)


def _variants(metric: Metric) -> list[Metric]:
    return [replace(metric, basis=basis, follows=(), places=()) for basis in metric.follows]


def _reported(metric: Metric) -> list[Metric]:
    """Return what the client says of a metric that can also be taken from its requests."""
    taken = any(p.is_sample for way in metric.derivations for p in way.parameters)
    if not taken or metric.basis is not None:
        return []
    return [replace(metric, basis=REPORTED, follows=(), places=(), derivations=[], zero=None)]


def _steps(metric: Metric, metrics: Mapping[Key, Metric]) -> tuple[Step, ...]:
    """Return the ways to compute a metric: what requests show goes before what follows from other numbers."""
    ways = [_step(metric, derivation, metrics) for derivation in metric.derivations]
    return tuple(sorted(ways, key=lambda step: not step.samples))


def _step(metric: Metric, derivation: Derivation, metrics: Mapping[Key, Metric]) -> Step:
    named = {p.name for p in derivation.parameters}
    written = set(NAME.findall(derivation.formula)) - FORMULA_FUNCTIONS
    if written != named:
        raise GraphError(f"{metric.key}: the formula speaks of {sorted(written)}, the function of {sorted(named)}")
    samples = tuple(p.name for p in derivation.parameters if p.is_sample)
    if samples and metric.scope != "level":
        raise GraphError(f"{metric.key} is no metric of a level and cannot take requests")
    ports = tuple(_port(metric, p, metrics) for p in derivation.parameters if not p.is_sample)
    return Step(derivation, ports, samples)


def _port(metric: Metric, parameter: Parameter, metrics: Mapping[Key, Metric]) -> Port:
    name, is_column = parameter.name, parameter.is_column
    if is_column and metric.over in OVER_STARTS:
        return _over_starts(metric, name, metrics)
    side, bare = _split_side(metric.scope, name)
    key = next((k for k in _candidates(bare, metric) if k in metrics), None)
    if key is None:
        raise GraphError(f"{metric.key}: there is no metric {bare!r}")
    table = _allowed(side, is_column)
    if metrics[key].scope not in table.get(metric.scope, frozenset()):
        shape = "column" if is_column else "number"
        raise GraphError(f"{metric.key} ({metric.scope}) cannot take {name} ({metrics[key].scope}) as a {shape}")
    return Port(name, key, side, is_column, parameter.is_sparse)


def _over_starts(metric: Metric, name: str, metrics: Mapping[Key, Metric]) -> Port:
    of = metrics.get((name, None))
    if metric.scope != "series" or of is None or not of.of_start:
        raise GraphError(f"{metric.key} ({metric.scope}) cannot take {name} over starts: no start has one of its own")
    return Port(name, (name, None), None, is_column=True)


def _candidates(bare: str, metric: Metric) -> list[Key]:
    same_basis: list[Key] = [] if bare == metric.key else [(bare, metric.basis)]
    return [*same_basis, (bare, None)]


def _split_side(scope: Scope, name: str) -> tuple[Side | None, str]:
    if scope in SIDE_SCALARS:
        sides: tuple[Side, ...] = ("baseline", "compared")
        for side in sides:
            if name.startswith(f"{side}_"):
                return side, name.removeprefix(f"{side}_")
    return None, name


def _allowed(side: Side | None, is_column: bool) -> Mapping[Scope, frozenset[Scope]]:
    if side is None:
        return COLUMNS if is_column else SCALARS
    return SIDE_COLUMNS if is_column else SIDE_SCALARS


def _check_units(metrics: Mapping[Key, Metric]) -> None:
    for metric in metrics.values():
        for unit in (metric.unit, *(place.unit for place in metric.places)):
            if unit not in FACTORS:
                raise GraphError(f"{metric.key}: there is no unit {unit!r}")
        if any(FACTORS[place.unit][0] != FACTORS[metric.unit][0] for place in metric.places):
            raise GraphError(f"{metric.key}: a place is in a unit of another kind")


def _check_places(metrics: Mapping[Key, Metric]) -> None:
    taken: dict[tuple[str, str], str] = {}
    for metric in metrics.values():
        for place in metric.places:
            other = taken.setdefault((place.kind, place.name), metric.key)
            if other != metric.key:
                raise GraphError(f"{metric.key} and {other} are both read from {place.name}")


def _check_rings(steps: Mapping[Key, tuple[Step, ...]]) -> None:
    needs = {key: {port.key for step in ways for port in step.ports} for key, ways in steps.items()}
    try:
        TopologicalSorter(needs).prepare()
    except CycleError as ring:
        raise GraphError(f"metrics depend on each other: {ring.args[1]}") from ring


def _check_stages(metrics: Mapping[Key, Metric], steps: Mapping[Key, tuple[Step, ...]]) -> None:
    """Level metrics must not rest on conclusions: they are there before it is known which levels are usable.

    A column over all levels, excluded ones included, is none.
    """

    def rests_on_conclusion(key: Key) -> bool:
        ports = [port for step in steps[key] for port in step.ports]
        chosen = metrics[key].over not in WHOLE
        return any((port.is_column and chosen) or rests_on_conclusion(port.key) for port in ports)

    for key, metric in metrics.items():
        if metric.scope == "level" and rests_on_conclusion(key):
            raise GraphError(f"{metric.key} is of a level and must not rest on a column over levels")
