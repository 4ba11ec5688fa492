"""Levels that a curve over the load falls at and recovers from."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

TOLERANCE: Final = 0.02
"""A fall smaller than this is within what two runs of one level differ by."""

Numbers = NDArray[np.float64]


def dips(loads: Numbers, amounts: Numbers) -> list[int]:
    """Return the rows that must go for a curve to rise, each of which a later row recovers from.

    Of the two rows at a fall, the one further from the line between its neighbours (log–log) is at fault; the
    first row and the last never are. Whatever turns out innocent once the others are gone is taken back.

    Args:
        loads: the load of each row, rising; rows of one load stand by rising amount.
        amounts: what was delivered there; 0 is infinitely far off any line.
    """
    left, gone = np.arange(len(amounts)), []
    while (fall := recovering_fall(amounts[left])) is not None:
        culprit = max((fall, fall - 1), key=lambda place: _off_the_line(loads[left], amounts[left], place))
        gone.append(int(left[culprit]))
        left = np.delete(left, culprit)
    for row in gone:
        with_it = np.insert(left, np.searchsorted(left, row), row)
        left = with_it if recovering_fall(amounts[with_it]) is None else left
    return sorted(set(gone) - set(left.tolist()))


def recovering_fall(amounts: Numbers) -> int | None:
    """Return the first row below the row before it, where a later row passes both."""
    before, here = amounts[:-2], amounts[1:-1]
    best_later = np.maximum.accumulate(amounts[:1:-1])[::-1]
    falls = np.flatnonzero((here < before * (1 - TOLERANCE)) & (best_later > before))
    return int(falls[0]) + 1 if len(falls) else None


def _off_the_line(loads: Numbers, amounts: Numbers, row: int) -> float:
    """Return how far a row stands off the straight line between its neighbours, in ln(amount)."""
    if not 0 < row < len(amounts) - 1:
        return 0.0
    low, here, high = amounts[row - 1 : row + 2].tolist()
    if not here:
        return math.inf
    if not low or not high:
        return 0.0
    return abs(math.log(here / low) - _part(*loads[row - 1 : row + 2].tolist()) * math.log(high / low))


def _part(left: float, here: float, right: float) -> float:
    """Return how far along the way from left to right a load lies, in its logarithm."""
    return math.log(here / left) / math.log(right / left) if right > left else 0.5
