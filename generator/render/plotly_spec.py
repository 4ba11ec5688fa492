"""Figures as Plotly specs: plain JSON that the page's script draws, and colours by theme."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable
from typing import Any, Final

from plotly import graph_objects as go

from generator.figure_model import Axis, Bar, BarPlot, FigureModel, Line, LinePlot, Mark, Segment
from generator.render.figure_files import axis_title, left_out, limit_text, point_text, segment_text
from generator.render.looks import PLOTLY_DASHES, PLOTLY_SYMBOLS, Look, accent_of, looks
from generator.render.numbers import Printer, anchor
from generator.render.palette import LIGHT, LIGHT_SURFACE
from generator.render.scales import domain, drawable, snapped, tick_text, ticks
from generator.text import Lang

HOVER: Final = "%{fullData.name}<br>%{text}<extra></extra>"
"""What a hover box says; bold text would be an inline style, which the page's policy forbids."""

HOVER_WIDTH: Final[dict[Lang, int]] = {"zh": 32, "en": 60}
"""Letters in a line of a hover box."""

MARKER: Final = 9
SPOILT_MARKER: Final = 12
MOST_TICKS: Final = 12
SEAM: Final = {"color": LIGHT_SURFACE, "width": 1.5}
CLEAR: Final = "rgba(0,0,0,0)"
PSEUDO_HTML: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

Spec = dict[str, object]


def spec(model: FigureModel, printer: Printer) -> Spec:
    """Return the spec of a figure: checked by plotly.py, made of lists, numbers and text only.

    Each trace says in ``meta`` which accent it has and what it is, so that the page can colour it; its own
    colours are those of light pages. ``customdata`` holds the anchor of each value and why a point is spoilt.
    """
    if isinstance(model.plot, LinePlot):
        traces = _line_traces(model.plot, model, printer)
        layout = _line_layout(model.plot, printer)
    else:
        traces = _bar_traces(model.plot, model, printer)
        layout = _bar_layout(model.plot, printer)
    data = [_plain(trace.to_plotly_json()) for trace in traces]
    return {"data": data, "layout": _plain(go.Layout(**layout).to_plotly_json())}


def escaped(text: str) -> str:
    """Return a text that Plotly, which reads some HTML in labels, shows as it is."""
    return text.translate(PSEUDO_HTML)


def _folded(text: str, lang: Lang) -> str:
    """Return a text in lines that fit into a hover box."""
    return "<br>".join(escaped(line) for line in textwrap.wrap(text, HOVER_WIDTH[lang]))


def _plain(thing: Any) -> Any:  # noqa: ANN401  # whatever plotly.py holds
    if isinstance(thing, dict):
        return {key: _plain(part) for key, part in thing.items()}
    return [_plain(part) for part in thing] if isinstance(thing, list | tuple) else thing


def _line_traces(plot: LinePlot, model: FigureModel, printer: Printer) -> list[go.Scatter]:
    drawn = zip(plot.lines, looks(plot.lines, model.accents), strict=True)
    return [_line_trace(line, look, plot, printer) for line, look in drawn]


def _line_trace(line: Line, look: Look, plot: LinePlot, printer: Printer) -> go.Scatter:
    dropped = left_out(line, plot)
    points = [point for point in line.points if point not in dropped]
    reasons = [printer.plain_sentence(point.spoilt) if point.spoilt else "" for point in points]
    is_floor = line.role == "floor"
    return go.Scatter(
        x=[point.x for point in points],
        y=[point.y for point in points],
        name=escaped(line.name[printer.lang]),
        mode="lines" if is_floor else "lines+markers",
        line=_stroke(look, is_floor=is_floor),
        marker=None if is_floor else _markers(look, [bool(reason) for reason in reasons]),
        text=[_folded(point_text(line, point, plot, printer), printer.lang) for point in points],
        customdata=[[anchor(p.address), escaped(why)] for p, why in zip(points, reasons, strict=True)],
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
    }


def _line_layout(plot: LinePlot, printer: Printer) -> Spec:
    shown = [point for line in plot.lines for point in line.points if point not in left_out(line, plot)]
    marks = [mark for mark in plot.marks if drawable(mark.x, plot.x.scale)]
    heights = [mark.y for mark in marks if mark.y is not None]
    return {
        **_frame(),
        "hovermode": "closest",
        "showlegend": True,
        "xaxis": _axis(plot.x, [*(p.x for p in shown), *(m.x for m in marks)], printer),
        "yaxis": _axis(plot.y, [*(p.y for p in shown), *heights], printer, upright=True),
        "shapes": [_mark_shape(mark.x) for mark in marks],
        "annotations": [_mark_note(mark, plot, printer) for mark in marks],
    }


def _frame() -> Spec:
    return {
        "margin": {"l": 64, "r": 24, "t": 36, "b": 96},
        "legend": {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "traceorder": "normal"},
    }  # fmt: skip


def _axis(axis: Axis, values: Iterable[float], printer: Printer, *, upright: bool = False) -> Spec:
    low, high = snapped(*domain(values, axis.scale), axis.scale) if upright else domain(values, axis.scale)
    positions = ticks(axis, low, high, MOST_TICKS)
    return {
        "type": axis.scale,
        "title": {"text": escaped(axis_title(axis, printer.lang))},
        "range": [math.log10(low), math.log10(high)] if axis.scale == "log" else [low, high],
        "tickvals": positions,
        "ticktext": [tick_text(tick, printer.lang) for tick in positions],
    }


def _mark_shape(x: float) -> Spec:
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": {"dash": "dot", "width": 1}}


def _mark_note(mark: Mark, plot: LinePlot, printer: Printer) -> Spec:
    """Return the words at a mark. On a log axis shapes stand at the value, annotations at its logarithm."""
    x = math.log10(mark.x) if plot.x.scale == "log" else mark.x
    text = escaped(printer.plain_sentence(mark.label))
    return {"x": x, "y": 1, "yref": "paper", "yanchor": "bottom", "showarrow": False, "text": text}


def _bar_traces(plot: BarPlot, model: FigureModel, printer: Printer) -> list[go.Bar]:
    return [
        _bar_trace(part, row, bar, accent_of(bar.series, model.accents), plot, printer)
        for row, bar in enumerate(plot.bars)
        for part in bar.segments
        if math.isfinite(part.length) and part.length >= 0
    ]


def _bar_trace(part: Segment, row: int, bar: Bar, accent: int, plot: BarPlot, printer: Printer) -> go.Bar:
    told = f"{part.name[printer.lang]} {segment_text(part, plot.x, printer)}"
    return go.Bar(
        x=[part.length],
        y=[row],
        orientation="h",
        name=escaped(bar.name[printer.lang]),
        text=[escaped(told)],
        insidetextanchor="start",
        textangle=0,
        textposition="none" if part.fill == "empty" else "auto",
        marker=_fill(part, LIGHT[accent]),
        customdata=[[anchor(part.address) if part.address is not None else "", ""]],
        hovertemplate=HOVER,
        meta={"accent": accent, "role": part.fill},
    )


def _fill(part: Segment, colour: str) -> Spec:
    if part.fill == "empty":
        return {"color": CLEAR, "line": {"color": colour, "width": 1}}
    if part.fill == "hatched":
        pattern = {"shape": "/", "fillmode": "overlay", "size": 7, "fgopacity": 0.3}
        return {"color": colour, "line": SEAM, "pattern": pattern}
    return {"color": colour, "line": SEAM}


def _bar_layout(plot: BarPlot, printer: Printer) -> Spec:
    ends = [math.fsum(part.length for part in bar.segments if part.length > 0) for bar in plot.bars]
    limit = [plot.limit] if plot.limit is not None else []
    rows = list(range(len(plot.bars)))
    names = [escaped(bar.name[printer.lang]) for bar in plot.bars]
    return {
        **_frame(),
        "barmode": "stack",
        "showlegend": False,
        "xaxis": _axis(plot.x, [0.0, *ends, *limit], printer),
        "yaxis": {"tickvals": rows, "ticktext": names, "range": [len(rows) - 0.5, -0.5], "automargin": True},
        "shapes": [_mark_shape(at) for at in limit],
        "annotations": [_limit_note(at, plot, printer) for at in limit],
    }


def _limit_note(at: float, plot: BarPlot, printer: Printer) -> Spec:
    text = escaped(limit_text(plot, printer.lang))
    return {"x": at, "y": 1, "yref": "paper", "yanchor": "bottom", "showarrow": False, "text": text}
