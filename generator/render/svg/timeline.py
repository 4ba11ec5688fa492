"""The requests of a run as bars over its clock, as static SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

from markupsafe import Markup

from generator.render.files.timelines import STAGES, STALL, WHOLE, failed_of, stages_of
from generator.render.plotting.axis_texts import axis_title
from generator.render.plotting.looks import Look, look_of
from generator.render.plotting.scales import Ruler, tick_text
from generator.render.svg.axes import (
    BELOW,
    EDGE,
    ROW,
    Field,
    Sheet,
    horizontal_axis,
    left_margin,
    upright_title,
    vertical_axis,
)
from generator.render.svg.key import SWATCH, Entry, rows, swatch
from generator.render.wording.markup import fitted, group, label, rounded, tag
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Axis, Stage, Stretch, Strip, TimelinePlot

FULL: Final = 0.76
"""How much of its row a bar fills."""
THICKNESS: Final[Mapping[Stage, float]] = {"queue": 0.22, "prefill": FULL, "wait": FULL, "decode": FULL}
LEAST_ROW: Final = 2.0
MOST_ROW: Final = 26.0
FLAT: Final = 0.4
"""How high the plot is at least, for one that stands alone."""
STRIP: Final = 10.0
OVERVIEW: Final = 44.0
MOST_Y: Final = 6
CROSS: Final = 3.0
KEY_STROKE: Final = 11.0


def draw_timeline(
    plot: TimelinePlot, accents: Mapping[str, int], printer: Printer, sheet: Sheet
) -> tuple[Markup, float]:
    """Return the inside of the drawing and its height."""
    look = look_of(plot.series, accents)
    legend, above = rows(_entries(plot, look, printer), sheet)
    top = above + (ROW + STRIP) * len(plot.strips) + ROW + 2 * EDGE
    field = _field(plot, top, sheet, printer)
    parts = [
        legend,
        *(_strip(strip, above + (ROW + STRIP) * row, field, printer) for row, strip in enumerate(plot.strips)),
        upright_title(plot.y, top - 2 * EDGE, sheet, printer.lang),
        vertical_axis(plot.y, field, MOST_Y, printer.lang),
        group(*_bars(plot, field), class_=look.class_),
        *_veils(plot, field),
        horizontal_axis(plot.x, axis_title(plot.x, printer.lang), field, sheet.most_x, printer.lang),
    ]
    if not plot.in_flight:
        return Markup("").join(parts), field.bottom + BELOW
    return Markup("").join([*parts, *_overview(plot, look, field, printer)]), field.bottom + 2 * BELOW + OVERVIEW + ROW


def window_of(plot: TimelinePlot) -> tuple[float, float]:
    """Return from when to when the axis of time reaches; never the same moment twice."""
    begin, end = plot.window
    return (begin, end) if end > begin else (begin, begin + 1.0)


def plot_height(plot: TimelinePlot, sheet: Sheet) -> float:
    """Return how high all rows are together, in pixels: none is thinner than a line, or needlessly thick."""
    lanes = max(plot.lanes, 1)
    row = min(max(sheet.plot_height / lanes, LEAST_ROW), MOST_ROW)
    return max(row * lanes, FLAT * sheet.plot_height)


def _field(plot: TimelinePlot, top: float, sheet: Sheet, printer: Printer) -> Field:
    lanes = float(max(plot.lanes, 1))
    tall = plot_height(plot, sheet)
    left = left_margin(plot.y, 0.0, lanes, MOST_Y, printer.lang)
    across = Ruler(plot.x.scale, *window_of(plot), left, sheet.width - 3 * EDGE)
    return Field(across, Ruler("linear", 0.0, lanes, top + tall, top))


def _middle(lane: int, field: Field) -> float:
    return field.y.at(lane + 0.5)


def _inside(x: float, field: Field) -> float:
    """Return where a moment stands, or the border that it lies beyond."""
    return min(max(field.x.at(x), field.left), field.right)


def _bars(plot: TimelinePlot, field: Field) -> list[Markup]:
    """Return a path for each stage, and one of crosses for what failed."""
    tall = (field.bottom - field.top) / max(plot.lanes, 1)
    drawn = []
    for stage in stages_of(plot):
        spans = [(one, course.lane) for course in plot.courses for one in course.stretches if one.stage == stage]
        d = "".join(_stroke(one.begin, one.end, lane, field) for one, lane in spans if _is_seen(one, plot.window))
        drawn.append(tag("path", class_=f"stretch {stage}", stroke_width=max(tall * THICKNESS[stage], 1.0), d=d))
    crosses = "".join(_cross(field.x.at(one.sent), _middle(one.lane, field)) for one in failed_of(plot))
    return [*drawn, tag("path", class_="cross", d=crosses)] if crosses else drawn


def _is_seen(stretch: Stretch, window: tuple[float, float]) -> bool:
    return stretch.end > window[0] and stretch.begin < window[1]


def _stroke(begin: float, end: float, lane: int, field: Field) -> str:
    return f"M{rounded(_inside(begin, field))} {rounded(_middle(lane, field))}H{rounded(_inside(end, field))}"


def _cross(x: float, y: float) -> str:
    two = f"{rounded(2 * CROSS)}"
    return f"M{rounded(x - CROSS)} {rounded(y - CROSS)}l{two} {two}m0-{two}l-{two} {two}"


def _veils(plot: TimelinePlot, field: Field) -> list[Markup]:
    """Return the stalls: what stood still is veiled, and both ends are marked."""
    spans = [(_inside(begin, field), _inside(end, field)) for begin, end in plot.stalls]
    if not spans:
        return []
    top, tall = rounded(field.top), rounded(field.bottom - field.top)
    areas = "".join(f"M{rounded(a)} {top}H{rounded(b)}v{tall}H{rounded(a)}z" for a, b in spans)
    edges = "".join(f"M{rounded(x)} {top}v{tall}" for span in spans for x in span)
    return [tag("path", class_="veil", d=areas), tag("path", class_="brim", d=edges)]


def _strip(strip: Strip, top: float, field: Field, printer: Printer) -> Markup:
    """Return a row above the plot: its name, and below that what happened when."""
    y = top + ROW + EDGE
    moments = "".join(f"M{rounded(_inside(x, field))} {rounded(y)}v{rounded(STRIP - 2)}" for x in strip.moments)
    spans = "".join(
        f"M{rounded(_inside(a, field))} {rounded(y + STRIP / 2)}H{rounded(_inside(b, field))}" for a, b in strip.spans
    )
    name = label(fitted(strip.name[printer.lang], field.right - field.left), field.left, top + ROW, "tick")
    drawn = [tag("path", class_="moment", d=moments)] if moments else []
    drawn += [tag("path", class_="span", d=spans)] if spans else []
    return group(name, *drawn)


def _overview(plot: TimelinePlot, look: Look, field: Field, printer: Printer) -> list[Markup]:
    """Return the curve of all requests in flight, below the plot, with what is shown of them marked."""
    bottom = field.bottom + BELOW + ROW + OVERVIEW + EDGE
    highest = max((y for _, y in plot.in_flight), default=0.0) or 1.0
    across = Ruler("linear", 0.0, plot.whole or 1.0, field.left, field.right)
    up = Ruler("linear", 0.0, highest, bottom, bottom - OVERVIEW)
    corners = "L".join(f"{rounded(across.at(x))} {rounded(up.at(y))}" for x, y in plot.in_flight)
    begin, end = (across.at(x) for x in plot.window)
    small = Field(across, up)
    title = WHOLE[printer.lang].format(n=tick_text(highest, printer.lang))
    return [
        label(fitted(title, field.right - field.left), field.left, bottom - OVERVIEW - EDGE, "title"),
        tag("rect", class_="frame", x=begin, y=bottom - OVERVIEW, width=max(end - begin, 1.0), height=OVERVIEW),
        group(tag("path", class_="line fit", d=f"M{corners}"), class_=look.class_),
        horizontal_axis(Axis(plot.x.label, plot.x.unit, "linear"), "", small, MOST_Y, printer.lang),
    ]


def _entries(plot: TimelinePlot, look: Look, printer: Printer) -> Sequence[Entry]:
    found = [Entry(STAGES[stage][printer.lang], look, partial(_sign, stage), "floor") for stage in stages_of(plot)]
    return [*found, Entry(STALL[printer.lang], look, _veil_sign, "floor")] if plot.stalls else found


def _sign(stage: Stage, _: Look, x: float, y: float) -> Markup:
    width = KEY_STROKE * THICKNESS[stage] / FULL
    return tag("path", class_=f"stretch {stage}", stroke_width=width, d=swatch(x, y))


def _veil_sign(_: Look, x: float, y: float) -> Markup:
    tall, top = rounded(KEY_STROKE + 2), rounded(y - KEY_STROKE / 2 - 1)
    bar = tag("path", class_="stretch decode", stroke_width=KEY_STROKE, d=swatch(x, y))
    left, right = rounded(x - SWATCH / 4.5), rounded(x + SWATCH / 4.5)
    veil = tag("path", class_="veil", d=f"M{left} {top}H{right}v{tall}H{left}z")
    return bar + veil + tag("path", class_="brim", d=f"M{left} {top}v{tall}M{right} {top}v{tall}")
