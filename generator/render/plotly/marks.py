"""Places on a plot that the text speaks of, as parts of Plotly specs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.render.plotly.parts import Spec, escaped, on_axis, scatter, upright_line
from generator.render.plotting.scales import drawable
from generator.render.svg.axes import ROW
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Axis, Mark

INK: Final = "#1b2024"
DOT: Final = 10


def mark_traces(marks: Sequence[Mark], y: Axis) -> list[Spec]:
    """Return one trace for the dots of the marks that have a height; none where none has."""
    places = [(mark.x, mark.y) for mark in marks if mark.y is not None and drawable(mark.y, y.scale)]
    return [_dots(places)] if places else []


def _dots(places: Sequence[tuple[float, float]]) -> Spec:
    return scatter(
        x=[x for x, _ in places],
        y=[y for _, y in places],
        mode="markers",
        marker={"symbol": "circle-open", "size": DOT, "color": INK, "line": {"width": 1.5}},
        hoverinfo="skip",
        showlegend=False,
        meta={"role": "mark"},
    )


def mark_lines(marks: Sequence[Mark]) -> list[Spec]:
    """Return a line for each place: marks at one place share it."""
    return [upright_line(x) for x in dict.fromkeys(mark.x for mark in marks)]


def mark_notes(marks: Sequence[Mark], x: Axis, printer: Printer) -> list[Spec]:
    """Return the words of marks, given from left to right: in rows above the plot, the first one highest."""
    return [_note(mark, ROW * (len(marks) - 1 - row), x, printer) for row, mark in enumerate(marks)]


def _note(mark: Mark, up: float, x: Axis, printer: Printer) -> Spec:
    """Return the words at a mark. On a log axis shapes stand at the value, annotations at its logarithm."""
    text = escaped(printer.plain_sentence(mark.label))
    return {"name": "mark", "x": on_axis(mark.x, x), "y": 1, "yref": "paper", "yanchor": "bottom", "yshift": up,
            "showarrow": False, "text": text}  # fmt: skip
