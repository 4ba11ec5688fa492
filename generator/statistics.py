"""Statistics of samples that are in rising order, as vLLM and numpy define them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def mean(ordered: Numbers) -> float:
    """Return the arithmetic mean of a sample that is not empty."""
    return float(ordered.mean())


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
    before, after = np.concatenate([starts[:1], moments[:-1]]), moments
    begun = np.searchsorted(starts, before, side="right")
    ended = np.searchsorted(ends, before, side="right")
    later = starts[np.minimum(begun, len(starts) - 1)]
    idle_until = np.where(begun < len(starts), np.minimum(later, after), after)
    begins = np.where(begun > ended, before, idle_until)
    quiet = np.maximum(after - begins, 0.0)
    longest = int(np.argmax(quiet))
    return float(begins[longest]), float(quiet[longest])


def peak(starts: Numbers, ends: Numbers) -> int:
    """Return the most that were under way at once; what ends at a moment makes room for what starts then.

    Args:
        starts: when each began, in rising order.
        ends: when each ended, in rising order.
    """
    begun = np.searchsorted(starts, starts, side="right")
    ended = np.searchsorted(ends, starts, side="right")
    return int((begun - ended).max())
