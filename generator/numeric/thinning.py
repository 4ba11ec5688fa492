"""Fewer points that show the same: of a sample, of a cloud, of a path that is drawn.

Nothing here is random: the same points in give the same points out.
"""

from __future__ import annotations

import heapq
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.numeric.spilled import at, places

Numbers = NDArray[np.float64]
Rows = NDArray[np.int64]

LARGEST_KEPT: Final = 20
"""So many of the largest values are kept as they are: the tail is what a reader looks for."""

TAIL: Final = 0.02
"""The upper part of a sample that gets points of its own, as a share of the sample."""

ENDS: Final = 2
"""Corners of a path that is never drawn with fewer."""


def quantile_rows(count: int, most: int) -> Rows:
    """Return which rows of a sample in rising order stand for it: all, where they are not too many.

    Else they are the first one, the ``LARGEST_KEPT`` last ones, and between them rows at even distances: three
    quarters over the whole sample, one quarter over its ``TAIL``.

    Args:
        count: how large the sample is.
        most: how many rows may be returned; more than ``LARGEST_KEPT``.
    """
    if count <= most:
        return np.arange(count)
    spread = most - LARGEST_KEPT
    in_tail = spread // 4
    evenly = np.linspace(0, count - 1, spread - in_tail)
    tail = np.linspace((1 - TAIL) * (count - 1), count - 1, in_tail)
    largest = np.arange(count - LARGEST_KEPT, count)
    return np.unique(np.concatenate([np.rint(evenly), np.rint(tail), largest]).astype(np.int64))


def distribution(ordered: Numbers, most: int) -> tuple[Numbers, Numbers]:
    """Return values of a sample, each once, and which share of the sample is that small or smaller.

    Args:
        ordered: a sample in rising order, not empty.
        most: how many values may be returned.
    """
    values = np.unique(at(ordered, quantile_rows(len(ordered), most)))
    return values, places(ordered, values, "right") / len(ordered)


def cloud_rows(x: Numbers, y: Numbers, most: int) -> Rows:
    """Return which points stand for a cloud, in the order of ``x``: all, where they are not too many.

    Else the points are cut, by their order in ``x``, into stretches of as many points each. Kept are the highest
    and the lowest point of each stretch, the ``LARGEST_KEPT`` highest of all, and points at even distances, the
    first and the last among them. So no spike is lost; and as most of what is kept is of the last kind, what is
    dense stays dense.

    Args:
        x: where the points are, all known.
        y: how high, all known.
        most: how many points may be returned; several times ``LARGEST_KEPT``.
    """
    order = np.argsort(x, kind="stable")
    if len(order) <= most:
        return order
    heights = y[order]
    stretches = np.array_split(np.arange(len(order)), most // 10)
    extremes = [row for rows in stretches for row in (rows[heights[rows].argmin()], rows[heights[rows].argmax()])]
    highest = np.argsort(heights, kind="stable")[-LARGEST_KEPT:]
    others = np.linspace(0, len(order) - 1, most - len(extremes) - LARGEST_KEPT)
    kept = np.unique(np.concatenate([extremes, highest, np.rint(others)]).astype(np.int64))
    return order[kept]


def path_rows(x: Numbers, y: Numbers, most: int, tolerance: float) -> Rows:
    """Return which corners of a path are enough to draw it.

    Starting with both ends, the corner that lies farthest from what is drawn so far is added, until none is off
    by more than ``tolerance`` or there are enough (Ramer, Douglas and Peucker, worst first).

    Args:
        x: where the corners are, in the order of the path.
        y: how high they are.
        most: how many corners may be returned; both ends at least.
        tolerance: how far, in the unit of both, a corner that is left out may be from the path.
    """
    if len(x) <= ENDS:
        return np.arange(len(x))
    kept, waiting = {0, len(x) - 1}, [_farthest(x, y, 0, len(x) - 1)]
    while waiting and len(kept) < most:
        nearness, row, start, end = heapq.heappop(waiting)
        if -nearness <= tolerance:
            break
        kept.add(row)
        for a, b in ((start, row), (row, end)):
            if b - a > 1:
                heapq.heappush(waiting, _farthest(x, y, a, b))
    return np.array(sorted(kept), dtype=np.int64)


def _farthest(x: Numbers, y: Numbers, start: int, end: int) -> tuple[float, int, int, int]:
    """Return which corner between two others is farthest from the line between them; the distance, negated, first."""
    inside = slice(start + 1, end)
    across, up = x[end] - x[start], y[end] - y[start]
    length = np.hypot(across, up)
    aside = np.abs(across * (y[inside] - y[start]) - up * (x[inside] - x[start]))
    off = aside / length if length > 0 else np.hypot(x[inside] - x[start], y[inside] - y[start])
    row = int(off.argmax())
    return -float(off[row]), start + 1 + row, start, end
