"""What the logs of engines in Python share: fields in any order, and facts of the last start of the server alone."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from generator.logs.facts import Compute, known, total
from generator.runs.log_events import EventKind, Events, EventTable, Told

GIB: Final = 2.0**30
NUMBER: Final = rb"\d{1,15}(?:\.\d{1,9})?"
ANSWERED: Final = (
    rb'INFO: {1,9}[\w.:*\[\]-]{1,60}:\d{1,5} - "POST /v\d/(?:chat/)?completions HTTP/[\d.]{1,4}" (?P<status>\d{3})\b'
)
"""The access line of a request, also where its address was struck out, and whatever its status: what was refused has
reached the server, too. Other paths
(health, metrics, tokenize) are no requests of a load."""
WORKERS: Final = ("tensor", "pipeline", "data")
"""Columns of a start whose product is the number of its workers."""


def kind(key: str, pattern: bytes) -> EventKind:
    """Return a kind of event by its pattern."""
    return EventKind(key, re.compile(pattern))


def later(words: bytes, name: str, value: bytes = NUMBER, *, within: int = 500) -> bytes:
    """Return the part of a pattern for a field that may stand anywhere further on in the line, or nowhere.

    Args:
        words: what stands before the value; a pattern.
        name: the column.
        value: a pattern for the value.
        within: bytes in which the field must begin: what bounds the search in a hostile line.
    """
    return rb"(?=[^\n]{0,%d}?%b(?P<%b>%b)|)" % (within, words, name.encode(), value)


def scaled(compute: Compute, unit: float) -> Compute:
    """Return a fact in base units: its value times the unit in which the log prints it."""
    return _changed(compute, lambda value: value * unit)


def percent(compute: Compute) -> Compute:
    """Return a fact that the log prints in percent."""
    return _changed(compute, lambda value: value / 100)


def answer(compute: Compute, value: float) -> Compute:
    """Return ``value`` where a fact can be told at all: lines that need only be there."""
    return _changed(compute, lambda _: value)


def _changed(compute: Compute, change: Callable[[float], float]) -> Compute:
    def changed(events: Events) -> Told | None:
        told = compute(events)
        return None if told is None else replace(told, value=change(told.value))

    return changed


def first_told(*computes: Compute) -> Compute:
    """Return what the first of some ways says that knows an answer."""

    def told(events: Events) -> Told | None:
        return next((found for compute in computes if (found := compute(events)) is not None), None)

    return told


def at_least(kind: str, column: str, limit: float) -> Compute:
    """Return in how many events a column reaches a limit: 0 where it does in none, None where none has it."""

    def reached(events: Events) -> Told | None:
        numbers, lines = known(events[kind], column)
        return Told(float((numbers >= limit).sum()), lines) if len(numbers) else None

    return reached


def share_above_zero(kind: str, column: str) -> Compute:
    """Return the share of the events with a column in which it is more than 0."""

    def share(events: Events) -> Told | None:
        numbers, lines = known(events[kind], column)
        return Told(float((numbers > 0).mean()), lines) if len(numbers) else None

    return share


def total_of_all(kind: str, column: str) -> Compute:
    """Return the sum of a column that every event of the kind has; None where one lacks it."""

    def summed(events: Events) -> Told | None:
        told = total(kind, column)(events)
        return None if told is None or len(told.lines) < len(events[kind]) else told

    return summed


def says(kind: str, text: str, words: str) -> Compute:
    """Return 1 where the last event of a kind has these words in a field, 0 where it has others."""

    def told(events: Events) -> Told | None:
        table = events[kind]
        if not len(table) or not table.texts[text][-1]:
            return None
        return Told(float(table.texts[text][-1] == words), table.lines[-1:])

    return told


def where_so(compute: Compute) -> Compute:
    """Return a fact where it is not 0: where what is denied may yet be so for another reason."""

    def told(events: Events) -> Told | None:
        found = compute(events)
        return found if found is not None and found.value else None

    return told


def of_last_start(marker: str, compute: Compute) -> Compute:
    """Compute from the lines from the last one of kind ``marker`` on; from all, where there is none."""

    def sliced(events: Events) -> Told | None:
        starts = events[marker].lines
        return compute(_from_line(events, int(starts[-1])) if len(starts) else events)

    return sliced


def of_one_worker(marker: str, sizes: Sequence[str], compute: Compute) -> Compute:
    """Compute from the last start, where one process held the model.

    Each of several workers prints its own line, and some wrappers fold like lines into one: what they have together
    cannot be known.

    Args:
        marker: the kind of line that begins a start.
        sizes: its columns whose product is the number of workers.
        compute: the fact of one worker.

    Returns:
        a fact that is None for several workers; also where the start does not say how many, as in a log whose lines
        are cut; and where no start is told of and more than one line tells the fact.
    """

    def alone(events: Events) -> Told | None:
        told, starts = of_last_start(marker, compute)(events), events[marker]
        if told is None or (len(told.lines) > 1 and not len(starts)):
            return None
        return told if not len(starts) or _workers(starts, sizes) == 1 else None

    return alone


def of_one_engine(marker: str, engines: str, compute: Compute) -> Compute:
    """Compute from the last start, unless it says that there are several engines, each with a part of the requests."""

    def alone(events: Events) -> Told | None:
        several = events[marker].columns[engines][-1:] > 1
        return None if several.any() else of_last_start(marker, compute)(events)

    return alone


def _workers(starts: EventTable, sizes: Sequence[str]) -> float:
    """Return how many workers the last start had; NaN where it tells none of its sizes: one that is not told is 1."""
    told = np.array([starts.columns[size][-1] for size in sizes])
    return float("nan") if np.isnan(told).all() else float(np.nanprod(told))


def _from_line(events: Events, line: int) -> Events:
    return {kind: table.rows(table.lines >= line) for kind, table in events.items()}
