"""What a server's log tells, as typed events: one table a kind, one row an event, with the line each came from."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from itertools import compress

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class EventKind:
    """A kind of line, or of a few lines that belong together, that a log may hold.

    Attributes:
        key: what the event is called, the same word for every server: ``launch``, ``prompt_timing``, ``stats``.
            Several kinds may have one key: one for each way to word it.
        pattern: what stands in such a line and in no other, from where the server's own words begin: stamps and
            names in front are taken off before (see ``generator.logs.prefixes``). It begins with plain letters, by
            which it is found fast. A named group is a column of numbers, in the unit in which the log prints it; one
            whose name ends in ``_text`` is kept as words. It must not ask for two different digits (``20``): lines
            that differ in digits only are looked at once (see ``generator.logs.shapes``).
    """

    key: str
    pattern: re.Pattern[bytes]


@dataclass(frozen=True, slots=True)
class EventTable:
    """The events of one kind, in the order of the log.

    Attributes:
        lines: the line at which each begins; the first line of a file is 1.
        clock: when we read it, in s of CLOCK_MONOTONIC; NaN where no time of ours stands in front.
        own: the time that the log gives itself, in s since whatever it counts from; NaN where it gives none.
        columns: group of the pattern -> its numbers; NaN where the group is not there, or is no number.
        texts: group of the pattern -> its words.
    """

    lines: NDArray[np.int64]
    clock: Numbers
    own: Numbers
    columns: Mapping[str, Numbers] = field(default_factory=dict)
    texts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self.lines)

    def rows(self, which: NDArray[np.bool_]) -> EventTable:
        """Return some of its rows, in their order."""
        return EventTable(
            self.lines[which],
            self.clock[which],
            self.own[which],
            {name: numbers[which] for name, numbers in self.columns.items()},
            {name: tuple(compress(words, which.tolist())) for name, words in self.texts.items()},
        )


Events = Mapping[str, EventTable]
"""Kind -> its events; a kind that the server knows and the log does not hold is an empty table."""


@dataclass(frozen=True, slots=True)
class Told:
    """A number that a log tells, and the lines that it rests on."""

    value: float
    lines: NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class LogFact:
    """A number that can be taken from the events of a log.

    Attributes:
        name: what it is, the same word for every server: ``launches``, ``kv_usage_most``, ``preemptions``.
        unit: its unit.
        compute: returns it, or None where the log does not tell; absent is never 0.
        lasting: whether it holds for as long as the server runs: it is said once, when the server starts.
    """

    name: str
    unit: str
    compute: Callable[[Events], Told | None]
    lasting: bool = False
