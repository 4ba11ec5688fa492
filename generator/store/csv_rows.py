"""Rows of a CSV file, of which a quote that is never closed costs its own line and none behind it."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

LONGEST: Final = 2**17
"""Characters of a row behind its first line, as many as Python's csv takes of a cell. A quote that takes more is not
closed."""
MOST_OPEN: Final = 100
"""Quotes that are not closed after which a row is taken to end with its line: to look for an end that is not there
takes long."""


@dataclass(frozen=True, slots=True)
class BadRow:
    """A line that is no CSV.

    Attributes:
        line: its number.
        is_open: whether it opens a quote that is not closed.
    """

    line: int
    is_open: bool

    def __str__(self) -> str:
        """Return what is wrong with it."""
        return "opens a quote that is not closed" if self.is_open else "is not CSV"


class CsvRows:
    """The rows of a table, one after another; ``line`` is where the last of them begins."""

    def __init__(self, lines: Iterable[str], delimiter: str = ",") -> None:
        """Take the lines of a file, with their ends or without."""
        self.line = 0
        self._delimiter = delimiter
        self._lines = _Lines(lines)
        self._open = 0

    def __iter__(self) -> Iterator[list[str] | BadRow]:
        """Yield the cells of each row; an empty line has none."""
        lines, self.line = self._lines, 1
        reader = csv.reader(lines, delimiter=self._delimiter, strict=True)
        while True:
            try:
                yield next(reader)
            except StopIteration:
                return
            except csv.Error:
                yield self._mended()
            self.line += len(lines.taken)
            lines.begin()

    def _mended(self) -> list[str] | BadRow:
        """Return what the first line of a broken row is by itself; those behind it are read again."""
        lines = self._lines
        if len(lines.taken) == 1 and not lines.at_end:
            return cells_of(lines.taken[0], self._delimiter) or BadRow(self.line, is_open=False)
        lines.put_back()
        self._open += 1
        if self._open >= MOST_OPEN:
            lines.longest = 0
        return BadRow(self.line, is_open=True)


def cells_of(line: str, delimiter: str = ",") -> list[str]:
    """Return the cells of one line, with quotes in the wrong places too; none where it is no CSV."""
    try:
        return next(csv.reader([line], delimiter=delimiter), [])
    except csv.Error:
        return []


class _Lines:
    """Lines that remember which of them a row was made from, and can be read again."""

    def __init__(self, lines: Iterable[str]) -> None:
        self.taken: list[str] = []
        self.at_end = False
        self.longest = LONGEST
        self._lines = iter(lines)
        self._again: list[str] = []
        self._size = 0

    def __iter__(self) -> Iterator[str]:
        return self

    def __next__(self) -> str:
        line = self._again.pop() if self._again else next(self._lines, None)
        self.at_end = line is None
        if line is None:
            raise StopIteration
        self.taken.append(line)
        if len(self.taken) > 1:
            self._size += len(line)
            if self._size > self.longest:
                raise csv.Error
        return line

    def begin(self) -> None:
        """Forget the lines of the row before."""
        self.taken.clear()
        self._size = 0

    def put_back(self) -> None:
        """Let all lines but the first be read again."""
        self._again += reversed(self.taken[1:])
        del self.taken[1:]
