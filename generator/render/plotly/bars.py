"""Stacked bars as Plotly traces and layout."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from generator.render.files.figures import limit_text, segment_text
from generator.render.plotly.parts import HOVER, Spec, axis_of, escaped, frame, title_below, upright_line
from generator.render.plotting.looks import accent_of
from generator.render.plotting.palette import LIGHT, LIGHT_SURFACE
from generator.render.svg.axes import EDGE, ROW
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Bar, BarPlot, FigureModel, Segment

SEAM: Final = {"color": LIGHT_SURFACE, "width": 1.5}
CLEAR: Final = "rgba(0,0,0,0)"
INDENT: Final = "\u2002"
"""Before the label of a bar, which Plotly would set against its edge."""


def bar_traces(plot: BarPlot, model: FigureModel, printer: Printer) -> list[Spec]:
    """Return a trace for each part of each bar."""
    return [
        _bar_trace(part, row, bar, accent_of(bar.series, model.accents), plot, printer)
        for row, bar in enumerate(plot.bars)
        for part in bar.segments
        if math.isfinite(part.length) and part.length >= 0
    ]


def _bar_trace(part: Segment, row: int, bar: Bar, accent: int, plot: BarPlot, printer: Printer) -> Spec:
    told = f"{printer.words(part.name)} {segment_text(part, plot.x, printer)}"
    return {
        "type": "bar",
        "x": [part.length],
        "y": [row],
        "orientation": "h",
        "name": escaped(printer.words(bar.name)),
        "text": [INDENT + escaped(told)],
        "insidetextanchor": "start",
        "textangle": 0,
        "textposition": "auto",
        "marker": _fill(part, LIGHT[accent]),
        "customdata": [[_anchor(part, printer), ""]],
        "hovertemplate": HOVER,
        "meta": {"accent": accent, "role": part.fill},
    }


def _anchor(part: Segment, printer: Printer) -> str:
    return printer.anchors.get(part.address, "") if part.address is not None else ""


def _fill(part: Segment, colour: str) -> Spec:
    if part.fill == "empty":
        return {"color": CLEAR, "line": {"color": colour, "width": 1}}
    if part.fill == "hatched":
        pattern = {"shape": "/", "fillmode": "overlay", "size": 7, "fgopacity": 0.3}
        return {"color": colour, "line": SEAM, "pattern": pattern}
    return {"color": colour, "line": SEAM}


def bar_layout(plot: BarPlot, printer: Printer) -> Spec:
    """Return the layout: bars one below the other, each below its name, up to the limit."""
    ends = [math.fsum(part.length for part in bar.segments if part.length > 0) for bar in plot.bars]
    limit = [plot.limit] if plot.limit is not None else []
    x = axis_of(plot.x, [0.0, *ends, *limit], printer)
    return {
        **frame(left=2 * EDGE, top=ROW + 2 * EDGE if limit else EDGE),
        "barmode": "stack",
        "bargap": 0.48,
        "showlegend": False,
        "xaxis": x,
        "yaxis": {
            "showticklabels": False,
            "ticks": "",
            "showgrid": False,
            "zeroline": False,
            "range": [len(plot.bars) - 0.5, -0.5],
        },
        "shapes": [upright_line(at) for at in limit],
        "annotations": [
            title_below(plot.x, printer),
            *(_name_above(row, bar, printer) for row, bar in enumerate(plot.bars)),
            *(_limit_note(at, x["range"], plot, printer) for at in limit),
        ],
    }


def _name_above(row: int, bar: Bar, printer: Printer) -> Spec:
    text = escaped(printer.words(bar.name))
    return {"x": 0, "xref": "paper", "xanchor": "left", "y": row - 0.5, "yanchor": "top", "showarrow": False,
            "text": text}  # fmt: skip


def _limit_note(at: float, shown: Sequence[float], plot: BarPlot, printer: Printer) -> Spec:
    side = "right" if at > sum(shown) / 2 else "left"
    return {"x": at, "xanchor": side, "y": 1, "yref": "paper", "yanchor": "bottom", "showarrow": False,
            "text": escaped(limit_text(plot, printer.lang))}  # fmt: skip
