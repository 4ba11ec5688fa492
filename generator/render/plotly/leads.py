"""Strips of who leads where as Plotly traces and layout."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.render.files.leads import reach_text
from generator.render.plotly.parts import Spec, axis_of, escaped, folded, frame, named, scatter, title_below
from generator.render.plotting.lead_places import (
    BAR,
    SIGNS,
    Placed,
    ends_of,
    leaders,
    name_of,
    placed,
    strips_of,
    unsettled,
)
from generator.render.plotting.looks import accent_of
from generator.render.plotting.palette import LIGHT
from generator.render.plotting.scales import drawable
from generator.render.svg.axes import EDGE, SHEETS
from generator.render.wording.markup import shortened
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Basis, FigureModel, LeadPlot, Reach

HATCH: Final = {"shape": "/", "size": 7, "solidity": 0.15, "fillmode": "replace"}
SIGN: Final = 12
CLEAR: Final = "rgba(0,0,0,0)"
"""No fill; the page keeps it whatever its colours are."""


def lead_traces(plot: LeadPlot, model: FigureModel, printer: Printer) -> list[Spec]:
    """Return a trace for each stretch, and entries of the legend for who is ahead and for what is not solid."""
    strips, _ = placed(plot, printer)
    reaches = [(reach, bar) for strip, bar in strips_of(strips) for reach in strip.reaches]
    drawn = [pair for pair in reaches if all(drawable(end, plot.x.scale) for end in (pair[0].begin, pair[0].end))]
    stretches = [_stretch(reach, top, plot, model, printer) for reach, top in drawn]
    entries = [_entry(leader, model, printer) for leader in leaders(plot)]
    return [*stretches, *entries, *(_sign(basis, printer) for basis in unsettled(plot))]


def _stretch(reach: Reach, top: float, plot: LeadPlot, model: FigureModel, printer: Printer) -> Spec:
    meta = _meta(reach.leader, model.accents)
    return scatter(
        x=[reach.begin, reach.end, reach.end, reach.begin, reach.begin],
        y=[top, top, top + BAR, top + BAR, top],
        mode="lines",
        line={"color": LIGHT[meta["accent"]], "width": 0.7},
        fill="toself",
        **_fill(reach.leader, reach.basis, meta["accent"]),
        hoveron="fills",
        hoverinfo="text",
        text=folded(reach_text(reach, plot, printer), printer.lang),
        name=escaped(name_of(reach.leader, printer)),
        showlegend=False,
        meta=meta,
    )


def _fill(leader: str | None, basis: Basis, accent: int) -> Spec:
    """Return how a stretch is filled; one at which neither leads is as it is, whatever it rests on."""
    if leader is None or basis == "measured":
        return {"fillcolor": LIGHT[accent]}
    return {"fillcolor": LIGHT[accent], "fillpattern": HATCH} if basis == "open" else {"fillcolor": CLEAR}


def _sign(basis: Basis, printer: Printer) -> Spec:
    """Return an entry of the legend for what is not solid, in the colour of no series."""
    return scatter(
        x=[None],
        y=[None],
        mode="lines",
        line={"color": LIGHT[0], "width": 0.7},
        fill="toself",
        **_fill("", basis, 0),
        name=SIGNS[basis][printer.lang],
        hoverinfo="skip",
        meta=_meta(None, {}),
    )


def _entry(leader: str | None, model: FigureModel, printer: Printer) -> Spec:
    meta = _meta(leader, model.accents)
    return scatter(
        x=[None],
        y=[None],
        mode="markers",
        marker={"symbol": "square", "size": SIGN, "color": LIGHT[meta["accent"]]},
        name=escaped(name_of(leader, printer)),
        hoverinfo="skip",
        meta=meta,
    )


def _meta(leader: str | None, accents: Mapping[str, int]) -> Spec:
    if leader is None:
        return {"accent": 0, "role": "even"}
    return {"accent": accent_of(leader, accents), "role": "lead"}


def lead_layout(plot: LeadPlot, model: FigureModel, printer: Printer) -> Spec:
    """Return the layout: strips below each other, each below its name; heights are in pixels of the static drawing."""
    strips, height = placed(plot, printer)
    return {
        **frame(left=EDGE, top=3 * EDGE),
        "hovermode": "closest",
        "showlegend": True,
        "xaxis": axis_of(plot.x, ends_of(plot), printer),
        "yaxis": {
            "showticklabels": False,
            "ticks": "",
            "showgrid": False,
            "zeroline": False,
            "showline": False,
            "range": [height, 0.0],
        },
        "annotations": [title_below(plot.x, printer), *(_words(one, model) for one in strips)],
    }


def _words(one: Placed, model: FigureModel) -> Spec:
    text = escaped(shortened(one.words, SHEETS["narrow"].width))
    of_series = {"name": f"s{accent_of(one.of, model.accents)}"} if isinstance(one.of, str) else {}
    return {"x": 0, "xref": "paper", "xanchor": "left", "y": one.base, "yanchor": "bottom", "yshift": 2,
            "showarrow": False, "borderpad": 0, "text": text, **of_series}  # fmt: skip


def lead_legend(plot: LeadPlot, printer: Printer) -> list[Spec]:
    """Return what stands in the legend: the page leaves as many rows as it takes."""
    names = [name_of(leader, printer) for leader in leaders(plot)]
    return [named(name) for name in (*names, *(SIGNS[basis][printer.lang] for basis in unsettled(plot)))]
