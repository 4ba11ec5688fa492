"""What a figure shows, free of how it is drawn: every rendering is made from this one description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from generator.sentence import Sentence
from generator.text import Text
from generator.values import Address

Scale = Literal["linear", "log"]
Role = Literal["measured", "floor"]
Fill = Literal["solid", "hatched", "empty"]


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis in the unit its label names; ``ticks`` are the positions that get a label, if they are fixed."""

    label: Text
    unit: str
    scale: Scale
    ticks: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Point:
    """A point in axis units. A spoilt point is drawn hollow, with the reason."""

    x: float
    y: float
    level: str
    address: Address
    spoilt: Sentence | None = None


@dataclass(frozen=True, slots=True)
class Line:
    """A series of points. Floors are quiet dashed lines without markers."""

    name: Text
    series: str
    role: Role
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Mark:
    """A place on the plot that the text speaks of: a vertical line at ``x``, a dot where ``y`` is given."""

    x: float
    y: float | None
    label: Sentence


@dataclass(frozen=True, slots=True)
class Segment:
    """A part of a bar: its length in axis units; hatched where it is computed, solid where it was read."""

    name: Text
    length: float
    fill: Fill
    address: Address | None = None


@dataclass(frozen=True, slots=True)
class Bar:
    """A horizontal stacked bar."""

    name: Text
    series: str
    segments: tuple[Segment, ...]


@dataclass(frozen=True, slots=True)
class LinePlot:
    """Lines over a load axis."""

    x: Axis
    y: Axis
    lines: tuple[Line, ...]
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class BarPlot:
    """Stacked bars over a common axis, with a limit (the capacity) where there is one."""

    x: Axis
    bars: tuple[Bar, ...]
    limit: float | None = None
    limit_name: Text | None = None


@dataclass(frozen=True, slots=True)
class FigureModel:
    """A figure. Its title says the conclusion, its caption the source and the formula.

    ``accents`` numbers the series: the same accent everywhere on the site's pages of one round.
    """

    key: str
    title: Sentence
    caption: Sentence
    plot: LinePlot | BarPlot
    accents: Mapping[str, int]
