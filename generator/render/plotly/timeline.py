"""The requests of a run as bars over its clock, as Plotly traces and layout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from generator.render.files.timelines import NOT_ANSWERED, STAGES, failed_of, stages_of
from generator.render.plotly.marks import INK
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
from generator.render.plotting.axis_texts import amount_text
from generator.render.plotting.looks import look_of
from generator.render.plotting.palette import LIGHT
from generator.render.svg.axes import EDGE, ROW, SHEETS
from generator.render.svg.timeline import STRIP, THICKNESS, plot_height, window_of
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Axis, FigureModel, Stage, Strip, TimelinePlot

OPACITY: Final[dict[Stage, float]] = {"queue": 0.7, "prefill": 0.45, "wait": 0.45, "decode": 1.0}
VEIL: Final = 0.3
SLENDER: Final = 0.8
"""How much thinner bars are than in the static drawing: a live line keeps its width where the page is narrow."""
TICK: Final = 9
SIGNS: Final = 0.2
"""How high in its strip stands what happened, as a share of it; the name is above that."""
NAMES: Final = 0.4
GROUND: Final = "#ffffff"
"""Behind the names of strips; the page gives it its own colour of paper."""


def timeline_traces(plot: TimelinePlot, model: FigureModel, printer: Printer) -> list[Spec]:
    """Return a trace for each stage, one for what failed, and one for each strip."""
    bars = [_stage(stage, plot, model, printer) for stage in stages_of(plot)]
    failed = [_failed(plot, model, printer)] if failed_of(plot) else []
    return [*bars, *failed, *(_strip(strip, row, plot, printer) for row, strip in enumerate(plot.strips))]


def _stage(stage: Stage, plot: TimelinePlot, model: FigureModel, printer: Printer) -> Spec:
    xs: list[float | None] = []
    ys: list[float | None] = []
    texts: list[str | None] = []
    for course in plot.courses:
        for one in (one for one in course.stretches if one.stage == stage):
            told = f"#{course.number} · {_span(one.begin, one.end, plot.x, printer)}"
            xs += [one.begin, one.end, None]
            ys += [course.lane + 0.5, course.lane + 0.5, None]
            texts += [told, told, None]
    look = look_of(plot.series, model.accents)
    row = min(plot_height(plot, sheet) for sheet in SHEETS.values()) / max(plot.lanes, 1)
    wide = max(1.0, round(SLENDER * THICKNESS[stage] * row, 1))
    return scatter(
        x=xs, y=ys, text=texts, mode="lines", name=escaped(STAGES[stage][printer.lang]), opacity=OPACITY[stage],
        line={"color": LIGHT[look.accent], "width": wide}, hovertemplate="%{fullData.name}<br>%{text}<extra></extra>",
        meta={"accent": look.accent, "role": "stretch"},
    )  # fmt: skip


def _span(begin: float, end: float, axis: Axis, printer: Printer) -> str:
    return escaped(f"{amount_text(begin, axis, printer.lang)} – {amount_text(end, axis, printer.lang)}")


def _failed(plot: TimelinePlot, model: FigureModel, printer: Printer) -> Spec:
    look, failed = look_of(plot.series, model.accents), failed_of(plot)
    return scatter(
        x=[one.sent for one in failed], y=[one.lane + 0.5 for one in failed], text=[f"#{one.number}" for one in failed],
        mode="markers", name=NOT_ANSWERED[printer.lang], hovertemplate="%{fullData.name}<br>%{text}<extra></extra>",
        marker={"symbol": "x-thin", "size": TICK, "color": LIGHT[look.accent], "line": {"width": 1.6}},
        meta={"accent": look.accent, "role": "failed"},
    )  # fmt: skip


def _strip(strip: Strip, row: int, plot: TimelinePlot, printer: Printer) -> Spec:
    height = _height(plot, len(plot.strips) - row - 1 + SIGNS)
    if strip.spans:
        shown: dict[str, Any] = {
            "x": [x for begin, end in strip.spans for x in (begin, end, None)],
            "y": [y for _ in strip.spans for y in (height, height, None)],
            "mode": "lines",
            "line": {"color": INK, "width": 4},
        }
    else:
        shown = {
            "x": list(strip.moments),
            "y": [height] * len(strip.moments),
            "mode": "markers",
            "marker": {"symbol": "line-ns", "size": TICK, "color": INK, "line": {"width": 1.4, "color": INK}},
        }
    return scatter(
        name=escaped(strip.name[printer.lang]),
        hovertemplate=f"%{{fullData.name}}<br>%{{x:,.5~r}} {plot.x.unit}<extra></extra>",
        showlegend=False,
        meta={"role": "mark"},
        **shown,
    )


def _height(plot: TimelinePlot, strips: float) -> float:
    """Return how high some strips reach above the bars, in rows of bars."""
    return max(plot.lanes, 1) * (1 + strips * (ROW + STRIP) / plot_height(plot, SHEETS["wide"]))


def timeline_layout(plot: TimelinePlot, printer: Printer) -> Spec:
    """Return the layout: both axes, the names of the strips, and the stalls over the bars."""
    lanes = float(max(plot.lanes, 1))
    upright = axis_between(plot.y, 0.0, lanes, printer)
    upright["range"] = [0.0, _height(plot, len(plot.strips))]
    left = room_left(upright)
    return {
        **frame(left=left, top=ROW + 2 * EDGE),
        "hovermode": "closest",
        "showlegend": True,
        "xaxis": axis_between(plot.x, *window_of(plot), printer),
        "yaxis": upright,
        "shapes": [_veil(begin, end, lanes) for begin, end in plot.stalls],
        "annotations": [title_above(plot.y, left, EDGE, printer), title_below(plot.x, printer), *_names(plot, printer)],
    }


def _veil(begin: float, end: float, lanes: float) -> Spec:
    return {"type": "rect", "x0": begin, "x1": end, "y0": 0, "y1": lanes, "layer": "above", "opacity": VEIL,
            "fillcolor": INK, "line": {"width": 0}}  # fmt: skip


def _names(plot: TimelinePlot, printer: Printer) -> Sequence[Spec]:
    """Return the name of each strip, inside the plot where its row begins, on a ground that no sign shines through."""
    shared = {"x": 0, "xref": "paper", "xanchor": "left", "yanchor": "bottom", "showarrow": False, "name": "title",
              "bgcolor": GROUND}  # fmt: skip
    return [
        {**shared, "y": _height(plot, len(plot.strips) - row - 1 + NAMES), "text": escaped(strip.name[printer.lang])}
        for row, strip in enumerate(plot.strips)
    ]


def timeline_legend(plot: TimelinePlot, printer: Printer) -> list[Spec]:
    """Return what stands in the legend: the stages, and what failed."""
    names = [STAGES[stage][printer.lang] for stage in stages_of(plot)]
    return [named(name) for name in [*names, *([NOT_ANSWERED[printer.lang]] if failed_of(plot) else [])]]
