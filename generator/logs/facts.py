"""Short ways to say how a fact is taken from the events of a log. Absent is never 0: no event, no fact."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from generator.runs.log_events import Events, EventTable, Told

Compute = Callable[[Events], Told | None]


def count(kind: str) -> Compute:
    """Return how to count the events of a kind."""
    return lambda events: Told(float(len(events[kind])), events[kind].lines) if len(events[kind]) else None


def among(kind: str, others: str) -> Compute:
    """Return how to count the events of a kind; there may be none where others tell that the log would have them."""

    def compute(events: Events) -> Told | None:
        return Told(float(len(events[kind])), events[kind].lines) if len(events[kind]) or len(events[others]) else None

    return compute


def total(kind: str, column: str) -> Compute:
    """Return how to add up a column of a kind."""

    def compute(events: Events) -> Told | None:
        numbers, lines = known(events[kind], column)
        return Told(float(numbers.sum()), lines) if len(numbers) else None

    return compute


def most(kind: str, column: str) -> Compute:
    """Return how to find the largest number of a column, and the line of it."""
    return _at(kind, column, lambda numbers: int(np.argmax(numbers)))


def last(kind: str, column: str) -> Compute:
    """Return how to find the last number of a column, and the line of it."""
    return _at(kind, column, lambda numbers: len(numbers) - 1)


def increment(kind: str, column: str) -> Compute:
    """Return how to tell by how much a counter rose from its first to its last reading.

    One reading tells no rise. A counter that falls back has been reset: by how much it rose cannot be known.
    """

    def compute(events: Events) -> Told | None:
        numbers, lines = known(events[kind], column)
        if len(numbers) <= 1 or (np.diff(numbers) < 0).any():
            return None
        return Told(float(numbers[-1] - numbers[0]), lines[[0, -1]])

    return compute


def intervals(kind: str, column: str) -> Compute:
    """Return how to count the readings of a counter behind the first: so many are in what ``increment`` tells."""

    def compute(events: Events) -> Told | None:
        numbers, lines = known(events[kind], column)
        return Told(float(len(numbers) - 1), lines) if len(numbers) > 1 and (np.diff(numbers) >= 0).all() else None

    return compute


def known(table: EventTable, column: str) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    """Return the numbers of a column that are known, and their lines."""
    numbers = table.columns[column]
    there = ~np.isnan(numbers)
    return numbers[there], table.lines[there]


def _at(kind: str, column: str, pick: Callable[[NDArray[np.float64]], int]) -> Compute:
    def compute(events: Events) -> Told | None:
        numbers, lines = known(events[kind], column)
        if not len(numbers):
            return None
        row = pick(numbers)
        return Told(float(numbers[row]), lines[[row]])

    return compute
