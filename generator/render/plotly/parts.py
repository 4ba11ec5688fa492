"""What the specs of all figures share: text, margins and axes, as Plotly wants them."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterable
from typing import Any, Final

from generator.render.plotting.axis_texts import axis_title
from generator.render.plotting.scales import snapped, span, tick_name, ticks
from generator.render.svg.axes import BELOW, EDGE, TICK_GAP, TICK_SIZE
from generator.render.svg.key import MOST_LINES
from generator.render.svg.lines import WIDEST_LABEL
from generator.render.wording.markup import BOLD, TEXT_SIZE, in_lines, text_width
from generator.render.wording.numbers import Printer
from generator.text import Lang
from generator.told.figure_model import Axis

HOVER: Final = "%{fullData.name}<br>%{text}<extra></extra>"
"""What a hover box says; bold text would be an inline style, which the page's policy forbids."""

HOVER_WIDTH: Final[dict[Lang, int]] = {"zh": 32, "en": 60}
"""Letters in a line of a hover box."""

MOST_TICKS: Final = 12
TITLE_BELOW: Final = 22
"""From an axis down to its title, in pixels: past the labels of the ticks."""

PSEUDO_HTML: Final = str.maketrans({"&": "&amp;", "<": "&lt;", ">": "&gt;"})

Spec = dict[str, Any]


def scatter(**given: Any) -> Spec:  # whatever Plotly has for points and lines
    """Return a trace of points or lines; what is None is left to Plotly."""
    return {"type": "scatter", **{name: part for name, part in given.items() if part is not None}}


def escaped(text: str) -> str:
    """Return a text that Plotly, which reads some HTML in labels, shows as it is."""
    return text.translate(PSEUDO_HTML)


def folded(text: str, lang: Lang) -> str:
    """Return a text in lines that fit into a hover box."""
    return "<br>".join(escaped(line) for line in textwrap.wrap(text, HOVER_WIDTH[lang]))


def hover_at(x: Axis, y: Axis) -> str:
    """Return what the hover box of a point says that has no text of its own: where it stands."""
    return f"%{{fullData.name}}<br>%{{x:,.5~r}} {x.unit}<br>%{{y:,.5~r}} {y.unit}<extra></extra>"


def named(name: str) -> Spec:
    """Return a name as the page sets it beside a line or into a legend, with the room that it takes."""
    lines = in_lines(name, WIDEST_LABEL / BOLD, MOST_LINES)
    width = round(max(text_width(line) for line in lines))
    return {"name": escaped(name), "text": "<br>".join(map(escaped, lines)), "width": width}


def frame(*, left: float, top: float) -> Spec:
    """Return margins and legend; ``left`` and ``top`` are the room there, in pixels."""
    return {
        "font": {"size": TEXT_SIZE},
        "margin": {"l": round(left), "r": 24, "t": round(top), "b": round(BELOW)},
        "legend": {"orientation": "h", "yref": "container", "y": 0, "yanchor": "bottom", "traceorder": "normal",
                   "maxheight": 1},
    }  # fmt: skip


def axis_of(axis: Axis, values: Iterable[float], printer: Printer, *, upright: bool = False) -> Spec:
    """Return an axis that shows some values; the upright one reaches to the next tick."""
    low, high = span(axis, values)
    low, high = snapped(low, high, axis.scale) if upright else (low, high)
    return axis_between(axis, low, high, printer)


def axis_between(axis: Axis, low: float, high: float, printer: Printer) -> Spec:
    """Return an axis from one value to another."""
    positions = ticks(axis, low, high, MOST_TICKS)
    return {
        "tickfont": {"size": TICK_SIZE},
        "type": axis.scale,
        "tickangle": 0,
        "range": [math.log10(low), math.log10(high)] if axis.scale == "log" else [low, high],
        "tickvals": positions,
        "ticktext": [tick_name(axis, tick, printer.lang) for tick in positions],
    }


def room_left(upright: Spec) -> float:
    """Return the room that the labels of an upright axis take, in pixels."""
    return EDGE + max((text_width(tick, TICK_SIZE) for tick in upright["ticktext"]), default=0.0) + 2 * TICK_GAP


def title_above(axis: Axis, left: float, up: float, printer: Printer, *, top: float = 1) -> Spec:
    """Return the title of an upright axis, set above it: Chinese is not read sideways.

    Args:
        axis: which one.
        left: the room to the left of the plot, in pixels.
        up: how much higher than the axis the title stands, in pixels.
        printer: of the language.
        top: where the axis ends, as a share of the height of all panels.
    """
    text = escaped(axis_title(axis, printer.lang))
    return {"x": 0, "xref": "paper", "xanchor": "left", "xshift": EDGE - round(left), "y": top, "yref": "paper",
            "yanchor": "bottom", "yshift": up, "showarrow": False, "text": text, "name": "title"}  # fmt: skip


def title_below(axis: Axis, printer: Printer) -> Spec:
    """Return the title of the level axis, where the static drawing has it.

    A title of Plotly's own would be placed by measuring labels that may not be there yet.
    """
    text = escaped(axis_title(axis, printer.lang))
    return {"x": 0.5, "xref": "paper", "xanchor": "center", "y": 0, "yref": "paper", "yanchor": "top",
            "yshift": -TITLE_BELOW, "showarrow": False, "text": text, "name": "title"}  # fmt: skip


def on_axis(value: float, axis: Axis) -> float:
    """Return a value as annotations count it: on a log axis, its logarithm."""
    return math.log10(value) if axis.scale == "log" else value


def upright_line(x: float) -> Spec:
    """Return a dotted line over the whole height."""
    return {"type": "line", "x0": x, "x1": x, "y0": 0, "y1": 1, "yref": "paper", "line": {"dash": "dot", "width": 1}}
