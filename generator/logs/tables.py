"""Tables of events, filled part by part."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.logs.digits import Bytes, Numbers, Positions, number
from generator.logs.shapes import Found
from generator.runs.log_events import EventKind, Events, EventTable

MOST: Final = 20_000_000
"""Events of a log: those of a long campaign, a few times over."""
HEAD_COLUMNS: Final = ("slot", "task")
"""What llama.cpp's server says in front of its messages."""
NOT_A_YEAR: Final = 2000
"""Stands for the year where a log does not tell it; a leap year, for there may be a 29 February."""


class TooManyEventsError(ValueError):
    """A log has more events than can be held."""


@dataclass(frozen=True, slots=True)
class Part:
    """Some events of one kind; a column that is not there is NaN in all of them."""

    lines: Positions
    clock: Numbers
    own: Numbers
    columns: Mapping[str, Numbers]
    texts: Mapping[str, list[str]]


class Tables:
    """What has been found so far."""

    def __init__(self, kinds: Sequence[EventKind]) -> None:
        """Take what is looked for."""
        self._parts: dict[str, list[Part]] = {kind.key: [] for kind in kinds}
        self._names = {key: _groups(kind for kind in kinds if kind.key == key) for key in self._parts}
        self._events = 0

    def add(self, found: Iterable[Found], block: bytes, text: Bytes, begins: Positions, lines: Positions) -> None:
        """Add the events that lines of one shape tell of.

        Args:
            found: what they tell of.
            block: the bytes that they stand in.
            text: the same as an array.
            begins: where in it each line begins.
            lines: its number in the log.

        Raises:
            TooManyEventsError: there are more than can be held.
        """
        for one in found:
            part = _careful(one, block, text, begins, lines) if one.careful else _plain(one, block, text, begins, lines)
            self._events += len(part.lines)
            if self._events > MOST:
                raise TooManyEventsError
            self._parts[one.kind.key].append(part)

    def events(self) -> Events:
        """Return one table a key, each in the order of the log."""
        return {key: _table(parts, self._names[key]) for key, parts in self._parts.items()}


def _groups(kinds: Iterable[EventKind]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((*HEAD_COLUMNS, *(name for kind in kinds for name in kind.pattern.groupindex))))


def _plain(found: Found, block: bytes, text: Bytes, begins: Positions, lines: Positions) -> Part:
    columns = found.plan.read(block, text, begins)
    clock, own, head = _head(columns, len(lines))
    return Part(lines, clock, own, head | {k: v for k, v in columns.items() if not k.startswith("head ")}, {})


def _careful(found: Found, block: bytes, text: Bytes, begins: Positions, lines: Positions) -> Part:
    """Let the pattern look at each line."""
    starts = (begins + found.place).tolist()
    matches = [found.kind.pattern.match(block, start, _end(block, start)) for start in starts]
    rows = np.array([row for row, match in enumerate(matches) if match is not None], np.int64)
    there = [match.groupdict() for match in matches if match is not None]
    clock, own, head = _head(found.plan.read(block, text, begins[rows]), len(rows))
    columns, texts = dict(head), {}
    for name in found.kind.pattern.groupindex:
        cells = [groups[name] for groups in there]
        if name.endswith("_text"):
            texts[name] = [(cell or b"").decode("utf-8", "replace") for cell in cells]
        else:
            columns[name] = np.array([np.nan if cell is None else number(cell) for cell in cells], np.float64)
    return Part(lines[rows], clock, own, columns, texts)


def _end(block: bytes, start: int) -> int:
    end = block.find(b"\n", start)
    return len(block) if end < 0 else end


def _head(columns: Mapping[str, Numbers], rows: int) -> tuple[Numbers, Numbers, dict[str, Numbers]]:
    """Return our time, the log's own, and what else the head of a line tells."""
    told = {name.removeprefix("head "): numbers for name, numbers in columns.items() if name.startswith("head ")}
    unknown = np.full(rows, np.nan)
    clock = told["read"] / 1e9 if "read" in told else unknown
    own = _own(told) if "second" in told or "micros" in told else unknown
    return clock, own, {name: told[name] for name in HEAD_COLUMNS if name in told}


def _own(told: Mapping[str, Numbers]) -> Numbers:
    """Return the log's own time in s: since the server started, or since 1970 by its date and time, zone unheeded."""
    if "micros" in told:
        return told["micros"] / 1e6
    if "minutes" in told:
        return told["minutes"] * 60 + told["second"] + told["part"] / 1e3
    time = told["hour"] * 3600 + told["minute"] * 60 + told["second"]
    return _days(told) * 86400.0 + time


def _days(told: Mapping[str, Numbers]) -> Numbers:
    months = told["month"].astype(np.int64) - 1
    years = told["year"].astype(np.int64) if "year" in told else np.full(len(months), NOT_A_YEAR)
    first = ((years - 1970) * 12 + months).astype("datetime64[M]").astype("datetime64[D]").astype(np.int64)
    return first + told["day"] - 1.0


def _table(parts: Sequence[Part], names: Iterable[str]) -> EventTable:
    if not parts:
        parts = [Part(np.zeros(0, np.int64), np.zeros(0), np.zeros(0), {}, {})]
    lines = np.concatenate([part.lines for part in parts])
    order = np.argsort(lines, kind="stable")
    return EventTable(
        lines[order],
        np.concatenate([part.clock for part in parts])[order],
        np.concatenate([part.own for part in parts])[order],
        {name: _column(parts, name)[order] for name in names if not name.endswith("_text")},
        {name: _words(parts, name, order) for name in names if name.endswith("_text")},
    )


def _column(parts: Iterable[Part], name: str) -> Numbers:
    return np.concatenate([part.columns.get(name, np.full(len(part.lines), np.nan)) for part in parts])


def _words(parts: Iterable[Part], name: str, order: NDArray[np.int64]) -> tuple[str, ...]:
    words = [word for part in parts for word in part.texts.get(name, [""] * len(part.lines))]
    return tuple(words[row] for row in order.tolist())
