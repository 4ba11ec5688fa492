"""Places on a plot that the text speaks of, as static SVG: a line over its height, and words above it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from markupsafe import Markup

from generator.render.plotting.scales import drawable
from generator.render.svg.axes import EDGE, ROW, Field, Sheet
from generator.render.wording.markup import in_lines, label, stroke, tag, text_width
from generator.render.wording.numbers import Printer
from generator.told.figure_model import Axis, Mark

MOST_LINES: Final = 3
"""Lines that the words at a mark may take."""
HIGHER: Final = 2.25
"""Times the words of the marks that a plot is high at least. In a live chart, which is as high as its drawing, names of
lines take more of that; the plot stays higher than the words there, too."""


@dataclass(frozen=True, slots=True)
class ToldMark:
    """A mark with its words in lines, and the row of the first of them; the rows of all marks are counted together."""

    mark: Mark
    lines: list[str]
    row: int


def drawable_marks(marks: Iterable[Mark], x: Axis) -> list[Mark]:
    """Return the marks that have a place on an axis, from left to right."""
    return sorted((mark for mark in marks if drawable(mark.x, x.scale)), key=lambda mark: mark.x)


def told_marks(marks: Iterable[Mark], field: Field, printer: Printer) -> list[ToldMark]:
    """Return marks with their words in lines no longer than the plot is wide; of the field only the width counts."""
    told: list[ToldMark] = []
    for mark in marks:
        lines = in_lines(printer.plain_sentence(mark.label), field.right - field.left, MOST_LINES)
        told.append(ToldMark(mark, lines, rows_of(told)))
    return told


def rows_of(marks: Sequence[ToldMark]) -> int:
    """Return how many rows the words of marks take."""
    return sum(len(one.lines) for one in marks)


def with_room(sheet: Sheet, marks: Sequence[ToldMark]) -> Sheet:
    """Return a sheet whose plot is so much higher than the words of its marks that it is what is seen."""
    return replace(sheet, plot_height=max(sheet.plot_height, HIGHER * ROW * rows_of(marks)))


def mark_lines(marks: Sequence[ToldMark], field: Field) -> list[Markup]:
    """Return a line for each place: marks at one place share it, as dashes upon dashes would show as none."""
    places = dict.fromkeys(field.x.at(one.mark.x) for one in marks)
    return [stroke(x, field.top, x, field.bottom, "mark") for x in places]


def mark_labels(marks: Sequence[ToldMark], field: Field, above: float) -> list[Markup]:
    """Return the words of each mark, in rows of their own, and the dot of each that has a height.

    ``above`` is how high the key stands over the plot.
    """
    return [said for one in marks for said in (*_words(one, field, above), _dot(one.mark, field))]


def _words(one: ToldMark, field: Field, above: float) -> list[Markup]:
    half = max(text_width(line) for line in one.lines) / 2
    x = max(min(field.x.at(one.mark.x), field.right - half), field.left + half)
    rows = enumerate(one.lines, one.row)
    return [label(line, x, _row(row, above), "label mark", "middle") for row, line in rows]


def _dot(mark: Mark, field: Field) -> Markup:
    if mark.y is None or not drawable(mark.y, field.y.scale):
        return Markup("")
    return tag("circle", class_="mark dot", cx=field.x.at(mark.x), cy=field.y.at(mark.y), r=5)


def _row(row: int, above: float) -> float:
    return above + ROW + ROW * (row + 1) - EDGE
