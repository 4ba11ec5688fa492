"""The time that stands in front of a line of a log, in whichever way its writer puts it there."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from generator.declared.profiles import Clock
from generator.logs.prefixes import Span, peel

YEARLESS: Final = 2000
"""Stands for the year where a log does not tell it; a leap year, for there may be a 29 February."""
YEAR: Final = 366 * 86_400.0
HALF: Final = YEAR / 2
"""Seconds by which a time without a year steps back where a year has ended, at least."""
HEAD: Final = 400
"""Bytes of a line in which its own words begin."""
OUTER: Final = re.compile(
    rb"(?P<date>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:[.,]\d{1,9})?)(?P<zone>Z|[+-]\d\d:?\d\d)?(?=[ |])"
)
"""A date that a journal, a container or a collector has put in front of a line."""


class LogClock:
    """Times of the lines of one log, in s, on one clock: the first that is found serves for all."""

    def __init__(self) -> None:
        """Begin without any time."""
        self.clock: Clock = "start"
        self._way: str | None = None
        self._years = 0.0
        self._last = 0.0

    def moment(self, line: bytes, spans: dict[str, Span]) -> float | None:
        """Return the time of a line; None where it has none."""
        way = self._way or ("outer" if OUTER.match(line) else "own" if "hour" in spans else None)
        if way is None:
            return None
        at = _outer(line) if way == "outer" else _own(line, spans)
        if at is None:
            return None
        if self._way is None:
            self._way, self.clock = way, "file"
        elif way == "own" and at + self._years < self._last - HALF:
            self._years += YEAR
        self._last = at + self._years
        return self._last


def words_of(line: bytes) -> tuple[tuple[int, ...], dict[str, Span]]:
    """Return where the words of a line may begin, and the parts in front of them that have a meaning."""
    head = peel(line[:HEAD])
    return head.places, dict(head.spans)


def _outer(line: bytes) -> float | None:
    found = OUTER.match(line)
    if found is None:
        return None
    try:  # in its own zone: what counts is the hour where it was written
        return datetime.fromisoformat(found["date"].replace(b",", b".").decode()).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None


def _own(line: bytes, spans: dict[str, Span]) -> float | None:
    told = {name: line[begin:end] for name, (begin, end) in spans.items()}
    try:
        year = int(told.get("year", YEARLESS))
        month, day, hour, minute = (int(told[name]) for name in ("month", "day", "hour", "minute"))
        return datetime(year, month, day, hour, minute, tzinfo=UTC).timestamp() + float(told["second"])
    except (KeyError, ValueError):
        return None
