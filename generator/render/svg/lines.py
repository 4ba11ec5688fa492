"""Line plots as static SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from itertools import pairwise
from typing import Final

from markupsafe import Markup

from generator.render.files.figures import left_out, point_text
from generator.render.plotting.axis_texts import axis_title
from generator.render.plotting.looks import KEY_DASHES, Look, dash_of, looks, markers, ring
from generator.render.plotting.scales import snapped, span
from generator.render.svg.axes import (
    BELOW,
    EDGE,
    ROW,
    Field,
    Sheet,
    field_of,
    horizontal_axis,
    upright_title,
    vertical_axis,
)
from generator.render.svg.key import LINE, MOST_LINES, Entry, name_width, rows, swatch
from generator.render.svg.key import named as name_in_lines
from generator.render.svg.marks import drawable_marks, mark_labels, mark_lines, rows_of, told_marks, with_room
from generator.render.wording.markup import BOLD, group, in_lines, path, rounded, tag
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Line, LinePlot, Point

LABEL_GAP: Final = 16.0
LABEL_OFFSET: Final = 14.0
WIDEST_LABEL: Final = 230.0
FAR_FROM_EDGE: Final = 40.0
STANDS_OFF: Final = 3.0
"""A label further from the end of its line than this gets a leader."""

Drawn = tuple[Line, Look]


def draw_lines(plot: LinePlot, accents: Mapping[str, int], printer: Printer, sheet: Sheet) -> tuple[Markup, float]:
    """Return the inside of the drawing and its height."""
    drawn = list(zip(plot.lines, looks(plot.lines, accents), strict=True))
    named = [(line, look) for line, look in drawn if len(left_out(line, plot)) < len(line.points)]
    direct = sheet.name == "wide" and sum(_label_height(one, printer) for one in named) <= sheet.plot_height
    legend, legend_height = (Markup(""), 0.0) if direct else _legend(named, printer, sheet)
    right = _label_room(named, printer) if direct else 2 * EDGE
    marks = told_marks(drawable_marks(plot.marks, plot.x), _field(plot, sheet, 0.0, right, printer), printer)
    title_at, sheet = legend_height + ROW - EDGE, with_room(sheet, marks)
    field = _field(plot, sheet, legend_height + ROW * (1 + rows_of(marks)) + 2 * EDGE, right, printer)
    parts = [
        legend,
        upright_title(plot.y, title_at, sheet, printer.lang),
        vertical_axis(plot.y, field, sheet.most_y, printer.lang),
        horizontal_axis(plot.x, axis_title(plot.x, printer.lang), field, sheet.most_x, printer.lang),
        *mark_lines(marks, field),
        *(_line(line, look, plot, field, printer) for line, look in reversed(drawn)),
        *mark_labels(marks, field, legend_height),
    ]
    if direct:
        parts.append(_direct_labels(named, plot, field, printer))
    return Markup("").join(parts), field.bottom + BELOW


def spread(wanted: Sequence[float], heights: Sequence[float], low: float, high: float) -> list[float]:
    """Return middles so far apart that nothing of these heights touches, in the same order, near the wanted ones.

    Those of one line may stand on the borders; what is higher stays within them by what it is higher.
    """
    order = sorted(range(len(wanted)), key=lambda i: wanted[i])
    placed = [0.0] * len(wanted)
    floor = low
    for i in order:
        placed[i] = max(wanted[i], floor + (heights[i] - LABEL_GAP) / 2)
        floor = placed[i] + (heights[i] + LABEL_GAP) / 2
    ceiling = high
    for i in reversed(order):
        placed[i] = min(placed[i], ceiling - (heights[i] - LABEL_GAP) / 2)
        ceiling = placed[i] - (heights[i] + LABEL_GAP) / 2
    return placed


def _field(plot: LinePlot, sheet: Sheet, top: float, right: float, printer: Printer) -> Field:
    marks = drawable_marks(plot.marks, plot.x)
    shown = [point for line in plot.lines for point in line.points if point not in left_out(line, plot)]
    across = span(plot.x, [*(p.x for p in shown), *(mark.x for mark in marks)])
    heights = [mark.y for mark in marks if mark.y is not None]
    up = snapped(*span(plot.y, [*(p.y for p in shown), *heights]), plot.y.scale)
    return field_of(plot, (across, up), sheet, top, printer.lang, right=right)


def _line(line: Line, look: Look, plot: LinePlot, field: Field, printer: Printer) -> Markup:
    dropped = left_out(line, plot)
    points = [None if point in dropped else point for point in line.points]
    steps = [(a, b) for a, b in pairwise(points) if a is not None and b is not None]
    sound = _path([(a, b) for a, b in steps if not (a.spoilt or b.spoilt)], field)
    doubtful = _path([(a, b) for a, b in steps if a.spoilt or b.spoilt], field)
    drawn = [_course(line, look, sound)] if sound else []
    if doubtful:
        drawn.append(path(doubtful, f"line {line.role} spoilt"))
    if line.role == "measured":
        drawn.extend(_dots(line, [point for point in points if point is not None], look, plot, field, printer))
    return group(*drawn, class_=look.class_) if drawn else Markup("")


def _course(line: Line, look: Look, d: str) -> Markup:
    return path(d, f"line {line.role}", dash_of(line, look))


def _path(steps: Sequence[tuple[Point, Point]], field: Field) -> str:
    written: list[str] = []
    reached: Point | None = None
    for start, end in steps:
        if start is not reached:
            written.append(f"M{_place(start, field)}")
        written.append(f"L{_place(end, field)}")
        reached = end
    return "".join(written)


def _place(point: Point, field: Field) -> str:
    return f"{rounded(field.x.at(point.x))} {rounded(field.y.at(point.y))}"


def _dots(
    line: Line, points: Sequence[Point], look: Look, plot: LinePlot, field: Field, printer: Printer
) -> list[Markup]:
    """Return the markers; a spoilt one is ringed and says why. What the others say stands in the table of the data."""
    usable = [(field.x.at(point.x), field.y.at(point.y)) for point in points if point.spoilt is None]
    spoilt = [_spoilt_dot(line, point, look, plot, field, printer) for point in points if point.spoilt is not None]
    return [markers(look.shape, usable), *spoilt] if usable else spoilt


def _spoilt_dot(line: Line, point: Point, look: Look, plot: LinePlot, field: Field, printer: Printer) -> Markup:
    x, y = field.x.at(point.x), field.y.at(point.y)
    told = tag("title", point_text(line, point, plot, printer))
    return group(told, ring(x, y), markers(look.shape, [(x, y)]), class_="spoilt")


def _label_room(named: Sequence[Drawn], printer: Printer) -> float:
    widths = (name_width(part, one[0].role) for one in named for part in _label_lines(one, printer))
    return LABEL_OFFSET + max(widths, default=0.0) + EDGE


def _direct_labels(named: Sequence[Drawn], plot: LinePlot, field: Field, printer: Printer) -> Markup:
    ends = [[p for p in line.points if p not in left_out(line, plot)][-1] for line, _ in named]
    wanted = [field.y.at(end.y) for end in ends]
    heights = [_label_height(one, printer) for one in named]
    drawn = []
    for one, end, y, at in zip(named, ends, wanted, spread(wanted, heights, field.top, field.bottom), strict=True):
        (line, look), lines = one, _label_lines(one, printer)
        x, edge = field.x.at(end.x), field.right
        if abs(at - y) > STANDS_OFF or edge - x > FAR_FROM_EDGE:
            drawn.append(_leader(x, y, edge, at))
        first = at + 4 - LINE * (len(lines) - 1) / 2
        drawn += name_in_lines(lines, edge + LABEL_OFFSET, first, f"label {line.role} {look.class_}")
    return Markup("").join(drawn)


def _label_lines(one: Drawn, printer: Printer) -> list[str]:
    return in_lines(one[0].name[printer.lang], WIDEST_LABEL / BOLD, MOST_LINES)


def _label_height(one: Drawn, printer: Printer) -> float:
    return LABEL_GAP + LINE * (len(_label_lines(one, printer)) - 1)


def _leader(x: float, y: float, edge: float, at: float) -> Markup:
    start = min(x + 8, edge)
    points = [(start, y), (edge, y), (edge + LABEL_OFFSET - 3, at)] if edge - start > 1 else []
    corners = points or [(start, y), (edge + LABEL_OFFSET - 3, at)]
    return tag("polyline", class_="leader", points=" ".join(f"{rounded(a)},{rounded(b)}" for a, b in corners))


def _legend(named: Sequence[Drawn], printer: Printer, sheet: Sheet) -> tuple[Markup, float]:
    return rows([Entry(line.name[printer.lang], look, partial(_sign, line), line.role) for line, look in named], sheet)


def _sign(line: Line, look: Look, x: float, y: float) -> Markup:
    if line.role != "measured":
        return _course(line, look, swatch(x, y))
    return path(swatch(x, y), f"line {line.role}", KEY_DASHES[look.dash]) + markers(look.shape, [(x, y)])
