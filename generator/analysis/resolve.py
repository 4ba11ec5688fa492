"""Walking the metric graph: from observations to values, each with its formula, its inputs and its reason."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np

from generator.analysis.graph import Graph, Key, Port, Side, Step
from generator.frame import shared_levels
from generator.kinds import Answer, Picked, PlaceKind, Unknown
from generator.model import Level, Round
from generator.text import LANGS, Text
from generator.units import LARGEST
from generator.values import Address, Input, Observation, Value, weakest

NO_LEVEL = Text(zh="没有可用的档位", en="there is no usable level")
NOT_RECORDED = Text(zh="没有记录{title}（{where}）", en="there is no record of {title} ({where})")
NOT_RECORDED_OF = Text(
    zh="没有记录 {owner} 的{title}（{where}）", en="there is no record of {title} of {owner} ({where})"
)
NOWHERE = Text(
    zh="没有一个可用档位把要用的数都记全；例如{reason}",
    en="no usable level has all that this needs; for one, {reason}",
)
NO_BASELINE = Text(zh="没有声明基线", en="no baseline is declared")
PLACES: Mapping[PlaceKind, Text] = {
    "column": Text(zh="published.csv 的 {name} 列", en="column {name} of published.csv"),
    "setting": Text(zh="round.toml 的 {name}", en="{name} of round.toml"),
    "fact": Text(zh="published.toml 的 {name}", en="{name} of published.toml"),
}

Spoilt = frozenset[tuple[str, str]]


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

    def __post_init__(self) -> None:
        """Index the observations: of several places of one number the first declared wins."""
        found: dict[Address, Observation] = {}
        for seen in sorted(self.round.observations, key=lambda o: -o.priority):
            found[seen.address] = seen
        self._observed = found

    def resolve(self, addresses: Iterable[Address]) -> None:
        """Compute the values at some addresses, and whatever they rest on."""
        for address in addresses:
            self.value(address)

    def value(self, address: Address) -> Value:
        """Return the value at an address."""
        if address not in self.values:
            self.values[address] = self._find(address)
        return self.values[address]

    def _find(self, address: Address) -> Value:
        seen = self._observed.get(address)
        if seen is not None:
            return _read(seen)
        key: Key = (address.metric, address.basis)
        reasons: list[Text] = []
        for step in self.graph.steps[key]:
            outcome = self._derive(address, step)
            if isinstance(outcome, Value):
                return outcome
            reasons.append(outcome)
        reason = reasons[0] if reasons else self._not_recorded(address)
        return Value(address, None, reason=reason)

    def _derive(self, address: Address, step: Step) -> Value | Text:
        rows = self._rows(address, step)
        if isinstance(rows, Text):
            return rows
        arguments: dict[str, float | np.ndarray] = {}
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
        return self._derived(address, float(number), step.derivation.formula, inputs)

    def _undefined(self, step: Step, arguments: Mapping[str, float | np.ndarray]) -> Text:
        """Say which inputs are 0, by the names that a reader knows."""
        zeros = [self.graph.metrics[port.key].title for port in step.ports if not np.all(arguments[port.name])]
        if not zeros:
            return Text(zh="这些输入下公式没有定义", en="the formula is undefined for these inputs")
        zh, en = (list(dict.fromkeys(title[lang] for title in zeros)) for lang in LANGS)
        return Text(zh=f"{'、'.join(zh)}为 0，公式没有定义", en=f"the formula is undefined where {', '.join(en)} is 0")

    def _not_recorded(self, address: Address) -> Text:
        metric = self.graph.metrics[address.metric, address.basis]
        place = metric.places[0]
        where = PLACES[place.kind].format(name=place.name)
        if address.series is None:
            return NOT_RECORDED.format(title=metric.title, where=where)
        levels = self.round.series_by_id(address.series).levels
        level = next((one.name for one in levels if one.id == address.level), None)
        owner = " ".join(part for part in (self.round.label(address.series), level) if part)
        return NOT_RECORDED_OF.format(title=metric.title, where=where, owner=owner)

    def _derived(self, address: Address, number: float, formula: str, inputs: tuple[Input, ...]) -> Value:
        origins = [self.values[i.address].rests_on for i in inputs]
        rests_on = weakest([origin for origin in origins if origin is not None])
        n = 1 if address.scope == "level" else None
        return Value(
            address, number, origin="derived", rests_on=rests_on, formula=formula, inputs=inputs, n=n
        )  # fmt: skip

    def _scalar(self, address: Address, port: Port) -> float | Text:
        found = self.value(self._point_at(address, port, None))
        return found.value if found.value is not None else found.reason or NO_LEVEL

    def _column(self, address: Address, port: Port, rows: list[str]) -> np.ndarray | Text:
        known = [self.value(self._point_at(address, port, row)).value for row in rows]
        return np.array(known, dtype=np.float64)

    def _rows(self, address: Address, step: Step) -> list[str] | Text:
        """Return the levels (or series) over which all columns of a derivation are known."""
        ports = [port for port in step.ports if port.is_column]
        if not ports:
            return []
        candidates = self._candidates(address, ports)
        if isinstance(candidates, Text):
            return candidates
        values = {row: [self.value(self._point_at(address, port, row)) for port in ports] for row in candidates}
        rows = [row for row in candidates if all(value.value is not None for value in values[row])]
        if rows:
            return rows
        reasons = [value.reason for row in candidates for value in values[row] if value.reason is not None]
        return NOWHERE.format(reason=reasons[0]) if reasons else NO_LEVEL

    def _candidates(self, address: Address, ports: list[Port]) -> list[str] | Text:
        if address.scope == "round":
            return [series.id for series in self.round.series]
        over = self.graph.metrics[address.metric, address.basis].over
        sides = {port.side for port in ports} - {None} or {None}
        if address.scope == "pair" and (len(sides) > 1 or None in {port.side for port in ports}):
            return self._shared(address, over == "all")
        series = self._series_of(address, next(iter(sides)))
        levels = self.round.series_by_id(series).levels
        return [level.id for level in levels if over == "all" or (series, level.id) not in self.spoilt]

    def _shared(self, address: Address, spoilt_too: bool) -> list[str] | Text:
        baseline = self.round.baseline
        if baseline is None:
            return NO_BASELINE
        compared = self.round.series_by_id(address.series or "")
        shared = shared_levels(baseline.levels, compared.levels)
        return [level.id for level in shared if spoilt_too or self._both_usable(level, baseline.id, compared.id)]

    def _both_usable(self, level: Level, baseline: str, compared: str) -> bool:
        return (baseline, level.id) not in self.spoilt and (compared, level.id) not in self.spoilt

    def _point_at(self, address: Address, port: Port, row: str | None) -> Address:
        """Return the address of one input: of the same series and level, of a side of the pair, or of a row."""
        metric, basis = port.key
        scope = self.graph.metrics[port.key].scope
        if scope == "round":
            return Address(metric, "round", basis=basis)
        if address.scope == "round":
            return Address(metric, scope, row, basis=basis)
        series = self._series_of(address, port.side)
        level = (row or address.level) if scope in ("level", "pair-level") else None
        return Address(metric, scope, series, level, basis)

    def _series_of(self, address: Address, side: Side | None) -> str:
        baseline = self.round.baseline
        if side == "baseline" and baseline is not None:
            return baseline.id
        return address.series or ""

    def _inputs(self, address: Address, step: Step, rows: list[str]) -> tuple[Input, ...]:
        listed: list[Input] = []
        for port in step.ports:
            points: list[str | None] = [*rows] if port.is_column else [None]
            listed.extend(Input(port.name, self._point_at(address, port, point)) for point in points)
        return tuple(listed)


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
