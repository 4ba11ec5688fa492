"""A server's log, read piece by piece, to tables of typed events.

A log says the same things over and over, with other numbers: what a line is, and where in it which number stands,
follows from its *shape*, the line with all its digits alike. A shape is examined once, by the patterns; the numbers of
all lines of that shape are then read side by side, without an object for each.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.logs.blocks import whole_lines
from generator.logs.shapes import ALIKE, Shapes, shapes_of
from generator.logs.tables import Tables
from generator.runs.log_events import EventKind, Events

FEW: Final = 2
"""Kinds up to which it is faster to look for each by its first words than to look at every line."""

Positions = NDArray[np.int64]


def scan(pieces: Iterable[bytes], kinds: Sequence[EventKind]) -> Events:
    """Find the events of a log.

    Args:
        pieces: the bytes of the log, cut anywhere; what is no text, or no line of the server, is passed over.
        kinds: what to look for. Several may have one key: they fill one table.

    Returns:
        one table a key, in the order of the log. Besides the groups of its patterns a table has the columns ``slot``
        and ``task``, which llama.cpp's server puts in front of its messages.

    Raises:
        TooManyEventsError: there are more than can be held.
    """
    shapes, tables, line = shapes_of(tuple(kinds)), Tables(kinds), 1
    for block in whole_lines(pieces):
        shapes.forget()
        text = np.frombuffer(block, np.uint8)
        ends = np.flatnonzero(text == ord("\n"))
        begins = np.concatenate((np.zeros(1, np.int64), ends + 1))
        rows, known = _known_lines(block, begins, ends, shapes)
        for shape, at in _by_shape(known):
            tables.add(shapes.found[shape], block, text, begins[rows[at]], line + rows[at])
        line += len(ends)
    return tables.events()


def _known_lines(block: bytes, begins: Positions, ends: Positions, shapes: Shapes) -> tuple[Positions, Positions]:
    """Return which lines of a block may tell of an event, and the number of the shape of each."""
    if len(shapes.kinds) > FEW or not all(kind.words for kind in shapes.kinds):
        numbers = np.fromiter(map(shapes.__getitem__, block.translate(ALIKE).split(b"\n")), np.int64, len(begins))
        rows = np.flatnonzero(numbers)
        return rows, numbers[rows]
    rows = _lines_with(block, begins, shapes)
    stops = np.append(ends, len(block))
    lines = b"\n".join([block[a:b] for a, b in zip(begins[rows].tolist(), stops[rows].tolist(), strict=True)])
    told = map(shapes.__getitem__, lines.translate(ALIKE).split(b"\n")) if len(rows) else ()
    return rows, np.fromiter(told, np.int64, len(rows))


def _lines_with(block: bytes, begins: Positions, shapes: Shapes) -> Positions:
    """Return the lines in which the first words of a kind stand."""
    found = sorted(at for kind in shapes.kinds for at in _places(block, kind.words))
    rows = np.searchsorted(begins, np.asarray(found, np.int64), side="right") - 1
    return rows[np.diff(rows, prepend=-1) > 0]


def _places(block: bytes, words: bytes) -> list[int]:
    places, find, step = [], block.find, len(words)
    at = find(words)
    while at >= 0:
        places.append(at)
        at = find(words, at + step)
    return places


def _by_shape(numbers: Positions) -> Iterator[tuple[int, Positions]]:
    """Yield each shape with the positions of its lines, in rising order."""
    order = np.argsort(numbers, kind="stable")
    ranked = numbers[order]
    cuts = np.flatnonzero(np.diff(ranked)) + 1
    for rows in np.split(order, cuts) if len(order) else ():
        if numbers[rows[0]]:
            yield int(numbers[rows[0]]), rows
