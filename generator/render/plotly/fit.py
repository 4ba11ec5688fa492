"""Points with the curves that were fitted to them, as Plotly traces and layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.render.files.fit import has_place
from generator.render.plotly.marks import mark_lines, mark_notes, mark_traces
from generator.render.plotly.parts import (
    HOVER,
    Spec,
    axis_between,
    escaped,
    folded,
    frame,
    hover_at,
    named,
    room_left,
    scatter,
    title_above,
    title_below,
)
from generator.render.plotting.axis_texts import amount_text, in_axis_unit
from generator.render.plotting.looks import PLOTLY_SYMBOLS, look_of, plotly_dash
from generator.render.plotting.palette import LIGHT
from generator.render.svg.axes import EDGE, ROW
from generator.render.svg.fit import SPARSE, dashes, ranges
from generator.render.svg.marks import drawable_marks
from generator.render.wording.numbers import Printer
from generator.told.figure_model import FigureModel, FitPlot, Scatter, Spot, Trend
from generator.told.sentence import LevelName, SeriesName

LARGE: Final = 9
SMALL: Final = 4


def fit_traces(plot: FitPlot, model: FigureModel, printer: Printer) -> list[Spec]:
    """Return a trace for the points of each series, one for each trend, and one for the dots of marks."""
    points = [_points(cloud, plot, model, printer) for cloud in plot.scatters]
    trends = [
        _trend(trend, dash, plot, model, printer) for trend, dash in zip(plot.trends, dashes(plot.trends), strict=True)
    ]
    return [*points, *trends, *mark_traces(drawable_marks(plot.marks, plot.x), plot.y)]


def _points(cloud: Scatter, plot: FitPlot, model: FigureModel, printer: Printer) -> Spec:
    look = look_of(cloud.series, model.accents)
    spots = [spot for spot in cloud.spots if has_place(spot.x, spot.y, plot)]
    is_sparse = len(spots) <= SPARSE
    told = _hovers(cloud.series, spots, plot, printer) if is_sparse else {"hovertemplate": hover_at(plot.x, plot.y)}
    return scatter(
        x=[spot.x for spot in spots],
        y=[spot.y for spot in spots],
        name=escaped(printer.plain(SeriesName(cloud.series))),
        mode="markers",
        marker={
            "symbol": PLOTLY_SYMBOLS[look.shape],
            "size": LARGE if is_sparse else SMALL,
            "color": LIGHT[look.accent],
            "opacity": 1 if is_sparse else 0.7,
        },
        cliponaxis=False,
        meta={"accent": look.accent, "role": "points"},
        **told,
    )


def _hovers(series: str, spots: Sequence[Spot], plot: FitPlot, printer: Printer) -> Spec:
    """Return what few points say when they are asked, and the way to the derivation of each."""
    anchors = [printer.anchors.get(spot.address, "") if spot.address is not None else "" for spot in spots]
    return {
        "text": [folded(_told(series, spot, plot, printer), printer.lang) for spot in spots],
        "customdata": [[anchor, ""] for anchor in anchors],
        "hovertemplate": HOVER,
    }


def _told(series: str, spot: Spot, plot: FitPlot, printer: Printer) -> str:
    """Return what a point says when it is asked: its level, and where it stands."""
    lang = printer.lang
    height = amount_text(spot.y, plot.y, lang)
    if spot.address is not None:
        height = printer.plain(in_axis_unit(spot.address, plot.y, printer))
    return f"{printer.plain(LevelName(series, spot.level))} · {amount_text(spot.x, plot.x, lang)} · {height}"


def _trend(trend: Trend, dash: str, plot: FitPlot, model: FigureModel, printer: Printer) -> Spec:
    look = look_of(trend.series, model.accents)
    places = [(x, y) for x, y in trend.points if has_place(x, y, plot)]
    return scatter(
        x=[x for x, _ in places],
        y=[y for _, y in places],
        name=escaped(trend.name[printer.lang]),
        mode="lines",
        line={"color": LIGHT[look.accent], "width": 1.2 if trend.role == "floor" else 1.6, "dash": plotly_dash(dash)},
        hovertemplate=hover_at(plot.x, plot.y),
        meta={"accent": look.accent, "role": trend.role},
    )


def fit_layout(plot: FitPlot, printer: Printer) -> Spec:
    """Return the layout: both axes, and what is marked on them."""
    across, up = ranges(plot)
    marks = drawable_marks(plot.marks, plot.x)
    upright = axis_between(plot.y, *up, printer)
    left = room_left(upright)
    return {
        **frame(left=left, top=ROW * (1 + len(marks)) + 2 * EDGE),
        "hovermode": "closest",
        "showlegend": True,
        "xaxis": axis_between(plot.x, *across, printer),
        "yaxis": upright,
        "shapes": mark_lines(marks),
        "annotations": [
            title_above(plot.y, left, ROW * len(marks) + EDGE, printer),
            title_below(plot.x, printer),
            *mark_notes(marks, plot.x, printer),
        ],
    }


def fit_legend(plot: FitPlot, printer: Printer) -> list[Spec]:
    """Return what stands in the legend: the page leaves as many rows as it takes."""
    points = [printer.plain(SeriesName(cloud.series)) for cloud in plot.scatters]
    return [named(name) for name in (*points, *(trend.name[printer.lang] for trend in plot.trends))]
