"""Statistics of samples that are in rising order, as vLLM and numpy define them."""

from __future__ import annotations

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.numeric.spilled import pieces, total

Numbers = NDArray[np.float64]

TOUCH: Final = 1e-5
"""Seconds by which one thing may seem to begin before the end of another that it waited for: times are rounded."""


def mean(ordered: Numbers) -> float:
    """Return the arithmetic mean of a sample that is not empty."""
    return total(ordered) / len(ordered)


def percentile(ordered: Numbers, percent: float) -> float:
    """Return a percentile between the two nearest ranks (numpy's ``linear``), without sorting once more.

    Args:
        ordered: a sample in rising order, not empty.
        percent: 0 to 100.
    """
    rank = percent / 100 * (len(ordered) - 1)
    below = math.floor(rank)
    low, high = ordered[below], ordered[min(below + 1, len(ordered) - 1)]
    return float(low + (rank - below) * (high - low))


def statistic(name: str, ordered: Numbers) -> float:
    """Return the mean or a percentile of a sample in rising order by its name: ``mean``, ``p99``."""
    return mean(ordered) if name == "mean" else percentile(ordered, int(name.removeprefix("p")))


def formula(name: str, sample: str) -> str:
    """Return how a formula writes the statistic of a sample."""
    return f"mean({sample})" if name == "mean" else f"percentile({sample}, {int(name.removeprefix('p'))})"


def count_between(ordered: Numbers, begins: float, ends: float) -> int:
    """Count the numbers above ``begins`` and up to ``ends``."""
    first, last = np.searchsorted(ordered, [begins, ends], side="right")
    return int(last - first)


def count_below(ordered: Numbers, limit: float) -> int:
    """Count the numbers below a limit."""
    return int(np.searchsorted(ordered, limit, side="left"))


def longest_quiet(moments: Numbers, starts: Numbers, ends: Numbers) -> tuple[float, float]:
    """Return when the longest silence began and how long it was: nothing came though something was under way.

    Where nothing was under way when the silence began, it counts from the next start. Of equal ones the first is told.

    Args:
        moments: when something came, in rising order, not empty.
        starts: when each began, in rising order, not empty.
        ends: when each ended, in rising order.
    """
    before, longest = float(starts[0]), (float(starts[0]), -1.0)
    for after in pieces(moments):
        begins, quiet = _silences(before, after, starts, ends)
        first = int(np.argmax(quiet))
        if quiet[first] > longest[1]:
            longest = float(begins[first]), float(quiet[first])
        before = float(after[-1])
    return longest


def _silences(last: float, after: Numbers, starts: Numbers, ends: Numbers) -> tuple[Numbers, Numbers]:
    """Return when the silence before each moment began, and how long it was; ``last`` is the moment before them."""
    before = np.concatenate([[last], after[:-1]])
    begun = np.searchsorted(starts, before, side="right")
    ended = np.searchsorted(ends, before, side="right")
    later = starts[np.minimum(begun, len(starts) - 1)]
    idle_until = np.where(begun < len(starts), np.minimum(later, after), after)
    begins = np.where(begun > ended, before, idle_until)
    return begins, np.maximum(after - begins, 0.0)


def overlapped(begins: Numbers, ends: Numbers, starts: Numbers, stops: Numbers, by: float = TOUCH) -> NDArray[np.bool_]:
    """Say which spans overlap at least one of some others, by more than an end.

    Args:
        begins: when each span begins, in any order.
        ends: when it ends, in the same order.
        starts: when the others begin, in rising order.
        stops: when the others end, in rising order.
        by: how much is an end, where times were rounded; spans shorter than twice that overlap nothing.
    """
    begun = np.searchsorted(starts, ends - by, side="left")
    overlaps: NDArray[np.bool_] = begun > np.searchsorted(stops, begins + by, side="right")
    return overlaps


def dealt_out(wholes: NDArray[np.int64], shares: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return whole amounts cut into so many shares each, as equal as whole numbers can be: those of one after another.

    Unit n of T in k shares falls into share ⌊k × n ÷ T⌋.
    """
    first = np.repeat(np.cumsum(shares) - shares, shares)
    nth, amounts, of = np.arange(len(first)) - first, np.repeat(wholes, shares), np.repeat(shares, shares)
    # The units before share s are those with k × n < T × s: ⌈T × s ÷ k⌉ of them.
    dealt: NDArray[np.int64] = -(-(nth + 1) * amounts // of) + (-nth * amounts // of)
    return dealt


def counted_order(whole: NDArray[np.int32]) -> NDArray[np.int32]:
    """Return whole numbers in rising order: by counting those of each size, several times as fast as a sort.

    The few that are larger than there are numbers are sorted, so that the counts never outgrow the numbers.
    """
    small = whole < len(whole)
    counts = np.bincount(whole[small])
    sizes = np.arange(len(counts), dtype=np.int32)
    return np.concatenate([np.repeat(sizes, counts), np.sort(whole[~small])])


def peak(starts: Numbers, ends: Numbers) -> int:
    """Return the most that were under way at once; what ends at a moment makes room for what starts then.

    Args:
        starts: when each began, in rising order.
        ends: when each ended, in rising order.
    """
    begun = np.searchsorted(starts, starts, side="right")
    ended = np.searchsorted(ends, starts, side="right")
    return int((begun - ended).max())
