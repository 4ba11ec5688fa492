"""Times in which every answer under way stood still: no chunk came to any of those that had begun."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.numeric.spilled import pieces
from generator.numeric.statistics import percentile

Numbers = NDArray[np.float64]

TWO: Final = 2
"""Answers that have to stand still together: of one alone, a stall is a long gap."""
GAPS: Final = 5
"""Median gaps that a stall exceeds."""
SECONDS: Final = 0.1
"""Seconds that it exceeds as well."""
STEPS: Final = 2
"""Median gaps after a stall within which a first token is of a prefill in it: its last batch may be a small one."""


@dataclass(frozen=True, slots=True, eq=False)
class Stalls:
    """The stalls of a run, in seconds after the first sending; they do not overlap.

    Attributes:
        begins: when each began, in rising order.
        ends: when each ended.
        with_first: begins of those in which, or right after which, another answer had its first chunk.
        together: how long two answers or more were under way at a time, in rising order.
        is_with_first: which are those of ``with_first``.
    """

    begins: Numbers
    ends: Numbers
    together: Numbers
    is_with_first: NDArray[np.bool_]

    @property
    def with_first(self) -> Numbers:
        """Return when those began that hold the first chunk of another answer, or come right before it."""
        return self.begins[self.is_with_first]


def stalls_among(chunks: Numbers, gaps: Numbers, firsts: Numbers, lasts: Numbers) -> Stalls:
    """Return the stalls of a run.

    Args:
        chunks: when every chunk came, in rising order.
        gaps: between the chunks of each answer, in rising order.
        firsts: when each answer had its first chunk; NaN where that is not known.
        lasts: when it had its last one; NaN where it had one chunk alone.
    """
    several = np.isfinite(firsts) & np.isfinite(lasts)
    begun = np.sort(firsts[np.isfinite(firsts)])
    step = percentile(gaps, 50) if len(gaps) else 0.0
    begins, ends = stalls(chunks, begun, firsts[several], lasts[several], max(GAPS * step, SECONDS))
    return Stalls(begins, ends, together(firsts[several], lasts[several]), holding(begins, ends + STEPS * step, begun))


def summed(values: NDArray[np.int32], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the sums of so many values each, those of one after another."""
    ends = np.cumsum(counts)
    sums = np.concatenate([np.zeros(1, np.int64), np.cumsum(values, dtype=np.int64)])
    added: NDArray[np.int64] = sums[ends] - sums[ends - counts]
    return added


def stalls(chunks: Numbers, begun: Numbers, firsts: Numbers, lasts: Numbers, least: float) -> tuple[Numbers, Numbers]:
    """Return when stalls common to all answers under way began and ended, in their order.

    A stall lies between two chunks that follow each other, the first chunks of answers left out: that another answer
    begins does not help those that stand still. It begins no earlier than two answers are under way.

    Args:
        chunks: when every chunk came, in rising order.
        begun: when the first chunk of every answer came; each of them is among ``chunks``.
        firsts: when answers of several chunks had their first one.
        lasts: when they had their last one.
        least: seconds that a stall takes more than.
    """
    begun, firsts, lasts = np.sort(begun), np.sort(firsts), np.sort(lasts)
    found: list[Numbers] = [np.zeros((0, 2))]
    before, matched = np.zeros(0), 0
    for piece in pieces(chunks):
        rows = _rows_of(begun[matched:], piece)
        moments = np.concatenate([before, np.delete(piece, rows)])
        found.append(_between(moments, firsts, lasts, least))
        before, matched = moments[-1:].copy(), matched + len(rows)
    begins, ends = np.concatenate(found).T
    return begins.copy(), ends.copy()


def _rows_of(begun: Numbers, piece: Numbers) -> NDArray[np.int64]:
    """Return which chunks of a piece are first ones: of equal moments as many as began then.

    Args:
        begun: when those answers began that had no first chunk in an earlier piece, in rising order.
        piece: when chunks came, in rising order.
    """
    here = begun[: np.searchsorted(begun, piece[-1], side="right")]
    nth = np.arange(len(here)) - np.searchsorted(here, here, side="left")
    rows = np.searchsorted(piece, here, side="left") + nth
    inside: NDArray[np.int64] = rows[rows < len(piece)]  # the others are in the next piece, at the same moment
    return inside


def _between(moments: Numbers, firsts: Numbers, lasts: Numbers, least: float) -> Numbers:
    """Return begin and end, (k, 2), of what lies between two moments while two answers at least are under way."""
    if not len(moments) or len(firsts) < TWO:
        return np.zeros((0, 2))
    before, after = moments[:-1], moments[1:]
    over = np.searchsorted(lasts, before, side="right")
    # Nothing ends between two chunks, so two are under way once so many have begun as are over, and two more.
    second = over + TWO - 1
    reached = np.where(second < len(firsts), firsts[np.minimum(second, len(firsts) - 1)], np.inf)
    begins = np.maximum(before, reached)
    rows = after - begins > least
    return np.column_stack([begins[rows], after[rows]])


def together(firsts: Numbers, lasts: Numbers) -> Numbers:
    """Return how long two answers or more were under way at a time, in rising order: a number for each such time."""
    if len(firsts) < TWO:
        return np.zeros(0)
    moments = np.concatenate([firsts, lasts])
    order = np.lexsort((np.arange(len(moments)) < len(firsts), moments))  # ends before begins
    under_way = np.cumsum(np.where(order < len(firsts), 1, -1))
    moments, is_two = moments[order], under_way >= TWO
    turns = np.diff(np.concatenate([[False], is_two]).astype(np.int8))
    lengths: Numbers = moments[turns < 0] - moments[turns > 0]
    return np.sort(lengths[lengths > 0])


def holding(begins: Numbers, ends: Numbers, moments: Numbers) -> NDArray[np.bool_]:
    """Say which spans hold at least one of some moments, given in rising order; their begin is not theirs."""
    before, after = (np.searchsorted(moments, edge, side="right") for edge in (begins, ends))
    held: NDArray[np.bool_] = after > before
    return held
