"""What is found beside the runs besides numbers: why a number that was looked for cannot be known."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from generator.kinds import Metric
from generator.model import Trial
from generator.places import OF_SERIES, Place, PlaceKind
from generator.runs.gauges import Gauges
from generator.runs.server_times import ServerTimes
from generator.text import Text
from generator.units import to_base
from generator.values import Address, Observation, Origin, Scope, Source


@dataclass(slots=True)
class Beside:
    """Numbers that were found, reasons why others cannot be known, and what engines said during single runs."""

    observations: list[Observation] = field(default_factory=list)
    unread: dict[Address, Text] = field(default_factory=dict)
    gauges: dict[Trial, Gauges] = field(default_factory=dict)
    times: dict[Trial, ServerTimes] = field(default_factory=dict)


class Sought(NamedTuple):
    """A number that is looked for: the name in its place, the place, and the metric that is read from it."""

    name: str
    place: Place
    metric: Metric

    def at(self, where: Address) -> Address:
        """Return its address, where that of a round, a series or a run is known."""
        return where._replace(metric=self.metric.key, basis=self.metric.basis)

    def found(self, where: Address, value: float, origin: Origin, source: Source) -> Observation:
        """Return it as it was found, in the unit of the place."""
        number = to_base(value, self.place.unit)
        return Observation(self.at(where), number, origin, source, priority=self.metric.places.index(self.place))


def sought(places: Mapping[Place, Metric], kind: PlaceKind) -> dict[Scope, list[Sought]]:
    """Return what is read from places of a kind, by scope.

    What begins the name of a place, up to a comma, and what ends those of a series only tell places apart.
    """
    by_scope: dict[Scope, list[Sought]] = {}
    for place, metric in places.items():
        if place.kind == kind:
            name = place.name.rpartition(", ")[2].removesuffix(OF_SERIES)
            by_scope.setdefault(metric.scope, []).append(Sought(name, place, metric))
    return by_scope


def reasons_for(wanted: Iterable[Sought], where: Address, reason: Text) -> dict[Address, Text]:
    """Return one reason for several numbers of a series or a run."""
    return {one.at(where): reason for one in wanted}
