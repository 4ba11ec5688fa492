"""Quantities over time as static SVG: a panel for each, one below the other, over one axis of time."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
from markupsafe import Markup

from generator.numeric.thinning import path_rows
from generator.render.files.run_names import run_name
from generator.render.files.traces import Run, run_of, runs_of_traces
from generator.render.plotting.axis_texts import axis_title
from generator.render.plotting.looks import Look, look_of
from generator.render.plotting.scales import Ruler, domain, drawable
from generator.render.svg.axes import (
    BELOW,
    EDGE,
    ROW,
    Field,
    Range,
    Sheet,
    horizontal_axis,
    left_margin,
    upright_title,
    vertical_axis,
)
from generator.render.svg.key import Entry, rows, swatch
from generator.render.svg.marks import drawable_marks, mark_labels, mark_lines, rows_of, told_marks
from generator.render.wording.markup import group, path, through
from generator.render.wording.numbers import Printer
from generator.text import Lang
from generator.told.figure_model import Panel, Trace, TracePlot

PANEL: Final = 0.34
"""How high a panel is, for a plot that stands alone."""
MOST_Y: Final = 4
"""Ticks of an upright axis: a panel is low."""
CORNERS: Final = 400
SMOOTH: Final = 0.4
"""Pixels that a drawn line may be off."""
STROKES: Final = ("", "7 3", "2 3")
"""Dashes of the runs of one series that are drawn, that of the highest load first."""


def draw_traces(plot: TracePlot, accents: Mapping[str, int], printer: Printer, sheet: Sheet) -> tuple[Markup, float]:
    """Return the inside of the drawing and its height."""
    strokes = strokes_of(plot)
    legend, above = rows(_entries(plot, accents, strokes, printer), sheet)
    across = _fields(plot, 0.0, sheet, printer.lang)[0]
    marks = told_marks(drawable_marks(plot.marks, plot.x), across, printer)
    fields = _fields(plot, above + ROW * (1 + rows_of(marks)) + 2 * EDGE, sheet, printer.lang)
    parts = [legend]
    for panel, field in zip(plot.panels, fields, strict=True):
        parts.append(upright_title(panel.y, field.top - 2 * EDGE, sheet, printer.lang))
        parts.append(vertical_axis(panel.y, field, MOST_Y, printer.lang))
        parts += [_trace(one, field, look_of(one.series, accents), strokes[run_of(one)]) for one in drawn_of(panel)]
    last = fields[-1]
    whole = Field(last.x, Ruler("linear", 0.0, 1.0, last.bottom, fields[0].top))
    parts += [
        horizontal_axis(plot.x, axis_title(plot.x, printer.lang), last, sheet.most_x, printer.lang),
        *mark_lines(marks, whole),
        *mark_labels(marks, whole, above),
    ]
    return Markup("").join(parts), last.bottom + BELOW


def drawn_of(panel: Panel) -> list[Trace]:
    """Return the traces of a panel that the drawings show."""
    return [trace for trace in panel.traces if trace.is_drawn and trace.points]


def strokes_of(plot: TracePlot) -> dict[Run, str]:
    """Return the dashes of each run that is drawn: the last one of a series is solid."""
    found: dict[Run, str] = {}
    seen: dict[str, int] = {}
    for trace in reversed(runs_of_traces(plot, drawn=True)):
        number = seen.get(trace.series, 0)
        found[run_of(trace)] = STROKES[number % len(STROKES)]
        seen[trace.series] = number + 1
    return found


def time_range(plot: TracePlot) -> Range:
    """Return the range of the axis of time: from zero to the last point or mark."""
    times = [x for panel in plot.panels for trace in drawn_of(panel) for x, _ in trace.points]
    return domain([0.0, *times, *(mark.x for mark in plot.marks)], plot.x.scale)


def height_range(panel: Panel) -> Range:
    """Return the range of the upright axis of a panel, zero among it."""
    return domain([0.0, *(y for trace in drawn_of(panel) for _, y in trace.points)], panel.y.scale)


def _fields(plot: TracePlot, top: float, sheet: Sheet, lang: Lang) -> list[Field]:
    ranges = [height_range(panel) for panel in plot.panels]
    left = max(left_margin(p.y, *span, MOST_Y, lang) for p, span in zip(plot.panels, ranges, strict=True))
    across = Ruler(plot.x.scale, *time_range(plot), left, sheet.width - 3 * EDGE)
    tall = PANEL * sheet.plot_height
    tops = [top + number * (tall + 2 * ROW) for number in range(len(ranges))]
    return [
        Field(across, Ruler(panel.y.scale, *span, begins + tall, begins))
        for panel, span, begins in zip(plot.panels, ranges, tops, strict=True)
    ]


def _trace(trace: Trace, field: Field, look: Look, stroke: str) -> Markup:
    places = np.array([(field.x.at(x), field.y.at(y)) for x, y in trace.points if drawable(y, field.y.scale)])
    if not len(places):
        return Markup("")
    kept = places[path_rows(places[:, 0], places[:, 1], CORNERS, SMOOTH)].tolist()
    return group(path(through(kept), "line fit", stroke), class_=look.class_)


def _entries(
    plot: TracePlot, accents: Mapping[str, int], strokes: Mapping[Run, str], printer: Printer
) -> Sequence[Entry]:
    return [
        Entry(run_name(run, printer), look_of(run.series, accents), partial(_sign, strokes[run_of(run)]), "floor")
        for run in runs_of_traces(plot, drawn=True)
    ]


def _sign(stroke: str, _: Look, x: float, y: float) -> Markup:
    return path(swatch(x, y), "line fit", stroke)
