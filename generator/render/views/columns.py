"""The columns of a table as a page shows them: their heads, and what a phone does with them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from markupsafe import Markup

from generator.render.wording.markup import text_width
from generator.render.wording.numbers import Printer
from generator.told.blocks import Table

LONG: Final = 120.0
"""A head that is wider, in pixels, would take more than three lines over a column of numbers: its column is wider."""
HEAD_SIZE: Final = 13
MOST_COLUMNS: Final = 12
"""A table of more columns is dense: its rows are read across, and make no blocks."""
MOST_ROWS: Final = 20
"""A table of more rows scrolls within a box of its own: its columns are read down."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column: its head, its class, and its name, which stands in front of each cell where a row is a block."""

    label: Markup
    unit: str
    class_: str
    name: str


def columns(table: Table, printer: Printer) -> tuple[Column, ...]:
    """Return the columns of a table."""
    found = []
    for heading in table.headings:
        name = printer.plain_sentence(heading.label)
        is_long = text_width(name, HEAD_SIZE) > LONG
        class_ = "t" if heading.is_text else "long" if is_long else ""
        unit = f" ({heading.unit})" if heading.unit else ""
        found.append(Column(printer.html_sentence(heading.label), heading.unit, class_, name + unit))
    return tuple(found)


def is_stacked(table: Table) -> bool:
    """Say whether each row is a block of its own on a phone: of columns with words no two fit beside each other."""
    has_words = any(heading.is_text for heading in table.headings[1:])
    return has_words and len(table.headings) <= MOST_COLUMNS and len(table.rows) <= MOST_ROWS


def has_words_beside(shown: Markup) -> bool:
    """Say whether the head of a row has words beside a name: it is set as text then, and a name alone as a box."""
    return "<b" in shown and not (shown.startswith("<b") and shown.endswith("</b>") and shown.count("<b") == 1)
