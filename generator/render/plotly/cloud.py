"""Clouds of requests as Plotly traces and layout."""

from __future__ import annotations

from typing import Final

from generator.render.files.run_names import run_name
from generator.render.plotly.parts import (
    Spec,
    axis_between,
    escaped,
    frame,
    hover_at,
    named,
    on_axis,
    room_left,
    scatter,
    title_above,
    title_below,
)
from generator.render.plotting.looks import PLOTLY_SYMBOLS, look_of
from generator.render.plotting.palette import LIGHT
from generator.render.plotting.scales import drawable
from generator.render.svg.axes import EDGE, ROW
from generator.render.svg.cloud import STEADY, latency_range, time_range
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Cloud, CloudPlot, FigureModel

SPARSE: Final = 300
"""Up to so many points they are drawn large."""

LARGE: Final = 7
SMALL: Final = 4
FAILED_SIZE: Final = 8
BAR: Final = 4


def cloud_traces(plot: CloudPlot, model: FigureModel, printer: Printer) -> list[Spec]:
    """Return a trace for each cloud, and one for the failed requests of each that has some."""
    answered = [_answered(cloud, plot, model, printer) for cloud in plot.clouds]
    failed = [_failed(cloud, plot, model, printer) for cloud in plot.clouds if cloud.failed]
    return [*answered, *failed]


def _answered(cloud: Cloud, plot: CloudPlot, model: FigureModel, printer: Printer) -> Spec:
    look = look_of(cloud.series, model.accents)
    points = [(x, y) for x, y in cloud.points if drawable(y, plot.y.scale)]
    return scatter(
        x=[x for x, _ in points],
        y=[y for _, y in points],
        name=escaped(run_name(cloud, printer)),
        mode="markers",
        marker={
            "symbol": PLOTLY_SYMBOLS[look.shape],
            "size": LARGE if len(points) <= SPARSE else SMALL,
            "color": LIGHT[look.accent],
            "opacity": 0.7,
        },
        hovertemplate=hover_at(plot.x, plot.y),
        meta={"accent": look.accent, "role": "cloud"},
    )


def _failed(cloud: Cloud, plot: CloudPlot, model: FigureModel, printer: Printer) -> Spec:
    look = look_of(cloud.series, model.accents)
    return scatter(
        x=list(cloud.failed),
        y=[latency_range(plot)[0]] * len(cloud.failed),
        name=escaped(run_name(cloud, printer)),
        mode="markers",
        marker={"symbol": "x-thin", "size": FAILED_SIZE, "color": LIGHT[look.accent], "line": {"width": 1.6}},
        hovertemplate=f"%{{fullData.name}}<br>%{{x:,.5~r}} {plot.x.unit}<br>×<extra></extra>",
        cliponaxis=False,
        showlegend=False,
        meta={"accent": look.accent, "role": "failed"},
    )


def cloud_layout(plot: CloudPlot, model: FigureModel, printer: Printer) -> Spec:
    """Return the layout: both axes, and above them the steady part of each cloud."""
    upright = axis_between(plot.y, *latency_range(plot), printer)
    left = room_left(upright)
    steady = [(cloud, cloud.window) for cloud in plot.clouds if cloud.window is not None]
    parts = [
        part
        for row, (cloud, window) in enumerate(reversed(steady))
        for part in _steady(window, look_of(cloud.series, model.accents).accent, ROW * row, plot, printer)
    ]
    return {
        **frame(left=left, top=ROW * (1 + len(steady)) + 2 * EDGE),
        "hovermode": "closest",
        "showlegend": len(plot.clouds) > 1,
        "xaxis": axis_between(plot.x, *time_range(plot), printer),
        "yaxis": upright,
        "shapes": [part for part in parts if "type" in part],
        "annotations": [
            title_above(plot.y, left, ROW * len(steady) + EDGE, printer),
            title_below(plot.x, printer),
            *(part for part in parts if "type" not in part),
        ],
    }


def _steady(window: tuple[float, float], accent: int, up: float, plot: CloudPlot, printer: Printer) -> list[Spec]:
    """Return the steady part: a bar above the plot, its name, and a shade over the plot where it is the only one."""
    begins, ends = window
    name = f"s{accent}"
    across = {"xref": "x", "x0": begins, "x1": ends}
    shade = {**across, "type": "rect", "yref": "paper", "y0": 0, "y1": 1, "layer": "below", "opacity": 0.07,
             "fillcolor": LIGHT[accent], "line": {"width": 0}, "name": name}  # fmt: skip
    bar = {**across, "type": "line", "yref": "paper", "ysizemode": "pixel", "yanchor": 1,
           "y0": up + BAR, "y1": up + BAR, "line": {"width": BAR, "color": LIGHT[accent]}, "name": name}  # fmt: skip
    note = {"x": on_axis(begins, plot.x), "xanchor": "left", "y": 1, "yref": "paper", "yanchor": "bottom",
            "yshift": up + BAR, "showarrow": False, "text": STEADY[printer.lang], "name": name}  # fmt: skip
    return [bar, note, *([shade] if len(plot.clouds) == 1 else [])]


def cloud_legend(plot: CloudPlot, printer: Printer) -> list[Spec]:
    """Return the clouds that stand in the legend: the page leaves as many rows as they take."""
    return [named(run_name(cloud, printer)) for cloud in plot.clouds]
