"""Walking the metric graph: from observations to values, each with its formula, its inputs and its reason."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import median
from typing import Final, NamedTuple

import numpy as np

from generator.across.excluded import below_excluded
from generator.across.ladders import rungs
from generator.across.levels import NumberOf
from generator.analysis.graph import OVER_STARTS, Graph, Port, Side, Step
from generator.analysis.reasons import NO_BASELINE, NO_LEVEL, NO_REQUESTS, NO_START, NOWHERE, not_recorded, not_reported
from generator.frame import shared_levels
from generator.kinds import REPORTED, Answer, Over, Picked, Unknown
from generator.model import Level, Round
from generator.runs.requests import SAMPLES, Requests
from generator.runs.starts import RESIDENT, StartState, starts_in, state_of
from generator.text import LANGS, Text
from generator.units import LARGEST
from generator.values import Address, Input, Observation, Origin, Source, Value, weakest

SPOILT_TOO: Final[frozenset[Over]] = frozenset({"all", "whole_ladder"})
"""Which columns have excluded levels as well."""
LADDERS: Final[frozenset[Over]] = frozenset({"ladder", "whole_ladder"})

Spoilt = frozenset[tuple[str, str]]


class Row(NamedTuple):
    """One row of a column: a level or one trial of it; a series, or one start of it, where the column is over these."""

    id: str
    trial: int | None = None


class Taken(NamedTuple):
    """What a derivation took from requests: their numbers under the names of its samples, and where they stand."""

    samples: Mapping[str, np.ndarray]
    source: Source | None = None


@dataclass(slots=True)
class Resolver:
    """Computes values on demand and remembers them.

    ``spoilt`` names the (series, level) pairs that columns leave out. Level values never look at it, so those
    of the first stage can be carried over as ``values``.
    """

    graph: Graph
    round: Round
    spoilt: Spoilt = frozenset()
    values: dict[Address, Value] = field(default_factory=dict)
    _observed: Mapping[Address, Observation] = field(init=False)
    _starts: Mapping[str, tuple[int, ...]] = field(init=False)
    _levels: Mapping[tuple[str | None, str | None], Level] = field(init=False)
    _labels: Mapping[str, str] = field(init=False)
    _baseline: str | None = field(init=False)
    _ladders: dict[tuple[str, tuple[Level, ...]], list[Level]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        """Index the observations, of several places of one number the first declared; and what is looked up most."""
        found: dict[Address, Observation] = {}
        for seen in sorted(self.round.observations, key=lambda o: -o.priority):
            found[seen.address] = seen
        self._observed = found
        self._starts = starts_in(self.round.observations)
        self._levels = {(one.id, level.id): level for one in self.round.series for level in one.levels}
        self._labels = {one.id: self.round.label(one.id) for one in self.round.series}
        self._baseline = self.round.baseline.id if self.round.baseline is not None else None

    def resolve(self, addresses: Iterable[Address]) -> None:
        """Compute the values at some addresses, and whatever they rest on."""
        for address in addresses:
            self.value(address)

    def value(self, address: Address) -> Value:
        """Return the value at an address."""
        found = self.values.get(address)
        if found is None:
            found = self.values[address] = self._believed(self._find(address))
        return found

    def _believed(self, found: Value) -> Value:
        """Take for unknown what is exactly 0 and cannot be: it stands for something that was not measured."""
        zero = self.graph.metrics[found.address.metric, found.address.basis].zero if found.value == 0 else None
        return found if zero is None else Value(found.address, None, reason=zero)

    def _find(self, address: Address) -> Value:
        seen = self._observed.get(address)
        if seen is not None:
            return _read(seen)
        if address.scope == "level" and address.trial is None:
            trials = self._level(address).runs
            if trials != (None,):
                return self._median(address, [_of_trial(address, trial) for trial in trials])
        return self._computed(address)

    def _computed(self, address: Address) -> Value:
        reasons: list[tuple[Step, Text]] = []
        for step in self._steps(address):
            outcome = self._derive(address, step)
            if isinstance(outcome, Value):
                return outcome
            reasons.append((step, outcome))
        elsewhere = self._observed_elsewhere(address)
        if elsewhere is not None:
            return _read(elsewhere._replace(address=address))
        # The plainest way tells best what to record: the first that does not ask for the model's files.
        plainest = min(reasons, key=lambda one: self._rests_on_files(one[0]), default=None)
        lacking = plainest[1] if plainest else self._not_recorded(address)
        return Value(address, None, reason=self.round.unread.get(address) or lacking)

    def _rests_on_files(self, step: Step) -> bool:
        """Say whether a derivation takes what nothing but the model's own files can tell."""
        known = (self.graph.metrics[port.key] for port in step.ports)
        return any(one.places and not one.derivations and one.places[0].kind == "architecture" for one in known)

    def _steps(self, address: Address) -> Sequence[Step]:
        """Return the ways to compute a value. A table of results has no requests, so it does not lack them either."""
        steps = self.graph.steps[address.metric, address.basis]
        if address.scope != "level" or self._level(address).from_runs:
            return steps
        return [step for step in steps if not step.samples]

    def _observed_elsewhere(self, address: Address) -> Observation | None:
        """Return what the client says itself; else, for a trial, what was declared of its level."""
        said = self._observed.get(_as_reported(address)) if address.basis is None else None
        if said is None and address.trial is not None and address.scope == "level":
            return self._observed.get(_of_trial(address, None))
        return said

    def _median(self, address: Address, trials: list[Address]) -> Value:
        """Take the level as the median of its trials: pooled requests would let a long trial outvote the others."""
        known = [(trial, number) for trial in trials if (number := self.value(trial).value) is not None]
        if not known:
            return Value(address, None, reason=self.value(trials[0]).reason)
        inputs = tuple(Input(address.metric, trial) for trial, _ in known)
        numbers = [number for _, number in known]
        # + 0.0 makes 0 of -0
        made = self._derived(address, median(numbers) + 0.0, f"median({address.metric})", inputs)
        return made._replace(n=len(numbers), low=min(numbers), high=max(numbers))

    def _derive(self, address: Address, step: Step) -> Value | Text:
        rows = self._rows(address, step)
        if isinstance(rows, Text):
            return rows
        taken = self._taken(address, step)
        if isinstance(taken, Text):
            return taken
        arguments: dict[str, float | np.ndarray] = dict(taken.samples)
        for port in step.ports:
            found = self._column(address, port, rows) if port.is_column else self._scalar(address, port)
            if isinstance(found, Text):
                return found
            arguments[port.name] = found
        answer = _evaluate(step, arguments)
        if answer is None:
            return self._undefined(step, arguments)
        if isinstance(answer, Unknown):
            return answer.reason
        picked = answer.rows if isinstance(answer, Picked) else range(len(rows))
        inputs = self._inputs(address, step, [rows[row] for row in picked])
        number = answer.value if isinstance(answer, Picked) else answer
        made = self._derived(address, float(number), step.derivation.formula, inputs, taken.source)
        return made if self._over(address) not in OVER_STARTS else self._with_spread(made)

    def _with_spread(self, made: Value) -> Value:
        """Return a median over starts with how many there were, the smallest and the largest."""
        numbers = [number for one in made.inputs if (number := self.values[one.address].value) is not None]
        return made._replace(n=len(numbers), low=min(numbers), high=max(numbers))

    def _over(self, address: Address) -> Over:
        return self.graph.metrics[address.metric, address.basis].over

    def _taken(self, address: Address, step: Step) -> Taken | Text:
        """Return the samples of a derivation, or why one of them is empty."""
        if not step.samples:
            return Taken({})
        requests = self._requests(address)
        if requests is None:
            return NO_REQUESTS
        samples = {name: requests.sample(name) for name in step.samples}
        for name, numbers in samples.items():
            why = SAMPLES[name].why_empty(requests) if not len(numbers) else None
            if why is not None:
                return why
        columns = dict.fromkeys(SAMPLES[name].column for name in step.samples)
        place = ", ".join(part for part in (requests.source.place, *columns) if part)
        return Taken(samples, Source(requests.source.file, place))

    def _requests(self, address: Address) -> Requests | None:
        return self.round.requests.get((address.series or "", address.level or "", address.trial))

    def _undefined(self, step: Step, arguments: Mapping[str, float | np.ndarray]) -> Text:
        """Say which inputs are 0, by the names that a reader knows."""
        zeros = [self.graph.metrics[port.key].title for port in step.ports if not np.all(arguments[port.name])]
        if not zeros:
            return Text(zh="这些输入下公式没有定义", en="the formula is undefined for these inputs")
        zh, en = (list(dict.fromkeys(title[lang] for title in zeros)) for lang in LANGS)
        return Text(zh=f"{'、'.join(zh)}为 0，公式没有定义", en=f"the formula is undefined where {', '.join(en)} is 0")

    def _not_recorded(self, address: Address) -> Text:
        metric = self.graph.metrics[address.metric, address.basis]
        from_runs = address.level is not None and self._level(address).from_runs
        place = next((place for place in metric.places if not from_runs or place.kind != "column"), None)
        if place is None:
            return not_reported(metric.title)
        if address.series is None:
            return not_recorded(metric.title, place.kind, place.name)
        level = self._level(address).name if address.level is not None else None
        owner = " ".join(part for part in (self._labels[address.series], level) if part)
        return not_recorded(metric.title, place.kind, place.name, owner)

    def _level(self, address: Address) -> Level:
        return self._levels[address.series, address.level]

    def _derived(
        self, address: Address, number: float, formula: str, inputs: tuple[Input, ...], source: Source | None = None
    ) -> Value:
        """Return a computed value; one that rests on nothing but requests is a measurement."""
        origins: list[Origin] = [origin for i in inputs if (origin := self.values[i.address].rests_on) is not None]
        if source is not None:
            origins.append("measured")
        made: Origin = "derived" if inputs else "measured"
        n = 1 if address.scope == "level" else None
        return Value(
            address, number, origin=made, rests_on=weakest(origins), formula=formula, inputs=inputs, source=source,
            n=n,
        )  # fmt: skip

    def _scalar(self, address: Address, port: Port) -> float | Text:
        found = self.value(self._point_at(address, port, None))
        return found.value if found.value is not None else found.reason or NO_LEVEL

    def _column(self, address: Address, port: Port, rows: list[Row]) -> np.ndarray | Text:
        known = [self.value(self._point_at(address, port, row)).value for row in rows]
        return np.array([math.nan if number is None else number for number in known], dtype=np.float64)

    def _rows(self, address: Address, step: Step) -> list[Row] | Text:
        """Return the levels, trials or series over which all columns of a derivation are known."""
        ports = [port for port in step.ports if port.is_column and not port.is_sparse]
        if not ports:
            return []
        state = OVER_STARTS.get(self._over(address))
        candidates = self._alike_starts(address, state) if state is not None else self._candidates(address, ports)
        if isinstance(candidates, Text):
            return candidates
        values = {row: [self.value(self._point_at(address, port, row)) for port in ports] for row in candidates}
        rows = [row for row in candidates if all(value.value is not None for value in values[row])]
        if rows:
            return rows
        reasons = [value.reason for row in candidates for value in values[row] if value.reason is not None]
        return NOWHERE.format(reason=reasons[0]) if reasons else NO_LEVEL

    def _candidates(self, address: Address, ports: list[Port]) -> list[Row] | Text:
        if address.scope == "round":
            return [Row(series.id) for series in self.round.series]
        over = self._over(address)
        sides = {port.side for port in ports} - {None} or {None}
        if address.scope == "pair" and (len(sides) > 1 or None in {port.side for port in ports}):
            return self._shared(address, over)
        series = self._series_of(address, next(iter(sides)))
        levels = self.round.series_by_id(series).levels
        if over == "trials":
            return [Row(level.id, trial) for level in levels for trial in level.runs]
        usable = [level for level in levels if over in SPOILT_TOO or (series, level.id) not in self.spoilt]
        if over == "usable_trials":
            return [Row(level.id, trial) for level in usable for trial in level.runs]
        return self._laid(over, series, usable, levels)

    def _alike_starts(self, address: Address, state: StartState) -> list[Row] | Text:
        series = address.series or ""
        starts = [Row(series, start) for start in self._starts.get(series, ())]
        residents = {row: self._resident(row) for row in starts}
        return [row for row in starts if state_of(residents[row]) == state] or NO_START[state]

    def _resident(self, start: Row) -> float | None:
        found = self._observed.get(Address(RESIDENT, "series", start.id, trial=start.trial))
        return found.value if found is not None else None

    def _laid(self, over: Over, series: str, usable: Sequence[Level], levels: Sequence[Level]) -> list[Row]:
        """Return a row for each usable level, or for those of them that a column over a ladder has."""
        if over == "reachable":
            excluded = [level for level in levels if level not in usable]
            usable = below_excluded(self._rungs(series, usable), excluded, self._number_of(series))
        elif over in LADDERS:
            usable = self._rungs(series, usable)
        return [Row(level.id) for level in usable]

    def _rungs(self, series: str, levels: Sequence[Level]) -> list[Level]:
        """Return the ladder of a series; every column over it asks for it anew."""
        asked = (series, tuple(levels))
        if asked not in self._ladders:
            self._ladders[asked] = rungs(levels, self._number_of(series))
        return self._ladders[asked]

    def _number_of(self, series: str) -> NumberOf:
        return lambda level, key: self.value(Address(key, "level", series, level.id)).value

    def _shared(self, address: Address, over: Over) -> list[Row] | Text:
        baseline = self.round.baseline
        if baseline is None:
            return NO_BASELINE
        compared = self.round.series_by_id(address.series or "")
        shared = shared_levels(baseline.levels, compared.levels)
        kept = [level for level in shared if over in SPOILT_TOO or self._both_usable(level, baseline.id, compared.id)]
        return self._laid(over, compared.id, kept, shared)

    def _both_usable(self, level: Level, baseline: str, compared: str) -> bool:
        return (baseline, level.id) not in self.spoilt and (compared, level.id) not in self.spoilt

    def _point_at(self, address: Address, port: Port, row: Row | None) -> Address:
        """Return the address of one input: of the same series, level and trial, of a side of the pair, or of a row."""
        metric, basis = port.key
        scope = self.graph.metrics[port.key].scope
        if scope == "round":
            return Address(metric, "round", basis=basis)
        if address.scope == "round":
            return Address(metric, scope, row.id if row is not None else None, basis=basis)
        series = self._series_of(address, port.side)
        if scope == "series" and self.graph.metrics[port.key].of_start:
            start = row.trial if row is not None else address.trial if address.scope == "series" else None
            return Address(metric, scope, series, basis=basis, trial=start)
        if scope not in ("level", "pair-level"):
            return Address(metric, scope, series, basis=basis)
        level, trial = row or Row(address.level or "", address.trial)
        return Address(metric, scope, series, level, basis, trial)

    def _series_of(self, address: Address, side: Side | None) -> str:
        return self._baseline if side == "baseline" and self._baseline is not None else address.series or ""

    def _inputs(self, address: Address, step: Step, rows: list[Row]) -> tuple[Input, ...]:
        listed: list[Input] = []
        for port in step.ports:
            points: list[Row | None] = [*rows] if port.is_column else [None]
            places = [self._point_at(address, port, point) for point in points]
            listed.extend(Input(port.name, at) for at in places if not port.is_sparse or self._is_known(at))
        return tuple(listed)

    def _is_known(self, address: Address) -> bool:
        return self.value(address).value is not None


def _as_reported(address: Address) -> Address:
    """Return the address of what the client says itself."""
    return Address(address.metric, address.scope, address.series, address.level, REPORTED, address.trial)


def _of_trial(address: Address, trial: int | None) -> Address:
    """Return the address of a trial; _replace() takes twice as long, and there are tens of thousands."""
    return Address(address.metric, address.scope, address.series, address.level, address.basis, trial)


def _read(seen: Observation) -> Value:
    n = 1 if seen.address.scope == "level" else None
    return Value(
        seen.address, seen.value, origin=seen.origin, rests_on=seen.origin, source=seen.source,
        decimals=seen.decimals, n=n,
    )  # fmt: skip


def _evaluate(step: Step, arguments: Mapping[str, float | np.ndarray]) -> Answer | None:
    """Return what a metric function says of its arguments; None where it is undefined for them."""
    try:
        # Numbers of a column divide as numpy does, which warns where Python raises.
        with np.errstate(divide="raise", over="raise", invalid="raise"):
            answer = step.derivation.compute(**arguments)
    except (ArithmeticError, ValueError):
        return None
    number = answer.value if isinstance(answer, Picked) else answer
    # A number near the largest float would overflow in a unit smaller than the base unit, or in a sum.
    return answer if isinstance(number, Unknown) or abs(number) <= LARGEST else None
