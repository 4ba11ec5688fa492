"""Line plots as Plotly traces and layout."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from generator.render.files.figures import left_out, point_text
from generator.render.plotly.marks import mark_lines, mark_notes, mark_traces
from generator.render.plotly.parts import (
    HOVER,
    Spec,
    axis_of,
    escaped,
    folded,
    frame,
    named,
    on_axis,
    room_left,
    scatter,
    title_above,
    title_below,
)
from generator.render.plotting.looks import PLOTLY_DASHES, PLOTLY_SYMBOLS, Look, looks
from generator.render.plotting.palette import LIGHT
from generator.render.svg.axes import EDGE, ROW
from generator.render.svg.marks import drawable_marks
from generator.render.wording.numbers import Printer
from generator.told.figure_model import FigureModel, Line, LinePlot, Point

MARKER: Final = 9
SPOILT_MARKER: Final = 12


def line_traces(plot: LinePlot, model: FigureModel, printer: Printer) -> list[Spec]:
    """Return a trace for each line, one more where some of it is in doubt, and one for the dots of marks."""
    drawn = zip(plot.lines, looks(plot.lines, model.accents), strict=True)
    traces = [trace for line, look in drawn for trace in _line_traces_of(line, look, plot, printer)]
    return [*traces, *mark_traces(drawable_marks(plot.marks, plot.x), plot.y)]


def end_labels(plot: LinePlot, model: FigureModel, printer: Printer) -> list[Spec]:
    """Return the names of lines with the places where they end, as the axes count: on a log axis, the logarithm."""
    labels: list[Spec] = []
    for line, look in zip(plot.lines, looks(plot.lines, model.accents), strict=True):
        dropped = left_out(line, plot)
        ends = [point for point in line.points if point not in dropped][-1:]
        labels += [
            {
                **named(line.name[printer.lang]),
                "accent": look.accent,
                "role": line.role,
                "x": on_axis(end.x, plot.x),
                "y": on_axis(end.y, plot.y),
            }
            for end in ends
        ]
    return labels


def _line_traces_of(line: Line, look: Look, plot: LinePlot, printer: Printer) -> list[Spec]:
    dropped = left_out(line, plot)
    points = [None if point in dropped else point for point in line.points]
    neighbours = [(a, b) for a, b in pairwise(points) if a is not None and b is not None]
    doubtful = [pair for pair in neighbours if any(point.spoilt for point in pair)]
    traces = [_line_trace(line, look, _with_gaps(points), plot, printer)]
    return [*traces, _doubtful_trace(doubtful, look)] if doubtful else traces


def _with_gaps(points: Sequence[Point | None]) -> list[Point | None]:
    """Return points with a gap before and behind each spoilt one, besides those where one has no place on the axes."""
    parts: list[Point | None] = []
    for before, point in pairwise([None, *points]):
        if before is not None and point is not None and (before.spoilt or point.spoilt):
            parts.append(None)
        parts.append(point)
    return parts


def _doubtful_trace(pairs: Sequence[tuple[Point, Point]], look: Look) -> Spec:
    places = [place for a, b in pairs for place in ((a.x, a.y), (b.x, b.y), (None, None))]
    return scatter(
        x=[x for x, _ in places],
        y=[y for _, y in places],
        mode="lines",
        line={"color": LIGHT[look.accent], "width": 1.2, "dash": "1px,4px"},
        cliponaxis=False,
        hoverinfo="skip",
        showlegend=False,
        meta={"accent": look.accent, "role": "doubtful"},
    )


def _line_trace(line: Line, look: Look, points: Sequence[Point | None], plot: LinePlot, printer: Printer) -> Spec:
    reasons = [printer.plain_sentence(p.spoilt) if p is not None and p.spoilt else "" for p in points]
    is_floor = line.role == "floor"
    return scatter(
        x=[p.x if p is not None else None for p in points],
        y=[p.y if p is not None else None for p in points],
        name=escaped(line.name[printer.lang]),
        mode="lines" if is_floor else "lines+markers",
        cliponaxis=False,
        line=_stroke(look, is_floor=is_floor),
        marker=None if is_floor else _markers(look, [bool(reason) for reason in reasons]),
        text=[folded(point_text(line, p, plot, printer), printer.lang) if p is not None else "" for p in points],
        customdata=[
            [printer.anchors.get(p.address, "") if p is not None else "", escaped(why)]
            for p, why in zip(points, reasons, strict=True)
        ],
        hovertemplate=HOVER,
        meta={"accent": look.accent, "role": line.role},
    )


def _stroke(look: Look, *, is_floor: bool) -> Spec:
    dash = "dash" if is_floor else PLOTLY_DASHES[look.dash]
    return {"color": LIGHT[look.accent], "width": 1.2 if is_floor else 2, "dash": dash}


def _markers(look: Look, spoilt: list[bool]) -> Spec:
    symbol = PLOTLY_SYMBOLS[look.shape]
    return {
        "color": LIGHT[look.accent],
        "opacity": 1,
        "symbol": [f"{symbol}-open" if is_spoilt else symbol for is_spoilt in spoilt],
        "size": [SPOILT_MARKER if is_spoilt else MARKER for is_spoilt in spoilt],
        "line": {"width": [2 if is_spoilt else 1.2 for is_spoilt in spoilt]},
    }


def line_layout(plot: LinePlot, printer: Printer) -> Spec:
    """Return the layout: both axes, and what is marked on them."""
    shown = [point for line in plot.lines for point in line.points if point not in left_out(line, plot)]
    marks = drawable_marks(plot.marks, plot.x)
    heights = [mark.y for mark in marks if mark.y is not None]
    upright = axis_of(plot.y, [*(p.y for p in shown), *heights], printer, upright=True)
    left = room_left(upright)
    return {
        **frame(left=left, top=ROW * (1 + len(marks)) + 2 * EDGE),
        "hovermode": "closest",
        "showlegend": True,
        "xaxis": axis_of(plot.x, [*(p.x for p in shown), *(m.x for m in marks)], printer),
        "yaxis": upright,
        "shapes": mark_lines(marks),
        "annotations": [
            title_above(plot.y, left, ROW * len(marks) + EDGE, printer),
            title_below(plot.x, printer),
            *mark_notes(marks, plot.x, printer),
        ],
    }
