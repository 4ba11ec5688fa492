"""When each chunk was sent: CLOCK_MONOTONIC in ns, taken right before the write."""

from __future__ import annotations

import json
from array import array
from collections import deque
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

MOST_CHUNKS: Final = 8_000_000
"""Stamps kept in memory, some 150 MB; beyond that the oldest requests go, and the head line says how many."""

PAGE: Final = 200
"""Requests in one answer at most: the server sends nothing else while it writes them down."""

State = Literal["open", "done", "cancelled"]


@dataclass(slots=True)
class Sheet:
    """The stamps of one request, in ns.

    Attributes:
        number: of the request, from 0.
        request: the client's X-Request-Id, else the number.
        arrived: when its last byte had been read.
        head: right before the head of the answer was written; 0 before.
        planned: for each chunk, the end of the step that made it.
        sent: for each chunk, right before it was written.
        tokens: for each chunk, the tokens in it; 0 for role, usage and end.
        queued: chunks that found earlier bytes still unsent, so that they left later than their stamp says.
        state: open, done, or cancelled because the client went away.
    """

    number: int
    request: str
    arrived: int
    head: int = 0
    planned: array[int] = field(default_factory=lambda: array("q"))
    sent: array[int] = field(default_factory=lambda: array("q"))
    tokens: array[int] = field(default_factory=lambda: array("I"))
    queued: int = 0
    state: State = "open"

    def note(self, planned: int, sent: int, tokens: int) -> None:
        """Add a chunk."""
        self.planned.append(planned)
        self.sent.append(sent)
        self.tokens.append(tokens)

    def line(self) -> str:
        """Return it as one line of JSON."""
        fields = {
            "number": self.number,
            "request": self.request,
            "state": self.state,
            "arrived": self.arrived,
            "head": self.head,
            "queued": self.queued,
            "planned": self.planned.tolist(),
            "sent": self.sent.tolist(),
            "tokens": self.tokens.tolist(),
        }
        return json.dumps(fields, separators=(",", ":"))


class StampBook:
    """The sheets of all requests, in the order of their numbers."""

    def __init__(self, most: int = MOST_CHUNKS) -> None:
        """Keep at most so many stamps."""
        self._sheets: deque[Sheet] = deque()
        self._kept = 0
        self._most = most
        self.requests = 0

    def open(self, request: str | None, arrived: int) -> Sheet:
        """Begin the sheet of the next request."""
        number = self.requests
        self.requests += 1
        sheet = Sheet(number, request if request is not None else str(number), arrived)
        self._sheets.append(sheet)
        return sheet

    def close(self, sheet: Sheet, state: State) -> None:
        """End a sheet, and drop the oldest ended ones where there are too many stamps."""
        sheet.state = state
        self._kept += len(sheet.sent)
        while self._kept > self._most and self._sheets[0].state != "open":
            self._kept -= len(self._sheets.popleft().sent)

    @property
    def dropped(self) -> int:
        """Requests of which the stamps are gone."""
        return self.requests - len(self._sheets)

    def lines(self, since: int = 0, most: int | None = None) -> Iterator[str]:
        """Return a head line and one line for each request from a number on, as JSON."""
        start = max(since, self.dropped)
        end = self.requests if most is None else min(self.requests, start + most)
        yield json.dumps(self._head(since, max(end, since)), separators=(",", ":"))
        yield from (self._sheets[number - self.dropped].line() for number in range(start, end))

    def _head(self, since: int, end: int) -> dict[str, object]:
        return {
            "clock": "CLOCK_MONOTONIC",
            "unit": "ns",
            "since": since,
            "next": end,
            "requests": self.requests,
            "dropped": self.dropped,
        }
