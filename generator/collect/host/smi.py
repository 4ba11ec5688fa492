"""The GPUs through nvidia-smi, where its library cannot be used from here but the program can.

It is slower (a process each time) and knows less; its text has changed over the years, so columns go by their names.
"""

from __future__ import annotations

import csv
import io
import subprocess
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.collect.host.readings import Reading
from generator.redaction import hashed

PATIENCE_S: Final = 5.0
MOST_BYTES: Final = 1 << 20
MIB: Final = 1 << 20
Run = Callable[[Sequence[str]], str]
"""Runs a command and returns what it wrote to stdout."""


@dataclass(frozen=True, slots=True)
class Column:
    """A field of ``--query-gpu``, and what makes base units of it: ``number × times ÷ per``."""

    query: str
    key: str
    times: int = 1
    per: int = 1


COLUMNS: Final = (
    Column("utilization.gpu", "utilisation_gpu", per=100),
    Column("utilization.memory", "utilisation_memory", per=100),
    Column("memory.used", "memory_used", MIB),
    Column("memory.free", "memory_free", MIB),
    Column("memory.total", "memory_total", MIB),
    Column("power.draw", "power"),
    Column("temperature.gpu", "temperature"),
    Column("clocks.current.sm", "sm_clock", 10**6),
    Column("clocks.current.memory", "memory_clock", 10**6),
    Column("pstate", "performance_state"),
)
REASONS: Final = ("clocks_event_reasons.active", "clocks_throttle_reasons.active")
"""The mask of reasons under its name of today, and that before driver 535: one unknown name fails the whole query."""

FACTS: Final = (
    "name", "uuid", "vbios_version", "driver_version", "memory.total", "power.limit", "clocks.max.sm",
    "clocks.max.memory", "ecc.mode.current", "mig.mode.current", "pcie.link.gen.max", "pcie.link.width.max",
)  # fmt: skip


def run_command(command: Sequence[str]) -> str:
    """Return what a command wrote to stdout.

    Raises:
        OSError: it cannot be run.
        subprocess.SubprocessError: it failed, or took too long.
    """
    done = subprocess.run(command, capture_output=True, check=True, timeout=PATIENCE_S)  # noqa: S603  # ours
    return done.stdout[:MOST_BYTES].decode("utf-8", "replace")


class SmiGpus:
    """All GPUs that nvidia-smi shows. ``read`` raises nothing that running a program raises."""

    name = "nvidia-smi"

    def __init__(self, run: Run = run_command) -> None:
        """Take what runs the program."""
        self._run = run
        self._reasons = list(REASONS)

    def read(self) -> list[Reading]:
        """Return all fields of all GPUs; a failure as one reading without a value."""
        while True:
            try:
                return list(self._readings(self._ask()))
            except subprocess.CalledProcessError as error:
                if not self._reasons:
                    return [Reading(self.name, "answer", None, f"exit status {error.returncode}")]
                self._reasons.pop(0)
            except (OSError, subprocess.SubprocessError, csv.Error) as error:
                return [Reading(self.name, "answer", None, type(error).__name__)]

    def facts(self) -> list[dict[str, str | None]]:
        """Return what each GPU is, as the program prints it; the UUID is hashed."""
        try:
            rows = _table(self._run(_command(FACTS)))
        except (OSError, subprocess.SubprocessError, csv.Error):
            return []
        return [_identified(row) for row in rows]

    def _ask(self) -> list[dict[str, str]]:
        return _table(self._run(_command([*(column.query for column in COLUMNS), *self._reasons[:1]])))

    def _readings(self, rows: list[dict[str, str]]) -> Iterator[Reading]:
        for index, row in enumerate(rows):
            for column in COLUMNS:
                yield _reading(f"gpu{index}", column, row.get(column.query, "[missing]"))
            for name in self._reasons[:1]:
                yield _reading(f"gpu{index}", Column(name, "event_reasons"), row.get(name, "[missing]"))


def _command(fields: Sequence[str]) -> list[str]:
    return ["nvidia-smi", f"--query-gpu={','.join(fields)}", "--format=csv"]


def _table(text: str) -> list[dict[str, str]]:
    """Return the rows of a table, by the names in its head without their units."""
    head, *rows = list(csv.reader(io.StringIO(text), skipinitialspace=True)) or [[]]
    names = [name.partition(" [")[0].strip() for name in head]
    return [dict(zip(names, row, strict=False)) for row in rows if row]


def _reading(source: str, column: Column, cell: str) -> Reading:
    value = _number(cell)
    if value is None:
        return Reading(source, column.key, None, cell.strip(" []")[:40] or "empty")
    return Reading(source, column.key, value * column.times / column.per)


def _number(cell: str) -> float | None:
    """Return 76.78 of ``76.78 W``, 0 of ``P0``, 32 of ``0x0000000000000020``; None of ``[N/A]``."""
    word = (cell.split() or [""])[0]
    try:
        if word.lower().startswith("0x"):
            return float(int(word, 16))
        number = float(word.removeprefix("P"))
    except ValueError:
        return None
    return number if abs(number) < float("inf") else None


def _identified(row: dict[str, str]) -> dict[str, str | None]:
    facts: dict[str, str | None] = {
        name: None if cell.startswith("[") or cell == "N/A" else cell for name, cell in row.items()
    }
    uuid = facts.pop("uuid", None)
    return facts | {"uuid_hash": hashed(uuid) if uuid else None}
