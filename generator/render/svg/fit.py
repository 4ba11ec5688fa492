"""Points with the curves that were fitted to them, as static SVG."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
from markupsafe import Markup

from generator.numeric.thinning import cloud_rows
from generator.render.files.fit import drawable_points, has_place
from generator.render.plotting.axis_texts import axis_title
from generator.render.plotting.looks import Look, look_of, markers
from generator.render.plotting.scales import domain, snapped
from generator.render.svg.axes import (
    BELOW,
    EDGE,
    ROW,
    Field,
    Range,
    Sheet,
    field_of,
    horizontal_axis,
    upright_title,
    vertical_axis,
)
from generator.render.svg.cloud import MOST_DOTS, dots
from generator.render.svg.key import Entry, rows, swatch
from generator.render.svg.marks import drawable_marks, mark_labels, mark_lines, rows_of, told_marks, with_room
from generator.render.wording.markup import group, path, through
from generator.render.wording.numbers import Printer
from generator.told.figure_model import FitPlot, Scatter, Trend
from generator.told.sentence import SeriesName

SPARSE: Final = 60
"""Up to so many points of a series are drawn as markers, more of them as small dots."""

FITS: Final = ("", "2 3", "14 4 2 4")
"""Dashes of the fits of one series, in their order: the first one, which the text goes by, is solid."""

THEORY: Final = "9 4"
FLOOR: Final = "5 4"


def draw_fit(plot: FitPlot, accents: Mapping[str, int], printer: Printer, sheet: Sheet) -> tuple[Markup, float]:
    """Return the inside of the drawing and its height."""
    legend, above = rows(_entries(plot, accents, printer), sheet)
    field_of_plot = partial(field_of, plot, ranges(plot), lang=printer.lang)
    marks = told_marks(drawable_marks(plot.marks, plot.x), field_of_plot(sheet, top=0.0), printer)
    field = field_of_plot(with_room(sheet, marks), top=above + ROW * (1 + rows_of(marks)) + 2 * EDGE)
    trends = zip(plot.trends, dashes(plot.trends), strict=True)
    parts = [
        legend,
        upright_title(plot.y, above + ROW - EDGE, sheet, printer.lang),
        vertical_axis(plot.y, field, sheet.most_y, printer.lang),
        horizontal_axis(plot.x, axis_title(plot.x, printer.lang), field, sheet.most_x, printer.lang),
        *mark_lines(marks, field),
        *(_scatter(scatter, plot, look_of(scatter.series, accents), field) for scatter in plot.scatters),
        *(_trend(trend, dash, plot, look_of(trend.series, accents), field) for trend, dash in trends),
        *mark_labels(marks, field, above),
    ]
    return Markup("").join(parts), field.bottom + BELOW


def ranges(plot: FitPlot) -> tuple[Range, Range]:
    """Return the ranges of both axes: they show all points, trends and marks that have a place there."""
    places = [place for scatter in plot.scatters for place in drawable_points(scatter, plot)]
    places += [place for trend in plot.trends for place in trend.points if has_place(*place, plot)]
    heights = [mark.y for mark in plot.marks if mark.y is not None]
    across = domain([*(x for x, _ in places), *(mark.x for mark in plot.marks)], plot.x.scale)
    return across, snapped(*domain([*(y for _, y in places), *heights], plot.y.scale), plot.y.scale)


def dashes(trends: Sequence[Trend]) -> list[str]:
    """Return the dashes of each trend: by what it is, and of several fits of a series by which of them it is."""
    found: list[str] = []
    fits = dict.fromkeys((trend.series for trend in trends), 0)
    for trend in trends:
        if trend.role == "fit":
            found.append(FITS[fits[trend.series] % len(FITS)])
            fits[trend.series] += 1
        else:
            found.append(THEORY if trend.role == "theory" else FLOOR)
    return found


def _scatter(scatter: Scatter, plot: FitPlot, look: Look, field: Field) -> Markup:
    points = np.array(drawable_points(scatter, plot)).reshape(-1, 2)
    kept = points[cloud_rows(points[:, 0], points[:, 1], MOST_DOTS)].tolist()
    places = [(field.x.at(x), field.y.at(y)) for x, y in kept]
    if not places:
        return Markup("")
    return group(markers(look.shape, places) if len(points) <= SPARSE else dots(places, look), class_=look.class_)


def _trend(trend: Trend, dash: str, plot: FitPlot, look: Look, field: Field) -> Markup:
    places = [(field.x.at(x), field.y.at(y)) for x, y in trend.points if has_place(x, y, plot)]
    if not places:
        return Markup("")
    return group(path(through(places), f"line {trend.role}", dash), class_=look.class_)


def _entries(plot: FitPlot, accents: Mapping[str, int], printer: Printer) -> list[Entry]:
    points = [
        Entry(printer.plain(SeriesName(scatter.series)), look_of(scatter.series, accents), _dot)
        for scatter in plot.scatters
    ]
    trends = [
        Entry(trend.name[printer.lang], look_of(trend.series, accents), partial(_sign, trend, dash), "floor")
        for trend, dash in zip(plot.trends, dashes(plot.trends), strict=True)
    ]
    return [*points, *trends]


def _dot(look: Look, x: float, y: float) -> Markup:
    return markers(look.shape, [(x, y)])


def _sign(trend: Trend, dash: str, _: Look, x: float, y: float) -> Markup:
    return path(swatch(x, y), f"line {trend.role}", dash)
