"""Where curves lie on the sheet, and where their names have room."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

from generator.numeric.thinning import Numbers, path_rows
from generator.render.plotting.scales import domain
from generator.render.svg.axes import Field
from generator.render.wording.markup import BOLD, TEXT_SIZE, text_width
from generator.told.figure_model import Curve, CurvePlot

MOST_CORNERS: Final = 80
"""Corners of a drawn curve: the page holds each drawing."""

FEW_STEPS: Final = 40
"""Up to so many values a curve is drawn as the steps that it has; steps of more are too small to see."""

NOT_SEEN: Final = 0.3
"""Pixels by which a curve may be off."""

HEIGHTS: Final = (44, 56, 36, 64, 28, 72, 20, 80, 12, 88)
"""Per cent at which a name may stand beside its curve, in the order in which they are tried: not where dots are."""

Side = Literal["right", "left"]
SIDES: Final[tuple[Side, Side]] = ("right", "left")

BESIDE: Final = 7.0
HALF_HEIGHT: Final = 8.0
BELOW_CURVE: Final = 7.0
"""By how much a name right of a rising curve is lower than its place on it, and one left of it higher."""

DOT_ROOM: Final = 6.0
CLEAR: Final = 2.0


@dataclass(frozen=True, slots=True)
class Path:
    """A curve in pixels; x rises, y falls."""

    x: Numbers
    y: Numbers


@dataclass(frozen=True, slots=True)
class Box:
    """Room for a name.

    ``x`` and ``height`` say beside which place of the curve it stands, in pixels and in per cent, ``side`` on which
    side of it.
    """

    left: float
    right: float
    top: float
    bottom: float
    x: float
    height: float
    side: Side

    def touches(self, other: Box) -> bool:
        """Say whether two boxes overlap."""
        across = self.left < other.right and other.left < self.right
        return across and self.top < other.bottom and other.top < self.bottom


def value_range(plot: CurvePlot) -> tuple[float, float]:
    """Return the smallest and the largest value that the axis shows."""
    highest = max((curve.points[-1][0] for curve in plot.drawn), default=plot.begins)
    return domain([plot.begins, highest], plot.x.scale)


def path_of(curve: Curve, field: Field) -> Path:
    """Return where a curve lies; what is beyond the left border stands on it."""
    values, shares = np.array(curve.points).T
    x, y = field.x.each(np.maximum(values, field.x.low)), field.y.each(shares)
    if curve.is_whole and len(x) <= FEW_STEPS:
        return Path(np.repeat(x, 2)[1:], np.repeat(y, 2)[:-1])
    return Path(x, y)


def dot_places(plot: CurvePlot, field: Field, series: str | None = None) -> list[tuple[float, float]]:
    """Return where the dots of one series, or of all, lie in the plot."""
    curves = [curve for curve in plot.drawn if series in (None, curve.series)]
    dots = [dot for curve in curves for dot in curve.dots if dot.x >= field.x.low]
    return [(field.x.at(dot.x), field.y.at(dot.y)) for dot in dots]


def simplified(path: Path) -> Path:
    """Return a path with fewer corners that looks the same."""
    rows = path_rows(path.x, path.y, MOST_CORNERS, NOT_SEEN)
    return Path(path.x[rows], path.y[rows])


def name_boxes(
    names: Sequence[str], paths: Sequence[Path], dots: Sequence[tuple[float, float]], field: Field
) -> list[Box | None]:
    """Return where each name stands beside its curve, free of names, dots and curves; None where nowhere.

    Args:
        names: what stands beside each curve; nothing beside one without a name.
        paths: the curves.
        dots: the middles of the markers.
        field: the plot area, which no name leaves.
    """
    taken, placed = [_around(*dot) for dot in dots], list[Box | None]()
    for name, path in zip(names, paths, strict=True):
        offered = (_box(name, path, height, side, field) for side in SIDES for height in HEIGHTS if name)
        placed.append(next((box for box in offered if _is_free(box, taken, paths, field)), None))
        taken.extend(filter(None, placed[-1:]))
    return placed


def _box(name: str, path: Path, height: float, side: Side, field: Field) -> Box:
    at, width = field.y.at(height), text_width(name, TEXT_SIZE * BOLD)
    x = float(np.interp(-at, -path.y, path.x))
    left = x + BESIDE if side == "right" else x - BESIDE - width
    middle = at + BELOW_CURVE if side == "right" else at - BELOW_CURVE
    return Box(left, left + width, middle - HALF_HEIGHT, middle + HALF_HEIGHT, x, height, side)


def _around(x: float, y: float) -> Box:
    return Box(x - DOT_ROOM, x + DOT_ROOM, y - DOT_ROOM, y + DOT_ROOM, x, 0.0, "right")


def _is_free(box: Box, taken: Sequence[Box], paths: Sequence[Path], field: Field) -> bool:
    if box.left < field.left or box.right > field.right or any(box.touches(other) for other in taken):
        return False
    return not any(_crosses(path, box) for path in paths)


def _crosses(path: Path, box: Box) -> bool:
    """Say whether a curve passes a box: as it only rises, it does unless it is below, or above, from end to end."""
    if path.x[0] > box.right or path.x[-1] < box.left:
        return False
    at_left, at_right = np.interp([box.left - CLEAR, box.right + CLEAR], path.x, path.y)
    return bool(at_left >= box.top and at_right <= box.bottom)
