"""One table for all samples: seconds on a named clock, whose number, which field, and the number in base units."""

from __future__ import annotations

import dataclasses
from array import array
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from generator import redaction
from generator.errors import InputError
from generator.store.files import shown

Clock = Literal["monotonic", "utc", "local", "none"]
"""What ``t`` is read from: CLOCK_MONOTONIC of the machine; seconds since 1970; a wall clock whose zone is not
known, taken as if it were UTC; or nothing, and then ``t`` counts the samples."""
Numbers = NDArray[np.float64]
Codes = NDArray[np.int32]

GPU: Final = "gpu"
"""How the name of every GPU begins."""
MOST_VALUES: Final = 5_000_000
"""Numbers of one file: eight GPUs, ten fields and a sample a second, for seventeen hours."""
LARGEST: Final = 1e18
"""The largest number that is one: what lies above stands for there being none."""

THROTTLE_BITS: Final[Mapping[int, str]] = {
    0x4: "SW power cap",
    0x8: "HW slowdown",
    0x20: "SW thermal slowdown",
    0x40: "HW thermal slowdown",
    0x80: "HW power brake",
}
"""Clock event reasons that hold a GPU down. Idle (0x1), a clock that was set (0x2), SyncBoost (0x10) and the display
(0x100) are reasons, too, but nothing slows down."""
POWER_CAP: Final = 0x4
THROTTLED: Final = sum(THROTTLE_BITS)
HELD_BY_HARDWARE: Final = THROTTLED - POWER_CAP
"""Heat and the brakes of the board. The cap of power alone is how many boards run under full load."""

WANTED: Final = frozenset(
    {"utilisation_gpu", "memory_used", "power", "power_limit", "energy", "temperature", "sm_clock", "sm_clock_most",
     "memory_clock", "event_reasons"}
)  # fmt: skip
"""Fields of GPUs that are kept."""


@dataclass(frozen=True, slots=True)
class Samples:
    """What one file holds, as columns of (n,), in the order of the file.

    Attributes:
        tool: what wrote it.
        clock: what ``t`` is read from.
        t: seconds on that clock.
        device: whose number, as a place in ``devices``: ``gpu0``, ``client``, ``server``, ``engine``.
        field: of what, as a place in ``fields``.
        value: in base units (s, B, W, J, Hz, °C, shares from 0 to 1, bits of a mask).
        missing: field -> the word that stands where its number should; of fields that have no number at all, too.
        utc_offset: what makes seconds since 1970 of ``t``; None where that is not known.
        broken: lines that could not be read.
    """

    tool: str
    clock: Clock
    t: Numbers
    device: Codes
    field: Codes
    value: Numbers
    devices: tuple[str, ...]
    fields: tuple[str, ...]
    missing: Mapping[str, str] = dataclasses.field(default_factory=dict)
    utc_offset: float | None = None
    broken: int = 0

    def __len__(self) -> int:
        """Return how many numbers there are."""
        return len(self.t)

    def of(self, device: str, name: str) -> tuple[Numbers, Numbers]:
        """Return the times and the numbers of one field of one device; both are empty where it is not there."""
        if device not in self.devices or name not in self.fields:
            return np.empty(0), np.empty(0)
        which = (self.device == self.devices.index(device)) & (self.field == self.fields.index(name))
        return self.t[which], self.value[which]

    def between(self, begin: float, end: float) -> Samples:
        """Return the samples of a span of time, both ends in it."""
        which = (self.t >= begin) & (self.t <= end)
        return Samples(
            self.tool, self.clock, self.t[which], self.device[which], self.field[which], self.value[which],
            self.devices, self.fields, self.missing, self.utc_offset, self.broken,
        )  # fmt: skip


@dataclass(slots=True)
class Gathering:
    """Samples while a file is being read; a file with more of them than any run leaves is refused."""

    path: Path
    tool: str
    missing: dict[str, str] = field(default_factory=dict)
    broken: int = 0
    _t: array[float] = field(default_factory=lambda: array("d"))
    _device: array[int] = field(default_factory=lambda: array("i"))
    _field: array[int] = field(default_factory=lambda: array("i"))
    _value: array[float] = field(default_factory=lambda: array("d"))
    _devices: dict[str, int] = field(default_factory=dict)
    _fields: dict[str, int] = field(default_factory=dict)

    def add(self, t: float, device: str, numbers: Mapping[str, float]) -> None:
        """Take the numbers of one moment.

        Raises:
            InputError: there are too many.
        """
        for name, value in numbers.items():
            self._t.append(t)
            self._device.append(self._devices.setdefault(device, len(self._devices)))
            self._field.append(self._fields.setdefault(name, len(self._fields)))
            self._value.append(value)
        if len(self._t) > MOST_VALUES:
            problem = f"holds more than {MOST_VALUES} numbers"
            raise InputError(shown(self.path), "", problem, "cut it to the time of the runs")

    def samples_of_file(self, clock: Clock) -> Samples:
        """Return what was gathered of a file that somebody put there for its samples.

        Raises:
            InputError: it is nothing: neither a number nor a word for there being none.
        """
        if not self._t and not self.missing:
            problem = f"holds no sample that can be read ({self.broken} broken lines)"
            raise InputError(shown(self.path), "", problem, "sample again, or remove the file")
        return self.samples(clock)

    def samples(self, clock: Clock, utc_offset: float | None = None) -> Samples:
        """Return what was gathered, if only nothing: a collector that was stopped at once has seen nothing."""
        return Samples(
            self.tool, clock, _column(self._t, np.float64), _column(self._device, np.int32),
            _column(self._field, np.int32), _column(self._value, np.float64), tuple(self._devices),
            tuple(self._fields), dict(self.missing), utc_offset, self.broken,
        )  # fmt: skip


def _column(numbers: array[float] | array[int], kind: type) -> np.ndarray:
    return np.frombuffer(numbers, dtype=kind).copy() if len(numbers) else np.empty(0, dtype=kind)


def hashed(identity: str) -> str:
    """Return what stands for a GPU whose own name would tell one machine from another."""
    return f"{GPU}-{redaction.hashed(identity)}"
