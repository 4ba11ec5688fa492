"""Where numbers of a round may be written down: the places that metrics are read from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from generator.values import Scope

PlaceKind = Literal[
    "column", "setting", "fact", "log", "record", "telemetry", "counters", "architecture", "device", "flags"
]


@dataclass(frozen=True, slots=True)
class Place:
    """Where a number may be written down, and in which unit.

    ``column`` names a column of published.csv, ``setting`` a key of round.toml (``model.layers``), ``fact`` a
    key of published.toml (``memory.weights_gib``), ``log`` a fact of the server's log, ``record`` a key of a file that
    ``rounds collect`` leaves beside its runs (``calibration.json, stamp_error_us.p99``), ``telemetry`` a statistic of
    samples beside the runs (``power.mean``), ``counters`` a counter on saved pages of /metrics, ``architecture`` a
    number of the model by its own files, ``device`` one of the device by its driver or its data sheet.
    """

    kind: PlaceKind
    name: str
    unit: str


def column(name: str, unit: str) -> Place:
    """Name a column of published.csv."""
    return Place("column", name, unit)


def setting(name: str, unit: str) -> Place:
    """Name a key of round.toml."""
    return Place("setting", name, unit)


def fact(name: str, unit: str) -> Place:
    """Name a key of published.toml."""
    return Place("fact", name, unit)


LOGS: Final[Mapping[Scope, str]] = {
    "level": "levels/<level>/<trial>/server.log",
    "series": "<series>/server.log",
    "round": "server.log",
}
"""Where the log lies of which a number is told."""


def log(fact: str, unit: str, scope: Scope = "level") -> Place:
    """Name a fact that the log of a server tells of a run, a series or the whole round; see ``Engine.facts``."""
    return Place("log", f"{LOGS[scope]}, {fact}", unit)


def record(file: str, key: str, unit: str) -> Place:
    """Name a key of a file of ``rounds collect``; of tables in tables, the keys are joined by dots."""
    return Place("record", f"{file}, {key}", unit)


def telemetry(name: str, unit: str) -> Place:
    """Name a statistic of samples taken beside the runs, in base units; see ``generator.telemetry.statistics``."""
    return Place("telemetry", name, unit)


def counters(name: str, unit: str) -> Place:
    """Name a counter, or a gauge, of pages of /metrics that were saved; see ``generator.telemetry.page``."""
    return Place("counters", name, unit)


def architecture(name: str, unit: str) -> Place:
    """Name a number that follows from the files of a model; see ``generator.store.architecture``."""
    return Place("architecture", name, unit)


def device(name: str, unit: str) -> Place:
    """Name a number that a driver or a data sheet gives of a device; see ``generator.store.devices``."""
    return Place("device", name, unit)


def flags(name: str, unit: str) -> Place:
    """Name a setting of a server, as it says itself or as its flags say; see ``generator.store.flag_numbers``."""
    return Place("flags", name, unit)


OF_SERIES: Final = " (series)"
"""What stands behind the name of a place of samples or counters whose number is of a whole series."""
