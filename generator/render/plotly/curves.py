"""Distributions as Plotly traces and layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.render.files.run_names import level_and_trial, run_name
from generator.render.plotly.parts import (
    HOVER,
    Spec,
    axis_between,
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
from generator.render.plotting.axis_texts import in_axis_unit
from generator.render.plotting.curve_places import (
    BELOW_CURVE,
    BESIDE,
    Box,
    dot_places,
    name_boxes,
    path_of,
    value_range,
)
from generator.render.plotting.looks import PLOTLY_DASHES, PLOTLY_SYMBOLS, look_of
from generator.render.plotting.palette import LIGHT
from generator.render.svg.axes import EDGE, ROW, SHEETS
from generator.render.svg.curves import curve_field, level_names, width_of
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Curve, CurvePlot, FigureModel
from generator.told.sentence import SeriesName

MARKER: Final = 8


def curve_traces(plot: CurvePlot, model: FigureModel, printer: Printer) -> list[Spec]:
    """Return a trace for each curve, and one for the markers of each series, which stands in the legend."""
    series = dict.fromkeys(curve.series for curve in plot.drawn)
    curves = [_curve(curve, plot, model, printer) for curve in plot.drawn]
    return [*curves, *(_dots(one, plot, model, printer) for one in series)]


def _curve(curve: Curve, plot: CurvePlot, model: FigureModel, printer: Printer) -> Spec:
    look = look_of(curve.series, model.accents)
    points = [(x, y) for x, y in curve.points if x > 0 or plot.x.scale == "linear"]
    return scatter(
        x=[x for x, _ in points],
        y=[y for _, y in points],
        name=escaped(run_name(curve, printer)),
        mode="lines",
        line={
            "color": LIGHT[look.accent],
            "width": round(width_of(curve), 2),
            "shape": "hv" if curve.is_whole else "linear",
            "dash": PLOTLY_DASHES[look.dash],
        },
        hovertemplate=f"%{{fullData.name}}<br>%{{x:,.5~r}} {plot.x.unit}<br>%{{y:.4~r}}{plot.y.unit}<extra></extra>",
        showlegend=False,
        meta={"accent": look.accent, "role": "curve"},
    )


def _dots(series: str, plot: CurvePlot, model: FigureModel, printer: Printer) -> Spec:
    look = look_of(series, model.accents)
    dots = [(curve, dot) for curve in plot.drawn if curve.series == series for dot in curve.dots]
    texts = [
        f"{level_and_trial(curve, printer)} {dot.name[printer.lang]} "
        + printer.plain(in_axis_unit(dot.address, plot.x, printer))
        for curve, dot in dots
    ]
    return scatter(
        x=[dot.x for _, dot in dots],
        y=[dot.y for _, dot in dots],
        name=escaped(printer.plain(SeriesName(series))),
        mode="markers",
        marker={
            "symbol": PLOTLY_SYMBOLS[look.shape],
            "size": MARKER,
            "color": LIGHT[look.accent],
            "line": {"width": 1},
        },
        text=[folded(text, printer.lang) for text in texts],
        customdata=[[printer.anchors.get(dot.address, ""), ""] for _, dot in dots],
        hovertemplate=HOVER,
        cliponaxis=False,
        meta={"accent": look.accent, "role": "dots"},
    )


def curve_layout(plot: CurvePlot, model: FigureModel, printer: Printer) -> Spec:
    """Return the layout: both axes, and the names of levels where they have room on the wide drawing."""
    upright = axis_of(plot.y, [0.0, 100.0], printer)
    left = room_left(upright)
    several = len({curve.series for curve in plot.drawn}) > 1
    return {
        **frame(left=left, top=ROW + 2 * EDGE),
        "hovermode": "closest",
        "showlegend": several,
        "xaxis": axis_between(plot.x, *value_range(plot), printer),
        "yaxis": upright,
        "annotations": [
            title_above(plot.y, left, EDGE, printer),
            title_below(plot.x, printer),
            *_level_notes(plot, model.accents, printer),
        ],
    }


def _level_notes(plot: CurvePlot, accents: Mapping[str, int], printer: Printer) -> list[Spec]:
    field = curve_field(plot, SHEETS["wide"], printer)
    names = level_names(plot.drawn, printer)
    boxes = name_boxes(names, [path_of(curve, field) for curve in plot.drawn], dot_places(plot, field), field)
    notes = []
    for curve, name, box in zip(plot.drawn, names, boxes, strict=True):
        if box is not None:
            share = (box.x - field.left) / (field.right - field.left)
            notes.append(_note(name, share, box, look_of(curve.series, accents).accent, plot))
    return notes


def _note(name: str, share: float, box: Box, accent: int, plot: CurvePlot) -> Spec:
    """Return the name of a level beside its curve, which is at some share of the width."""
    low, high = (on_axis(value, plot.x) for value in value_range(plot))
    is_right = box.side == "right"
    return {"x": low + share * (high - low), "xanchor": "left" if is_right else "right",
            "xshift": BESIDE if is_right else -BESIDE, "y": box.height, "yanchor": "middle",
            "yshift": -BELOW_CURVE if is_right else BELOW_CURVE,
            "showarrow": False, "text": escaped(name), "name": f"s{accent}"}  # fmt: skip


def curve_legend(plot: CurvePlot, printer: Printer) -> list[Spec]:
    """Return the series that stand in the legend: the page leaves as many rows as they take."""
    series = dict.fromkeys(curve.series for curve in plot.drawn)
    return [named(printer.plain(SeriesName(one))) for one in series]
