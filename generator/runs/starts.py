"""The starts of an engine: each by its number, and how much of the model's files lay in memory before it.

A start that reads the files from the disk and one that finds them in memory are two things, and are never put together.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, Literal

from generator.values import Observation

StartState = Literal["cold", "warm", "unknown"]

WARM: Final = 0.95
"""Share of the bytes of the model's files in memory from which a start is a warm one."""
COLD: Final = 0.05
"""The share up to which it is a cold one; between the two it is neither."""
FINEST_LOOK_S: Final = 0.005
COARSEST_LOOK_S: Final = 0.1
LOOK_SHARE: Final = 0.01
"""How long the collector waits between looks at a starting server: a share of the time since the spawn, in bounds."""
RESIDENT: Final = "cold_start_resident"
"""The metric that has the share."""


def state_of(resident: float | None) -> StartState:
    """Return what a start is by the share of its files in memory; unknown where that is not known, or is half of it."""
    if resident is None or COLD < resident < WARM:
        return "unknown"
    return "cold" if resident <= COLD else "warm"


def starts_in(observations: Iterable[Observation]) -> dict[str, tuple[int, ...]]:
    """Return the numbers of the starts of each series that has any on record, in their order."""
    found: dict[str, set[int]] = {}
    for seen in observations:
        where = seen.address
        if where.scope == "series" and where.series is not None and where.trial is not None:
            found.setdefault(where.series, set()).add(where.trial)
    return {series: tuple(sorted(numbers)) for series, numbers in found.items()}
