"""A look at the clocks before a load: does that of the run go back, how fine is it, is the other one being set?"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from generator.collect.clock import S, Sample, WallClock, sample_now
from generator.collect.host.kernel_clock import kernel_clock

READINGS: Final = 2000
LOOKS: Final = 5
BETWEEN_S: Final = 0.02


@dataclass(frozen=True, slots=True)
class ClockLook:
    """What was seen of the clocks.

    Attributes:
        monotonic: whether no reading of the run's clock was before the one ahead of it.
        finest_s: the least time, in seconds, between two readings that differ; None where all were the same.
        steps_s: by how much the wall clock was set meanwhile, in seconds.
        synchronised: whether somebody keeps the wall clock right; None where the kernel does not say.
    """

    monotonic: bool
    finest_s: float | None
    steps_s: tuple[float, ...]
    synchronised: bool | None


def look_at_clocks(
    read: Callable[[], int] = time.monotonic_ns,
    sample: Callable[[], Sample] = sample_now,
    kernel: Callable[[], dict[str, object] | None] = kernel_clock,
) -> ClockLook:
    """Read the clocks for a tenth of a second.

    Args:
        read: the clock of the run, in ns.
        sample: the wall clock against it.
        kernel: what the kernel says of the wall clock.
    """
    readings = [read() for _ in range(READINGS)]
    wall = WallClock(sample)
    for _ in range(LOOKS):
        time.sleep(BETWEEN_S)
        readings.append(read())
        wall.sample()
    apart = [after - before for before, after in pairwise(readings)]
    said = (kernel() or {}).get("synchronised")
    return ClockLook(
        monotonic=min(apart) >= 0,
        finest_s=min((ns for ns in apart if ns > 0), default=0) / S or None,
        steps_s=tuple(ns / S for _, ns in wall.steps()),
        synchronised=said if isinstance(said, bool) else None,
    )
