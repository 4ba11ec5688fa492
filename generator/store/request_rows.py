"""The requests of a run, gathered one by one from whatever a tool writes of each, as columns."""

from __future__ import annotations

import math
import re
from array import array
from collections import Counter
from collections.abc import Iterable
from http import HTTPStatus
from typing import Final

import numpy as np

from generator.numeric.spilled import Pile
from generator.runs.requests import MOST_SECONDS, MOST_TOKENS, Requests
from generator.store.foreign import number
from generator.values import Source

LARGEST_GAP: Final = np.iinfo(np.int32).max
"""Microseconds of the longest gap that a column can hold: 35 minutes."""
ROUNDED: Final = 1e-3
"""Seconds by which an end may be before the first token: programs round the two apart."""
UNKNOWN_ERROR: Final = "unknown"

EXCEPTION: Final = re.compile(
    r"(?:\w+\.)*+([A-Z][A-Za-z]{0,30}(?:Error|Exception|Timeout|Interrupt|Exit|Group))(?::|$)"
)
"""The name of an exception: words in capitals and small letters; what holds a digit or an underscore may be a key."""

REASONS: Final = frozenset(status.phrase for status in HTTPStatus if status >= HTTPStatus.BAD_REQUEST)


def kind_of_error(message: str) -> str | None:
    """Return what a request died of: the exception's name, or the HTTP reason; None for no error.

    Nothing else of the message is kept: it may hold hosts, paths and keys.
    """
    if not message:
        return None
    lines = [line for line in message.splitlines() if line and not line[0].isspace()]
    for line in reversed(lines):
        if found := EXCEPTION.match(line):
            return found[1]
    reason = message.partition(":")[0].strip()
    return reason if reason in REASONS else UNKNOWN_ERROR


def reason(code: object) -> str:
    """Return the reason of an HTTP status, as ``Too Many Requests`` of 429 or "429.0"; else a word for any failure."""
    found = number(code)
    try:
        return HTTPStatus(int(found)).phrase if found is not None else "failed"
    except ValueError:
        return "failed"


class RequestRows:
    """Requests, one after another, in packed columns: 60 bytes each; and 4 a gap, in a file where they are many.

    Attributes:
        impossible: requests of which a time could not be: before their sending, or beyond what a clock gives.
    """

    def __init__(self) -> None:
        """Begin without a request."""
        self.impossible = 0
        self._answered = bytearray()
        self._columns = {name: array("d") for name in ("start", "ttft", "e2el", "input_tokens", "output_tokens")}
        self._gap_counts = array("q")
        self._gaps = Pile("i")
        self._kinds: Counter[str] = Counter()

    def __len__(self) -> int:
        """Return how many requests there are, failed ones included."""
        return len(self._answered)

    def add(
        self,
        *,
        start: float | None = None,
        ttft: float | None = None,
        e2el: float | None = None,
        input_tokens: float | None = None,
        output_tokens: float | None = None,
        gaps: Iterable[float] = (),
        error: str | None = None,
    ) -> None:
        """Add a request. What is None is not known; what cannot be is taken for not known, and counted.

        Args:
            start: when it was sent, in seconds of any clock that all requests share.
            ttft: seconds from sending to the first token.
            e2el: seconds from sending to the last token.
            input_tokens: tokens of the prompt.
            output_tokens: tokens of the answer.
            gaps: seconds between its chunks.
            error: what it died of; None for one that was answered.
        """
        answered = not error
        self._answered.append(answered)
        self._kinds.update([kind_of_error(error) or UNKNOWN_ERROR] if error else [])
        times, whole = self._times(ttft, e2el, gaps)
        known = times if answered and output_tokens != 0 else (None, None)
        values = (start, *known, _count(input_tokens), _count(output_tokens) if answered else None)
        for column, value in zip(self._columns.values(), values, strict=True):
            column.append(math.nan if value is None or not math.isfinite(value) else value)
        self._gap_counts.append(len(whole))
        self._gaps.extend(whole)

    def _times(
        self, ttft: float | None, e2el: float | None, gaps: Iterable[float]
    ) -> tuple[tuple[float | None, float | None], list[int]]:
        """Return the latencies and the gaps in microseconds; none of them where one cannot be."""
        # Gaps near the largest float are infinite in microseconds: cut, they are still impossible.
        whole = [round(min(max(gap, -1.0), MOST_SECONDS) * 1e6) for gap in gaps if math.isfinite(gap)]
        possible = all(time is None or 0 <= time <= MOST_SECONDS for time in (ttft, e2el))
        possible = possible and all(0 <= gap <= LARGEST_GAP for gap in whole)
        if possible and ttft is not None and e2el is not None:
            possible, e2el = e2el >= ttft - ROUNDED, max(e2el, ttft)
        if not possible:
            self.impossible += 1
            return (None, None), []
        return (ttft, e2el), whole

    def requests(self, source: Source) -> Requests | None:
        """Return the columns; None where no request was added.

        They share the memory of the rows, to which nothing can be added from then on.
        """
        if not len(self):
            return None
        columns = {name: np.frombuffer(column, np.float64) for name, column in self._columns.items()}
        start = columns["start"]
        if np.isfinite(start).any():
            columns["start"] = start - np.nanmin(start)
        return Requests(
            answered=np.frombuffer(self._answered, np.bool_),
            start=columns["start"],
            gap_counts=np.frombuffer(self._gap_counts, np.int64),
            gaps=self._gaps.column(),
            source=source,
            kinds_of_error=dict(self._kinds),
            impossible=self.impossible,
            ttft=columns["ttft"],
            e2el=columns["e2el"],
            input_tokens=columns["input_tokens"],
            output_tokens=columns["output_tokens"],
        )


def _count(tokens: float | None) -> float | None:
    """Return a number of tokens; None for what counts none."""
    return tokens if tokens is not None and 0 <= tokens <= MOST_TOKENS and tokens == int(tokens) else None
