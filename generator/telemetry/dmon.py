"""``nvidia-smi dmon``: two header lines, names and units, that come again every screen; ``-`` where there is nothing.

Which columns there are depends on ``-s`` and on the release: ``temp`` became ``gtemp`` and ``mtemp``. There is a time
in a line only with ``-o D`` or ``-o T``.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.store.files import shown
from generator.telemetry.cells import is_missing, moment, number
from generator.telemetry.lines import lines_of
from generator.telemetry.samples import GPU, Clock, Gathering, Samples

TOOL: Final = "nvidia-smi dmon"
HEAD: Final = re.compile(r"#\s*(?:date|time|gpu)\b", re.IGNORECASE)
COLUMNS: Final[Mapping[str, str]] = {
    "pwr": "power", "gtemp": "temperature", "temp": "temperature", "sm": "utilisation_gpu", "mclk": "memory_clock",
    "pclk": "sm_clock", "fb": "memory_used",
}  # fmt: skip
VIOLATIONS: Final = {"pviol": 0x4, "tviol": 0x20}
"""Columns that tell of limits that were hit: the share of time for power, yes or no for heat."""


def is_dmon(head: str) -> bool:
    """Say whether the first line of a file is a header of dmon."""
    return HEAD.match(head) is not None


def read(path: Path) -> Samples:
    """Read the samples of dmon.

    Raises:
        InputError: there is no header in front of the samples, or no sample.
    """
    gathering = Gathering(path, TOOL)
    return gathering.samples_of_file(_gather(path, gathering))


def _gather(path: Path, gathering: Gathering) -> Clock:
    columns: list[str] = []
    clocks: set[Clock] = set()
    for ordinal, line in _lines(path):
        if line.startswith("#"):
            columns = line.lstrip("# ").lower().split() if HEAD.match(line) else columns
            continue
        if not columns:
            problem = "has samples in front of the header that says which column is what"
            raise InputError(shown(path), "", problem, "keep the lines that begin with #")
        clock = _sample(line.split(), columns, ordinal, gathering)
        if clock is None:
            gathering.broken += 1
        else:
            clocks.add(clock)
    return clocks.pop() if len(clocks) == 1 else "none"


def _lines(path: Path) -> Iterator[tuple[int, str]]:
    return ((number_, line.strip()) for number_, line in lines_of(path) if line.strip())


def _sample(cells: Sequence[str], columns: Sequence[str], ordinal: int, gathering: Gathering) -> Clock | None:
    """Take one line; return the clock of its time, None where it is no line of this header."""
    said = dict(zip(columns, cells, strict=False))
    if len(cells) != len(columns) or not said.get("gpu", "").isdecimal():
        return None
    at = moment(f"{said['date']} {said['time']}") if {"date", "time"} <= said.keys() else (float(ordinal), "none")
    if at is None:
        return None
    gathering.add(at[0], f"{GPU}{said['gpu'][:4]}", _numbers(said, gathering.missing))
    return "local" if at[1] == "local" else "none"


def _numbers(said: Mapping[str, str], missing: dict[str, str]) -> dict[str, float]:
    found: dict[str, float] = {}
    for column, cell in said.items():
        name = COLUMNS.get(column)
        if name is None:
            continue
        value = number(cell, name)
        if value is not None:
            found[name] = value
        elif is_missing(cell):
            missing[name] = cell
    bits = [(bit, number(said[column], "")) for column, bit in VIOLATIONS.items() if column in said]
    known = [(bit, value) for bit, value in bits if value is not None]
    return found | {"event_reasons": float(sum(bit for bit, value in known if value))} if known else found
