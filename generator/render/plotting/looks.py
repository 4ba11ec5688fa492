"""How series are told apart without colour alone: an accent, a marker and a dash for each."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from markupsafe import Markup

from generator.render.plotting.palette import ACCENTS
from generator.render.wording.markup import rounded, tag
from generator.told.figure_model import Line

RADIUS: Final = 4.2
RING: Final = 8.5
FLOOR_DASH: Final = "5 4"
DASHES: Final = ("", "14 4", "8 4", "14 4 2 4")
KEY_DASHES: Final = ("", "6 4", "4 3", "6 2 2 2")
"""The same in a key, short enough for a gap to be seen on either side of the marker."""

Corner = tuple[float, float]


def _polygon(corners: int, turned: float, radius: float, inner: float = 1.0) -> tuple[Corner, ...]:
    radii = [radius if i % 2 == 0 or inner == 1.0 else radius * inner for i in range(corners)]
    angles = [math.radians(turned + 360 * i / corners) for i in range(corners)]
    return tuple((r * math.cos(a), r * math.sin(a)) for r, a in zip(radii, angles, strict=True))


SHAPES: Final[tuple[tuple[Corner, ...], ...]] = (
    (),
    _polygon(4, 45, 1.25),
    _polygon(3, -90, 1.4),
    _polygon(4, 0, 1.35),
    _polygon(3, 90, 1.4),
    _polygon(5, -90, 1.25),
    _polygon(6, 0, 1.25),
    _polygon(10, -90, 1.6, 0.45),
)
"""Corners in units of the radius; the first is a circle."""

PLOTLY_SYMBOLS: Final = (
    "circle", "square", "triangle-up", "diamond", "triangle-down", "pentagon", "hexagon", "star",
)  # fmt: skip
"""The same shapes as Plotly names them."""


def plotly_dash(dash: str) -> str:
    """Return the dashes of a line as Plotly names them."""
    return ",".join(f"{part}px" for part in dash.split()) or "solid"


PLOTLY_DASHES: Final = tuple(map(plotly_dash, DASHES))


@dataclass(frozen=True, slots=True)
class Look:
    """How a line is drawn: number of its colour, of its marker shape and of its dash."""

    accent: int
    shape: int
    dash: int

    @property
    def class_(self) -> str:
        """Return the class that gives it its colour."""
        return f"s{self.accent}"


def accent_of(series: str, accents: Mapping[str, int]) -> int:
    """Return the number of the colour of a series."""
    return accents.get(series, 0) % ACCENTS


def look_of(series: str, accents: Mapping[str, int], turn: int = 0) -> Look:
    """Return how a series looks: its accent, its marker, and a dash where its accent is used again.

    Args:
        series: its id.
        accents: the number of each series.
        turn: how many lines of the series there are already.
    """
    number = accents.get(series, 0)
    again = number // ACCENTS
    shape, dash = number + again + 3 * turn, again + turn
    return Look(number % ACCENTS, shape % len(SHAPES), dash % len(DASHES))


def looks(lines: tuple[Line, ...], accents: Mapping[str, int]) -> list[Look]:
    """Return the look of each line.

    Measured lines are solid, so that dashes mean floors; only where a colour is used again is a line dashed.
    """
    found, seen = [], dict.fromkeys((line.series for line in lines), 0)
    for line in lines:
        found.append(look_of(line.series, accents, seen[line.series]))
        seen[line.series] += line.role == "measured"
    return found


def dash_of(line: Line, look: Look) -> str:
    """Return the dashes of a line: fine ones for floors; empty for solid."""
    return FLOOR_DASH if line.role == "floor" else DASHES[look.dash]


def markers(shape: int, places: Iterable[tuple[float, float]], *, radius: float = RADIUS) -> Markup:
    """Return markers of one shape at some places, as one path."""
    return tag("path", class_="dot", d="".join(_outline(shape, x, y, radius) for x, y in places))


def _outline(shape: int, x: float, y: float, radius: float) -> str:
    corners = [(x + radius * dx, y + radius * dy) for dx, dy in SHAPES[shape]]
    if not corners:
        half = f"{rounded(radius)} {rounded(radius)} 0 1 0 "
        return f"M{rounded(x - radius)} {rounded(y)}a{half}{rounded(2 * radius)} 0a{half}{rounded(-2 * radius)} 0"
    start = " ".join(rounded(side) for side in corners[0])
    steps = " ".join(f"{rounded(bx - ax)} {rounded(by - ay)}" for (ax, ay), (bx, by) in pairwise(corners))
    return f"M{start}l{steps}z"


def ring(x: float, y: float) -> Markup:
    """Return the ring around a spoilt point."""
    return tag("circle", class_="ring", cx=x, cy=y, r=RING)
