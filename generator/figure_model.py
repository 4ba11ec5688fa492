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
class Dot:
    """A place on a curve that has a name and is the value of something: its median, its p99."""

    x: float
    y: float
    name: Text
    address: Address


@dataclass(frozen=True, slots=True)
class Curve:
    """How a quantity is distributed in one run of one level.

    Attributes:
        trial: which run; None where the level was run once.
        points: (x, y): y per cent of the sample are x or less; both rise. The largest values are all there.
        is_whole: no value of the sample is left out, so that the curve is drawn as the steps that it has.
        shade: how heavy it is drawn, from 0 for the lowest load of the series to 1 for the highest.
        facts: the values that its row in the data table holds: how large the sample is, and its percentiles.
        dots: places on the curve that have a name.
        is_drawn: whether the drawings show it; the files have every curve.
        spoilt: why conclusions leave the level out.
    """

    series: str
    level: str
    trial: int | None
    points: tuple[tuple[float, float], ...]
    is_whole: bool
    shade: float
    facts: tuple[Address, ...]
    dots: tuple[Dot, ...] = ()
    is_drawn: bool = True
    spoilt: Sentence | None = None


@dataclass(frozen=True, slots=True)
class CurvePlot:
    """Distributions over a common axis; upright stands the share of the sample, in per cent.

    ``begins`` is the smallest value that the axis has to show; what is smaller lies beyond its border.
    """

    x: Axis
    y: Axis
    begins: float
    curves: tuple[Curve, ...]

    @property
    def drawn(self) -> tuple[Curve, ...]:
        """Return the curves that the drawings show."""
        return tuple(curve for curve in self.curves if curve.is_drawn)


@dataclass(frozen=True, slots=True)
class Cloud:
    """The requests of one run, each a point.

    Attributes:
        trial: which run; None where the level was run once.
        points: (x, y) of the requests that have both, by rising x; of very many some stand for all.
        failed: the x of the requests that have no y, in rising order.
        window: from where to where the load was steady; None where that is not known.
        facts: the values that its row in the data table holds.
    """

    series: str
    level: str
    trial: int | None
    points: tuple[tuple[float, float], ...]
    failed: tuple[float, ...]
    window: tuple[float, float] | None
    facts: tuple[Address, ...]


@dataclass(frozen=True, slots=True)
class CloudPlot:
    """One cloud a series, over the time at which requests were sent."""

    x: Axis
    y: Axis
    clouds: tuple[Cloud, ...]


Plot = LinePlot | BarPlot | CurvePlot | CloudPlot


@dataclass(frozen=True, slots=True)
class FigureModel:
    """A figure. Its title says the conclusion, its caption the source and the formula.

    ``accents`` numbers the series: the same accent everywhere on the site's pages of one round.
    """

    key: str
    title: Sentence
    caption: Sentence
    plot: Plot
    accents: Mapping[str, int]
