"""Figures as Plotly specs: plain JSON that the page's script draws, and colours by theme."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import plotly.graph_objects as go

from generator.render.plotly.bars import bar_layout, bar_traces
from generator.render.plotly.cloud import cloud_layout, cloud_legend, cloud_traces
from generator.render.plotly.curves import curve_layout, curve_legend, curve_traces
from generator.render.plotly.fit import fit_layout, fit_legend, fit_traces
from generator.render.plotly.leads import lead_layout, lead_legend, lead_traces
from generator.render.plotly.lines import end_labels, line_layout, line_traces
from generator.render.plotly.parts import Spec
from generator.render.plotly.timeline import timeline_layout, timeline_legend, timeline_traces
from generator.render.plotly.trace import trace_layout, trace_legend, trace_traces
from generator.render.wording.numbers import Printer
from generator.told.figure_model import (
    BarPlot,
    CloudPlot,
    CurvePlot,
    FigureModel,
    FitPlot,
    LeadPlot,
    LinePlot,
    TracePlot,
)

KINDS: Final = {"scatter": go.Scatter, "bar": go.Bar}


def spec(model: FigureModel, printer: Printer) -> Spec:
    """Return the spec of a figure, as it is to be checked.

    Each trace says in ``meta`` which accent it has and what it is, so that the page can colour it; its own
    colours are those of light pages. ``customdata`` holds the anchor of each value and why a point is spoilt.
    ``labels`` are the names of lines and where these end: the page sets them there where they have room, and
    shows a legend where they have not; ``legend`` are the entries of a legend that is there in any case.
    """
    traces, layout, names = _drawn(model, printer)
    return {"data": list(traces), "layout": layout, **names}


def check(made: Spec) -> None:
    """Have plotly.py read a spec.

    Raises:
        ValueError: plotly.py does not know some part of it.
    """
    for trace in made["data"]:
        KINDS[trace["type"]](trace)
    go.Layout(made["layout"])


def _drawn(model: FigureModel, printer: Printer) -> tuple[Sequence[Spec], Spec, Spec]:
    """Return the traces, the layout, and the names that the page sets itself."""
    names: Spec = {"labels": []}
    traces: Sequence[Spec]
    match model.plot:
        case LinePlot() as plot:
            names = {"labels": end_labels(plot, model, printer)}
            traces, layout = line_traces(plot, model, printer), line_layout(plot, printer)
        case BarPlot() as plot:
            traces, layout = bar_traces(plot, model, printer), bar_layout(plot, printer)
        case CurvePlot() as plot:
            names |= {"legend": curve_legend(plot, printer)}
            traces, layout = curve_traces(plot, model, printer), curve_layout(plot, model, printer)
        case CloudPlot() as plot:
            names |= {"legend": cloud_legend(plot, printer)}
            traces, layout = cloud_traces(plot, model, printer), cloud_layout(plot, model, printer)
        case FitPlot() as plot:
            names |= {"legend": fit_legend(plot, printer)}
            traces, layout = fit_traces(plot, model, printer), fit_layout(plot, printer)
        case TracePlot() as plot:
            names |= {"legend": trace_legend(plot, printer)}
            traces, layout = trace_traces(plot, model, printer), trace_layout(plot, printer)
        case LeadPlot() as plot:
            names |= {"legend": lead_legend(plot, printer)}
            traces, layout = lead_traces(plot, model, printer), lead_layout(plot, model, printer)
        case plot:
            names |= {"legend": timeline_legend(plot, printer)}
            traces, layout = timeline_traces(plot, model, printer), timeline_layout(plot, printer)
    return traces, layout, names
