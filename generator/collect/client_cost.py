"""What the client costs, as its calibration found, and how many processes a load takes by that."""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

MOST_SHARE: Final = 0.6
"""Share of a core that one process may need by the calibration: above it, more are taken."""
MOST_PROCESSES: Final = 64


def cores_for_client() -> int:
    """Return how many cores this process may use, one left to the server; at least one."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return min(max(1, cores - 1), MOST_PROCESSES)


@dataclass(frozen=True, slots=True)
class ClientCost:
    """The share of a core that so many streams took, of all processes of the client together."""

    streams: int
    cpu_total: float

    def processes(self, streams: int, most: int) -> int:
        """Return how many processes so many streams take, at the pace of the calibration.

        Chunks come at streams ÷ step, and the cost of a chunk is the same however many there are.
        """
        predicted = self.cpu_total * streams / self.streams
        return max(1, math.ceil(min(predicted / MOST_SHARE, most, streams)))


def cost_in(calibration: Mapping[str, Any]) -> ClientCost | None:
    """Return the cost that calibration.json tells of; None where it tells of none."""
    streams, total = calibration.get("streams"), calibration.get("cpu_total") or calibration.get("cpu_share")
    if not isinstance(streams, int) or not isinstance(total, int | float):
        return None
    return ClientCost(streams, float(total)) if streams > 0 and math.isfinite(total) else None
