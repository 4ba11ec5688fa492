"""The clock of a run is CLOCK_MONOTONIC in ns; what the kernel stamps with the wall clock is brought onto it.

Slewing moves both clocks alike, so their offset is constant until somebody sets the wall clock. Between two
samples of different offset no stamp can be placed: there the time at which the bytes were read stands in.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray

Times = NDArray[np.int64]

S: Final = 1_000_000_000
"""ns of a second."""

now: Final = time.monotonic_ns
"""ns of CLOCK_MONOTONIC: on Linux the same for every process of a machine."""

SAME_OFFSET: Final = 50_000
"""ns by which two samples of one offset may differ: one may have been interrupted."""

AHEAD: Final = 20_000
"""ns by which a stamp may seem younger than its reading, by the error of the offset."""

LONGEST_WAIT: Final = 600_000_000_000
"""ns that bytes may lie in a socket before their stamp is taken for an error."""

TRIES: Final = 9
EVERY_S: Final = 1.0
"""Seconds between two samples while a level runs."""


def utc(wall_ns: int) -> str:
    """Return ns since 1970 as a time of UTC, to the second."""
    return datetime.fromtimestamp(wall_ns // S, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


@dataclass(frozen=True, slots=True)
class Sample:
    """The wall clock against ours at one moment, in ns: ``width`` is the uncertainty of ``offset``."""

    at: int
    offset: int
    width: int


def sample_now() -> Sample:
    """Return the offset of the wall clock, by the narrowest of a few tries."""
    return min((_try() for _ in range(TRIES)), key=lambda sample: sample.width)


def _try() -> Sample:
    before = now()
    wall = time.clock_gettime_ns(time.CLOCK_REALTIME)
    after = now()
    return Sample(after, wall - (before + after) // 2, after - before)


@dataclass(frozen=True, slots=True)
class Stretch:
    """A time over which the offset was one: from the first sample to the last, both in ns."""

    begins: int
    ends: int
    offset: int


class WallClock:
    """What is known of the wall clock during a run."""

    def __init__(self, sample: Callable[[], Sample] = sample_now) -> None:
        self._take = sample
        self.samples: list[Sample] = []
        self.sample()

    def sample(self) -> None:
        """Look at both clocks once more. Of samples that agree only the last and the narrowest are kept."""
        self.samples.append(self._take())
        if len(self.samples) > MOST_SAMPLES:
            self.samples = _thinned(self.samples)

    def stretches(self) -> list[Stretch]:
        """Return the times over which the offset was one, in order."""
        return [_stretch(run) for run in _runs(self.samples)]

    def steps(self) -> list[tuple[int, int]]:
        """Return the steps of the wall clock: when they were noticed, and by how many ns it was set forward."""
        found = self.stretches()
        return [(b.begins, b.offset - a.offset) for a, b in pairwise(found)]

    def place(self, stamps: Times, read_at: Times) -> tuple[Times, NDArray[np.bool_]]:
        """Bring stamps of the wall clock onto ours.

        Args:
            stamps: ns of CLOCK_REALTIME, (n,); 0 where there is none.
            read_at: ns of CLOCK_MONOTONIC at which the bytes were read, (n,).

        Returns:
            The times, and which of them are the kernel's. The others are those of the reading: where there was
            no stamp, the wall clock was being set, or the stamp is later than the reading.
        """
        offsets, known = self._offsets(read_at)
        placed = stamps - offsets
        waited = read_at - placed
        fine = known & (stamps > 0) & (waited >= -AHEAD) & (waited < LONGEST_WAIT)
        return np.where(fine, np.minimum(placed, read_at), read_at), fine

    def _offsets(self, read_at: Times) -> tuple[Times, NDArray[np.bool_]]:
        """Return the offset at each time, and whether it is known: not between two that differ."""
        found = self.stretches()
        begins = np.array([one.begins for one in found], dtype=np.int64)
        which = np.maximum(np.searchsorted(begins, read_at, side="right") - 1, 0)
        ends = np.array([one.ends for one in found[:-1]] + [np.iinfo(np.int64).max], dtype=np.int64)
        return np.array([one.offset for one in found], dtype=np.int64)[which], read_at <= ends[which]


MOST_SAMPLES: Final = 4096


def _runs(samples: Iterable[Sample]) -> list[list[Sample]]:
    runs: list[list[Sample]] = []
    for sample in samples:
        if runs and abs(sample.offset - runs[-1][0].offset) < SAME_OFFSET + sample.width:
            runs[-1].append(sample)
        else:
            runs.append([sample])
    return runs


def _stretch(run: list[Sample]) -> Stretch:
    return Stretch(run[0].at, run[-1].at, min(run, key=lambda sample: sample.width).offset)


def _thinned(samples: list[Sample]) -> list[Sample]:
    kept: list[Sample] = []
    for run in _runs(samples):
        narrowest = min(run, key=lambda sample: sample.width)
        kept += sorted({run[0], narrowest, run[-1]}, key=lambda sample: sample.at)
    return kept
