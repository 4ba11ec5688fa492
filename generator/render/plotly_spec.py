"""Figures as Plotly specs: plain JSON that the page's script draws, and colours by theme."""

from __future__ import annotations

from typing import Any

import plotly.graph_objects as go

from generator.figure_model import FigureModel, LinePlot
from generator.render.numbers import Printer
from generator.render.plotly_bars import bar_layout, bar_traces
from generator.render.plotly_lines import end_labels, line_layout, line_traces
from generator.render.plotly_parts import Spec


def spec(model: FigureModel, printer: Printer) -> Spec:
    """Return the spec of a figure: checked by plotly.py, made of lists, numbers and text only.

    Each trace says in ``meta`` which accent it has and what it is, so that the page can colour it; its own
    colours are those of light pages. ``customdata`` holds the anchor of each value and why a point is spoilt.
    ``labels`` are the names of lines and where these end: the page sets them there where they have room, and
    shows a legend where they have not.
    """
    if isinstance(model.plot, LinePlot):
        traces = line_traces(model.plot, model, printer)
        layout, labels = line_layout(model.plot, printer), end_labels(model.plot, model, printer)
    else:
        traces = bar_traces(model.plot, model, printer)
        layout, labels = bar_layout(model.plot, printer), []
    data = [_plain(trace.to_plotly_json()) for trace in traces]
    return {"data": data, "layout": _plain(go.Layout(**layout).to_plotly_json()), "labels": labels}


def _plain(thing: Any) -> Any:  # noqa: ANN401  # whatever plotly.py holds
    if isinstance(thing, dict):
        return {key: _plain(part) for key, part in thing.items()}
    return [_plain(part) for part in thing] if isinstance(thing, list | tuple) else thing
