"""Access logs in the combined format and its like: when requests ended, and how long they took where that is logged.

Addresses, paths and names of programs are passed over. nginx writes a line when a request is over, so that the time in
it is of the end; ``$request_time`` is the first number with three decimals behind the quoted parts, or stands behind
``request_time=`` or ``rt=``.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from generator.traffic.rows import Row, UnfitError

LINE: Final = re.compile(
    rb"\S+ \S+ .{0,200}?"
    rb"\[(?P<stamp>\d\d/[A-Z][a-z]{2}/\d{4}:\d\d:\d\d:\d\d) (?P<sign>[+-])(?P<hours>\d\d)(?P<minutes>\d\d)\] "
    rb'"(?P<method>[A-Z]{3,10}) (?:[^"\\]|\\.)*" (?P<status>\d{3}) (?:\d+|-)(?P<rest>[^\n]*)'
)
TOOK: Final = re.compile(rb'\b(?:request_time|rt)[=:]"?(\d{1,7}\.\d{1,6})')
BARE: Final = re.compile(rb'(?:^|[ "])(\d{1,7}\.\d{3})(?=$|[ "\r])')
QUOTED: Final = re.compile(rb'"(?:[^"\\]|\\.)*"')
MONTHS: Final = {name: n for n, name in enumerate(b"Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split(), 1)}
ASKS: Final = b"POST"
"""The method of a request to a model; others ask for pages, health and metrics."""


class AccessLog:
    """Reads the lines of one file, in the zone of its first line."""

    def __init__(self) -> None:
        """Begin without a zone."""
        self._offset: int | None = None
        self._last: tuple[bytes, float] = (b"", 0.0)

    def row(self, line: bytes) -> Row | None:
        """Return the request of a line; None where nothing is asked of a model.

        Raises:
            UnfitError: it is no line of an access log.
        """
        found = LINE.match(line)
        if found is None:
            raise UnfitError("", "is no line of an access log")
        if found["method"] != ASKS:
            return None
        end = self._moment(found)
        took = _took(found["rest"])
        return Row(None, None, None, end if took is None else end - took, took)

    def _moment(self, found: re.Match[bytes]) -> float:
        """Return the time on the clock of the first line: a shift of zone in between is no gap."""
        stamp = b"%b%b%b%b" % found.group("stamp", "sign", "hours", "minutes")
        if stamp != self._last[0]:
            shift = (int(found["hours"]) * 60 + int(found["minutes"])) * (-60 if found["sign"] == b"-" else 60)
            self._offset = shift if self._offset is None else self._offset
            self._last = stamp, _seconds(found["stamp"]) - shift + self._offset
        return self._last[1]


def _seconds(stamp: bytes) -> float:
    day, month, year, *time = re.split(rb"[/:]", stamp)
    hour, minute, second = map(int, time)
    try:
        return datetime(int(year), MONTHS[month], int(day), hour, minute, second, tzinfo=UTC).timestamp()
    except (KeyError, ValueError) as error:
        raise UnfitError("", "has no such date") from error


def _took(rest: bytes) -> float | None:
    """Return how long a request took, by what stands behind the fields that every such log has."""
    found = TOOK.search(rest) or BARE.search(QUOTED.sub(b"", rest))
    return float(found[1]) if found else None
