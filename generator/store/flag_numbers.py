"""Numbers of a server that mean the same in every engine: as the engine said of itself, else by its flags."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from generator.kinds import Metric
from generator.machines.flags import FLAG, SETTINGS, number_of
from generator.machines.records import NOTHING_KNOWN, Fact, Machine
from generator.model import Series
from generator.places import Place
from generator.store.beside import Beside, sought
from generator.values import Address


def read_flags(series: Sequence[Series], machines: Mapping[str, Machine], places: Mapping[Place, Metric]) -> Beside:
    """Return the settings of each series that are numbers; nothing where a server leaves one to itself."""
    beside = Beside()
    for number in sought(places, "flags").get("series", ()):
        for one in series:
            found = next(_said(machines.get(one.id, NOTHING_KNOWN), number.name), None)
            if found is not None:
                value, fact = found
                beside.observations.append(number.found(Address("", "series", one.id), value, "declared", fact.source))
    return beside


def _said(machine: Machine, key: str) -> Iterator[tuple[float, Fact]]:
    """Yield what is known of a setting as a number, the best first, with the fact that says it."""
    setting = next(one for one in SETTINGS if one.key == key)
    spelled = setting.spellings.get(machine.family, ()) if machine.family is not None else ()
    for path in (setting.fact or "", *(FLAG + spelling.flag for spelling in spelled)):
        fact = machine.facts.get(path)
        value = number_of(fact.text) if fact is not None else None
        if fact is not None and value:
            yield value, fact
