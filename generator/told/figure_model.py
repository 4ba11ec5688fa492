"""What a figure shows, free of how it is drawn: every rendering is made from this one description."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from generator.text import Text
from generator.told.sentence import Sentence
from generator.values import Address

Scale = Literal["linear", "log"]
Role = Literal["measured", "floor"]
TrendRole = Literal["fit", "theory", "floor"]
Fill = Literal["solid", "hatched", "empty"]
Stage = Literal["queue", "prefill", "wait", "decode"]
"""Until it is taken up, until its first token, both where the two cannot be told apart, and until its last token."""

OF_NO_SERIES: Final = ""
"""Stands for a series where what is shown is of none: the load that users have."""


@dataclass(frozen=True, slots=True)
class Axis:
    """An axis in the unit its label names.

    Attributes:
        label: what is on it.
        unit: its sign.
        scale: linear or log.
        ticks: the positions that get a label, if they are fixed.
        names: what stands at these instead of their numbers; none, or one for each.
        from_zero: whether an upright linear axis starts at zero, so that no small change looks large.
    """

    label: Text
    unit: str
    scale: Scale
    ticks: tuple[float, ...] = ()
    names: tuple[str, ...] = ()
    from_zero: bool = False


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
    """A horizontal stacked bar: of a series, or of one of its levels."""

    name: Text
    series: str
    segments: tuple[Segment, ...]
    level: str | None = None


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


@dataclass(frozen=True, slots=True)
class Spot:
    """A point that trends run through, in axis units; ``address`` is what its ``y`` is the value of, if anything."""

    x: float
    y: float
    level: str
    address: Address | None = None


@dataclass(frozen=True, slots=True)
class Scatter:
    """The points of one series: 10 000 at most, as every one is written to the files (``thinning.cloud_rows``)."""

    series: str
    spots: tuple[Spot, ...]


@dataclass(frozen=True, slots=True)
class Trend:
    """A curve through or beside points: fitted to them, expected by a theory, or a floor below them.

    ``points`` are its corners by rising x: both ends of a line, more of what bends.
    """

    name: Text
    series: str
    role: TrendRole
    points: tuple[tuple[float, float], ...]


@dataclass(frozen=True, slots=True)
class FitPlot:
    """Points, and what was fitted to them or computed beside them."""

    x: Axis
    y: Axis
    scatters: tuple[Scatter, ...]
    trends: tuple[Trend, ...] = ()
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Trace:
    """One quantity of one run over time.

    Attributes:
        trial: which run; None where the level was run once.
        points: (x, y) by rising x; of very many some stand for all.
        facts: the values that sum it up, for its row in the data table.
        is_drawn: whether the drawings show it; the files have every trace.
    """

    series: str
    level: str
    trial: int | None
    points: tuple[tuple[float, float], ...]
    facts: tuple[Address, ...] = ()
    is_drawn: bool = True


@dataclass(frozen=True, slots=True)
class Panel:
    """One quantity, of several runs, with an upright axis of its own, which begins at zero."""

    y: Axis
    traces: tuple[Trace, ...]


@dataclass(frozen=True, slots=True)
class TracePlot:
    """Quantities over time, one below the other over one axis; in each panel a run looks the same."""

    x: Axis
    panels: tuple[Panel, ...]
    marks: tuple[Mark, ...] = ()


@dataclass(frozen=True, slots=True)
class Stretch:
    """A part of the time that a request took, in seconds after the first sending."""

    stage: Stage
    begin: float
    end: float


@dataclass(frozen=True, slots=True)
class Course:
    """One request on a timeline.

    Attributes:
        number: which it is in the order of sending, from 1.
        lane: the row that it is drawn in, from 0: no two of a row overlap.
        stretches: what it did, one after the other; empty where nothing but its sending is known.
        sent: when it was sent.
    """

    number: int
    lane: int
    sent: float
    stretches: tuple[Stretch, ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """What happened beside the requests, in a row of its own: moments, spans, or both."""

    name: Text
    moments: tuple[float, ...] = ()
    spans: tuple[tuple[float, float], ...] = ()


@dataclass(frozen=True, slots=True)
class TimelinePlot:
    """The requests of one run as bars over its clock.

    Attributes:
        trial: which run; None where the level was run once.
        courses: the requests that are drawn, by the time of sending.
        stalls: when all answers under way stood still.
        strips: what the server and the load did meanwhile.
        window: from when to when requests are drawn.
        whole: how long the run took.
        left_out: how many requests of the run are not drawn.
        in_flight: (x, y): requests in flight over the whole run; empty where all are drawn.
        facts: the values that its row in the data table holds.
    """

    x: Axis
    y: Axis
    series: str
    level: str
    trial: int | None
    courses: tuple[Course, ...]
    stalls: tuple[tuple[float, float], ...]
    strips: tuple[Strip, ...]
    window: tuple[float, float]
    whole: float
    left_out: int = 0
    in_flight: tuple[tuple[float, float], ...] = ()
    facts: tuple[Address, ...] = ()

    @property
    def lanes(self) -> int:
        """Return how many rows the requests take."""
        return max((course.lane + 1 for course in self.courses), default=0)


Basis = Literal["measured", "open", "extrapolated"]
"""What a stretch rests on: the levels on both sides settle who leads; they do not; or there is none on one side."""


@dataclass(frozen=True, slots=True)
class Reach:
    """From where to where a series has the better number, None where neither has, and what that rests on."""

    leader: str | None
    begin: float
    end: float
    basis: Basis


@dataclass(frozen=True, slots=True)
class LeadStrip:
    """Who of two series, the baseline first, is ahead in a quantity, from the lowest load on."""

    name: Text
    metric: str
    sides: tuple[str, str]
    reaches: tuple[Reach, ...]


@dataclass(frozen=True, slots=True)
class LeadPlot:
    """Strips below each other over one axis of load, those of a pair together."""

    x: Axis
    strips: tuple[LeadStrip, ...]


Plot = LinePlot | BarPlot | CurvePlot | CloudPlot | FitPlot | TracePlot | TimelinePlot | LeadPlot


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
