"""Quantities over time as Plotly traces and layout: an upright axis for each panel, one axis of time below them all."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from generator.render.files.run_names import run_name
from generator.render.files.traces import Run, run_of, runs_of_traces
from generator.render.plotly.marks import mark_lines, mark_notes
from generator.render.plotly.parts import (
    Spec,
    axis_between,
    escaped,
    frame,
    named,
    room_left,
    scatter,
    title_above,
    title_below,
)
from generator.render.plotting.looks import look_of, plotly_dash
from generator.render.plotting.palette import LIGHT
from generator.render.svg.axes import EDGE, ROW
from generator.render.svg.marks import drawable_marks
from generator.render.svg.trace import drawn_of, height_range, strokes_of, time_range
from generator.render.wording.numbers import Printer
from generator.told.figure_model import FigureModel, Panel, Trace, TracePlot

GAP: Final = 0.14
"""Share of the height that is free above each panel but the first, for its title."""


def trace_traces(plot: TracePlot, model: FigureModel, printer: Printer) -> list[Spec]:
    """Return a trace for each run in each panel; the legend has each run once."""
    found: list[Spec] = []
    named_already: set[Run] = set()
    strokes = strokes_of(plot)
    for number, panel in enumerate(plot.panels):
        for trace in drawn_of(panel):
            is_new = run_of(trace) not in named_already
            named_already.add(run_of(trace))
            shown = {"showlegend": is_new, "yaxis": _axis_name(number)}
            found.append(_line(trace, strokes[run_of(trace)], plot, panel, model, printer, shown))
    return found


def _axis_name(number: int) -> str:
    return "y" if number == 0 else f"y{number + 1}"


def _line(
    trace: Trace, stroke: str, plot: TracePlot, panel: Panel, model: FigureModel, printer: Printer, shown: Spec
) -> Spec:
    look = look_of(trace.series, model.accents)
    name = escaped(run_name(trace, printer))
    return scatter(
        x=[x for x, _ in trace.points],
        y=[y for _, y in trace.points],
        name=name,
        legendgroup=name,
        mode="lines",
        line={"color": LIGHT[look.accent], "width": 1.6, "dash": plotly_dash(stroke)},
        hovertemplate=f"%{{fullData.name}}<br>%{{x:,.4~r}} {plot.x.unit}<br>%{{y:,.5~r}} {panel.y.unit}<extra></extra>",
        meta={"accent": look.accent, "role": "trace"},
        **shown,
    )


def trace_layout(plot: TracePlot, printer: Printer) -> Spec:
    """Return the layout: the panels from top to bottom, each with its title, and what is marked on them."""
    marks = drawable_marks(plot.marks, plot.x)
    axes = [axis_between(panel.y, *height_range(panel), printer) for panel in plot.panels]
    left = max(room_left(axis) for axis in axes)
    domains = list(_domains(len(axes)))
    uprights = {
        f"yaxis{number + 1}" if number else "yaxis": axis | {"domain": list(domain), "anchor": "x"}
        for number, (axis, domain) in enumerate(zip(axes, domains, strict=True))
    }
    titles = [
        title_above(panel.y, left, EDGE + (ROW * len(marks) if top == 1 else 0), printer, top=top)
        for panel, (_, top) in zip(plot.panels, domains, strict=True)
    ]
    return {
        **frame(left=left, top=ROW * (1 + len(marks)) + 2 * EDGE),
        "hovermode": "closest",
        "showlegend": len(runs_of_traces(plot, drawn=True)) > 1,
        "xaxis": axis_between(plot.x, *time_range(plot), printer) | {"anchor": _axis_name(len(axes) - 1)},
        **uprights,
        "shapes": mark_lines(marks),
        "annotations": [*titles, title_below(plot.x, printer), *mark_notes(marks, plot.x, printer)],
    }


def _domains(count: int) -> Iterator[tuple[float, float]]:
    """Yield from where to where each panel reaches, of the whole height, the topmost first."""
    tall = (1 - GAP * (count - 1)) / count
    for number in range(count):
        top = 1 - number * (tall + GAP)
        yield max(round(top - tall, 6), 0.0), round(top, 6)


def trace_legend(plot: TracePlot, printer: Printer) -> list[Spec]:
    """Return the runs that stand in the legend: the page leaves as many rows as they take."""
    return [named(run_name(run, printer)) for run in runs_of_traces(plot, drawn=True)]
