"""CSV text to rows that know their line; the header and the shape of every row are checked."""

from __future__ import annotations

import csv
import io
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Final

from generator.errors import InputError, nearest, quote
from generator.text import counted

MOST_ROWS: Final = 200
"""Rows of the longest table that is read: each becomes a level with its own numbers on the page."""

BLANKS: Final = " \t"


@dataclass(frozen=True, slots=True)
class Row:
    """One row: the line it starts on, and its cells by column; an empty cell is left out."""

    line: int
    cells: dict[str, str]


def read_table(
    text: str, file: str, known: Collection[str], *, each: str = "level", most: int = MOST_ROWS
) -> list[Row]:
    """Return the rows of a CSV text.

    Args:
        text: the whole file.
        file: its name for error lines.
        known: the columns that may occur.
        each: what a row is of.
        most: how many rows there may be.

    Raises:
        InputError: the text is not CSV, a column is unknown or given twice, a row is cut or too long, or
            there are no rows.
    """
    records = _records(text, file, each, most)
    first = next(records, None)
    if first is None:
        raise InputError(file, "", "is empty", f"write a header and one row a {each}")
    header = _header(*first, file, known)
    rows = [Row(line, _cells(cells, header, line, file)) for line, cells in records]
    if not rows:
        raise InputError(file, "", "has a header and no rows", f"write one row a {each}")
    return rows


def _records(text: str, file: str, each: str, most: int) -> Iterator[tuple[int, list[str]]]:
    """Yield the line each record starts on and its cells; blank lines are skipped."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    line = 1
    try:
        for count, cells in enumerate(reader):
            if count > most:
                raise InputError(file, f"line {line}", f"more than {most} rows", f"keep the {each}s that matter")
            if any(cell.strip(BLANKS) for cell in cells):
                yield line, [cell.strip(BLANKS) for cell in cells]
            line = reader.line_num + 1
    except csv.Error as error:
        problem = f"not CSV: {quote(error)[1:-1]}"
        raise InputError(file, f"line {line}", problem, "correct the quotes of this row") from error


def _header(line: int, names: list[str], file: str, known: Collection[str]) -> list[str]:
    if len(names) == 1 and any(mark in names[0] for mark in ";\t|"):
        raise InputError(file, f"line {line}", "the header is one cell", "separate the columns by commas")
    seen: set[str] = set()
    for position, name in enumerate(names, start=1):
        place = f"line {line}, column {position}"
        if name not in known:
            raise InputError(file, place, f"there is no column {quote(name)}", nearest(name, known))
        if name in seen:
            raise InputError(file, place, f"the column {name} is there twice", "keep one of them")
        seen.add(name)
    return names


def _cells(cells: list[str], header: list[str], line: int, file: str) -> dict[str, str]:
    if len(cells) > len(header):
        problem = counted("{n} {n:cell|cells} under a header of {m}", n=len(cells), m=len(header))
        remedy = "write numbers without thousands separators, one cell a column"
        raise InputError(file, f"line {line}", problem, remedy)
    if len(cells) < len(header):
        problem = counted("the row ends after {n} of {m} {m:cell|cells}", n=len(cells), m=len(header))
        raise InputError(file, f"line {line}", problem, "complete the row; an unknown number is an empty cell")
    return {name: cell for name, cell in zip(header, cells, strict=True) if cell}
