"""Histories: between which rounds a metric moved to another level, and by how much.

Optimal partitioning (Jackson et al. 2005): the exact best split into constant stretches, at a price for each change.
One step a round, each over all earlier rounds at once: for hundreds of rounds the steps cost, not what they run over.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

SHORTEST: Final = 3
"""Rounds of a stretch: one odd round is no new level."""
PRICE: Final = 5.0
"""Of a change, in σ² × ln n; 2 is the Schwarz criterion, which in a dozen rounds sees changes far too often."""
NEIGHBOURS: Final = 2
"""Rounds on each side that an odd one is compared with."""
ODD: Final = 3.0
"""σ from its neighbours beyond which a round is odd."""
LEAST_NOISE: Final = 1e-3
"""Relative noise that is assumed at least: published numbers are rounded, and rounding looks like no noise at all."""
TO_SIGMA: Final = 1 / (0.6744897501960817 * math.sqrt(2))
"""From the median |difference| of neighbours to σ of normal noise: its 75th percentile, and two values a difference."""


@dataclass(frozen=True, slots=True)
class ChangePoint:
    """A move to another level.

    Attributes:
        index: position of the first value at the new level.
        log_ratio: ln(new level ÷ old level), between the geometric means of both stretches.
    """

    index: int
    log_ratio: float

    @property
    def change(self) -> float:
        """Return the change as a share of the level before."""
        return math.expm1(self.log_ratio)


def change_points(values: Sequence[float]) -> list[ChangePoint]:
    """Return where the level changed, in the order of time.

    Args:
        values: one number a round, in the order of time, all positive.
    """
    logs = np.log(np.asarray(values, dtype=np.float64))
    if len(logs) < 2 * SHORTEST:
        return []
    noise = _noise(logs)
    bounds = [0, *_splits(_tamed(logs, noise), PRICE * noise**2 * math.log(len(logs))), len(logs)]
    means = [float(logs[start:end].mean()) for start, end in pairwise(bounds)]
    steps = zip(bounds[1:-1], pairwise(means), strict=True)
    return [ChangePoint(at, after - before) for at, (before, after) in steps]


def _noise(logs: Numbers) -> float:
    """Return σ from neighbours, which a few changes of the level hardly touch."""
    return max(float(np.median(np.abs(np.diff(logs)))) * TO_SIGMA, LEAST_NOISE)


def _tamed(logs: Numbers, noise: float) -> Numbers:
    """Return the values with odd ones drawn to their neighbours: no further than ``ODD`` σ from the median of five."""
    around = sliding_window_view(np.pad(logs, NEIGHBOURS, mode="edge"), 2 * NEIGHBOURS + 1)
    middle = np.median(around, axis=1)
    tamed: Numbers = np.clip(logs, middle - ODD * noise, middle + ODD * noise)
    return tamed


def _splits(logs: Numbers, price: float) -> list[int]:
    """Return the inner bounds of the cheapest split."""
    sums, squares = (np.concatenate([[0.0], np.cumsum(one)]) for one in (logs - logs[0], (logs - logs[0]) ** 2))
    cheapest, before = np.full(len(logs) + 1, np.inf), np.zeros(len(logs) + 1, dtype=np.int64)
    cheapest[0] = -price
    for end in range(SHORTEST, len(logs) + 1):
        starts = np.arange(end - SHORTEST + 1)
        cost = squares[end] - squares[starts] - (sums[end] - sums[starts]) ** 2 / (end - starts)
        total = cheapest[starts] + cost
        before[end] = np.argmin(total)
        cheapest[end] = total[before[end]] + price
    return _walk_back(before, len(logs))


def _walk_back(before: NDArray[np.int64], end: int) -> list[int]:
    found: list[int] = []
    while (end := int(before[end])) > 0:
        found.append(end)
    return found[::-1]
