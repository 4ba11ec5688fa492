"""Places on a plot that the text speaks of, as static SVG: a line from the words above the plot down to its base."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from markupsafe import Markup

from generator.render.plotting.scales import drawable
from generator.render.svg.axes import EDGE, ROW, Field
from generator.render.wording.markup import fitted, label, stroke, tag, text_width
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Axis, Mark


def drawable_marks(marks: Iterable[Mark], x: Axis) -> list[Mark]:
    """Return the marks that have a place on an axis, from left to right."""
    return sorted((mark for mark in marks if drawable(mark.x, x.scale)), key=lambda mark: mark.x)


def mark_lines(marks: Sequence[Mark], field: Field, above: float) -> list[Markup]:
    """Return the line of each mark; ``above`` is how high the key stands over the plot."""
    places = [field.x.at(mark.x) for mark in marks]
    return [stroke(x, _row(row, above) + 5, x, field.bottom, "mark") for row, x in enumerate(places)]


def mark_labels(marks: Sequence[Mark], field: Field, above: float, printer: Printer) -> list[Markup]:
    """Return the words of each mark, each in a row of its own, and the dot of each that has a height."""
    return [_label(mark, _row(row, above), field, printer) for row, mark in enumerate(marks)]


def _label(mark: Mark, y: float, field: Field, printer: Printer) -> Markup:
    x = field.x.at(mark.x)
    text = fitted(printer.plain_sentence(mark.label), field.right - field.left)
    width = text_width(text)
    anchor = "middle"
    if x - width / 2 < field.left:
        x, anchor = min(x, field.right - width), "start"
    elif x + width / 2 > field.right:
        x, anchor = max(x, field.left + width), "end"
    said = label(text, x, y, "label mark", anchor)
    if mark.y is None or not drawable(mark.y, field.y.scale):
        return said
    return said + tag("circle", class_="mark dot", cx=field.x.at(mark.x), cy=field.y.at(mark.y), r=5)


def _row(row: int, above: float) -> float:
    return above + ROW + ROW * (row + 1) - EDGE
