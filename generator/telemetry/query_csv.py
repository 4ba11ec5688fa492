"""``nvidia-smi --query-gpu=… --format=csv``: a header, and a line a GPU and moment."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.store.files import shown
from generator.telemetry.cells import flag, is_missing, moment, number
from generator.telemetry.lines import lines_of
from generator.telemetry.samples import GPU, Clock, Gathering, Samples, hashed

TOOL: Final = "nvidia-smi --query-gpu"
FIELDS: Final[Mapping[str, tuple[str, ...]]] = {
    "power": ("power.draw", "power.draw.average", "power.draw.instant"),
    "power_limit": ("enforced.power.limit", "power.limit"),
    "temperature": ("temperature.gpu",),
    "sm_clock": ("clocks.current.sm", "clocks.sm"),
    "sm_clock_most": ("clocks.max.sm",),
    "memory_clock": ("clocks.current.memory", "clocks.mem", "clocks.memory"),
    "utilisation_gpu": ("utilization.gpu",),
    "memory_used": ("memory.used",),
    "event_reasons": ("clocks_event_reasons.active", "clocks_throttle_reasons.active"),
}
"""Field -> its columns, the preferred one first. The header has the name that was asked for, or that it stands for."""
REASONS: Final = re.compile(r"clocks_(?:event|throttle)_reasons\.(.+)")
BITS: Final = {
    "gpu_idle": 0x1, "applications_clocks_setting": 0x2, "sw_power_cap": 0x4, "hw_slowdown": 0x8, "sync_boost": 0x10,
    "sw_thermal_slowdown": 0x20, "hw_thermal_slowdown": 0x40, "hw_power_brake_slowdown": 0x80,
}  # fmt: skip
"""Columns that say yes or no to one reason, and its bit."""
IDENTITIES: Final = ("uuid", "gpu_uuid", "pci.bus_id", "gpu_bus_id")
TIMES: Final = ("timestamp", "time")
HEADING: Final = re.compile(r"\s*([\w.]+)\s*(?:\[(.*)\])?\s*")
KNOWN: Final = frozenset({"index", "name", "gpu_name", *IDENTITIES, *TIMES, *(n for of in FIELDS.values() for n in of)})


@dataclass(frozen=True, slots=True)
class Layout:
    """Where each thing stands in a line.

    Attributes:
        fields: field -> places of its cells, the preferred one first, each with the unit of the header.
        bits: place of a cell that says yes or no -> its bit.
    """

    width: int
    fields: Mapping[str, tuple[tuple[int, str], ...]]
    bits: Mapping[int, int]
    time: int | None
    index: int | None
    identity: int | None


def is_query(head: str) -> bool:
    """Say whether the first line of a file names columns of a query."""
    return _layout(_cells(head)) is not None


def read(path: Path) -> Samples:
    """Read the samples of a query.

    Raises:
        InputError: there is no header, so that nobody knows which column is what; or no sample.
    """
    lines = lines_of(path)
    layout = next((_layout(_cells(line)) for _, line in lines if line.strip()), None)
    if layout is None:
        problem = "has no header line of nvidia-smi, so that nobody knows which column is what"
        raise InputError(shown(path), "line 1", problem, "sample again with --format=csv, without noheader")
    gathering = Gathering(path, TOOL)
    return gathering.samples_of_file(_gather((line for _, line in lines), layout, gathering))


def _cells(line: str) -> list[str]:
    try:
        return next(csv.reader([line], skipinitialspace=True), [])
    except csv.Error:
        return []


def _layout(header: Sequence[str]) -> Layout | None:
    """Return where each column stands; None where the line is no header."""
    found: dict[str, tuple[int, str]] = {}
    bits: dict[int, int] = {}
    for place, cell in enumerate(header):
        heading = HEADING.fullmatch(cell)
        name = heading[1].lower() if heading else ""
        found.setdefault(name, (place, (heading[2] or "").strip() if heading else ""))
        reason = REASONS.fullmatch(name)
        if reason is not None and reason[1] in BITS:
            bits[place] = BITS[reason[1]]
    if not bits and not KNOWN & found.keys():
        return None
    fields = {field: tuple(found[one] for one in names if one in found) for field, names in FIELDS.items()}
    return Layout(
        len(header), {field: places for field, places in fields.items() if places}, bits,
        _first(found, TIMES), _first(found, ("index",)), _first(found, IDENTITIES),
    )  # fmt: skip


def _first(found: Mapping[str, tuple[int, str]], names: Iterable[str]) -> int | None:
    return next((found[name][0] for name in names if name in found), None)


def _gather(lines: Iterator[str], layout: Layout, gathering: Gathering) -> Clock:
    """Gather all lines; return the clock of their times. A header that comes again is passed over."""
    clocks: set[Clock] = set()
    for ordinal, line in enumerate(lines):
        cells = _cells(line)
        at = _time(cells, layout, ordinal) if len(cells) == layout.width else None
        if at is None:
            gathering.broken += bool(line.strip()) and _layout(cells) is None
            continue
        clocks.add(at[1])
        gathering.add(at[0], _device(cells, layout), _numbers(cells, layout, gathering.missing))
    if clocks == {"utc"}:
        return "utc"
    return "local" if clocks and "none" not in clocks else "none"


def _time(cells: Sequence[str], layout: Layout, ordinal: int) -> tuple[float, Clock] | None:
    return moment(cells[layout.time]) if layout.time is not None else (float(ordinal), "none")


def _device(cells: Sequence[str], layout: Layout) -> str:
    if layout.index is not None and cells[layout.index].strip().isdecimal():
        return f"{GPU}{cells[layout.index].strip()[:4]}"
    return hashed(cells[layout.identity].strip()) if layout.identity is not None else GPU


def _numbers(cells: Sequence[str], layout: Layout, missing: dict[str, str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for field, places in layout.fields.items():
        for place, unit in places:
            value = number(cells[place], field, unit)
            if value is not None:
                found[field] = value
                break
            if is_missing(cells[place]):
                missing[field] = cells[place].strip()
    if layout.bits and "event_reasons" not in found:
        said = [(bit, yes) for place, bit in layout.bits.items() if (yes := flag(cells[place])) is not None]
        if said:
            found["event_reasons"] = float(sum(bit for bit, yes in said if yes))
    return found
