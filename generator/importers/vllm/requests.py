"""The requests of a detailed result of `vllm bench serve`: its index-aligned arrays as columns."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.errors import InputError
from generator.importers.vllm.objects import REMEDY, ResultObject
from generator.numeric.spilled import PIECE, filled, let_go, pieces
from generator.runs.requests import MOST_SECONDS, MOST_TOKENS, Numbers, Requests
from generator.values import Source

LARGEST_GAP: Final = np.iinfo(np.int32).max
"""Microseconds of the longest gap that a column can hold: 35 minutes."""

MOST: Final = {
    "input_lens": (MOST_TOKENS, "tokens"),
    "output_lens": (MOST_TOKENS, "tokens"),
    "ttfts": (MOST_SECONDS, "s"),
    "latencies": (MOST_SECONDS, "s"),
    "start_times": (MOST_SECONDS, "s after the first"),
}
"""What no counter and no clock gives more of, by array."""

ROUNDED: Final = 1e-3
"""Seconds by which a latency may be below its first token: programs round the two apart."""


def requests_of(result: ResultObject, source: Source, file: str) -> Requests | None:
    """Return the requests of a detailed result; None where the file has totals only.

    Failed requests stand in the arrays as zeros, and so do answers without a token: neither has a latency.

    Args:
        result: the object as it was read.
        source: where it was read.
        file: how error lines call the file.

    Raises:
        InputError: the arrays differ in length, or hold a number that cannot be.
    """
    # Newer releases leave `latencies` behind also where no details were asked for.
    if result.columns.keys().isdisjoint({"input_lens", "ttfts"}):
        return None
    return _Detail(result, source, file).requests()


class _Detail:
    """The arrays of one result, checked against each other."""

    def __init__(self, result: ResultObject, source: Source, file: str) -> None:
        self._result = result
        self._source = source
        self._file = file
        self._rows = self._common_length()
        self._gaps: Numbers = result.gaps.column() if result.gaps is not None else np.empty(0)
        self._columns = {name: np.asarray(column, np.float64) for name, column in result.columns.items()}
        for name, column in self._columns.items():
            if name != "start_times":
                self._refuse_odd(name, column)

    def requests(self) -> Requests:
        gaps, answered = self._microseconds(), self._answered()
        spoke = answered & (self._column("ttfts") > 0) & ~(self._column("output_lens") == 0)
        return Requests(
            answered=answered,
            start=self._start(answered),
            ttft=np.where(spoke, self._column("ttfts"), np.nan),
            e2el=np.where(spoke, self._latency(spoke), np.nan),
            input_tokens=self._column("input_lens"),
            output_tokens=np.where(answered, self._column("output_lens"), np.nan),
            gap_counts=self._gap_counts(),
            gaps=gaps,
            source=self._source,
            kinds_of_error=Counter(kind for kind in self._result.errors or () if kind is not None),
        )

    def _common_length(self) -> int:
        lengths = self._lengths()
        first, rows = next(iter(lengths.items()))
        for name, length in lengths.items():
            if length != rows:
                raise self._odd(f"{first} has {rows} entries and {name} has {length}: they are to agree")
        return rows

    def _lengths(self) -> dict[str, int]:
        """Return how many requests each array that is there tells of."""
        found = {name: len(column) for name, column in self._result.columns.items()}
        if self._result.gap_counts is not None:
            found["itls"] = len(self._result.gap_counts)
        if self._result.errors is not None:
            found["errors"] = len(self._result.errors)
        if self._result.answers is not None:
            found["generated_texts"] = self._result.answers
        return found

    def _column(self, name: str) -> Numbers:
        return self._columns.get(name, np.full(self._rows, np.nan))

    def _answered(self) -> NDArray[np.bool_]:
        """Return which requests have no error; all of them where the file has no errors."""
        errors = self._result.errors
        if errors is None:
            return np.ones(self._rows, np.bool_)
        return np.fromiter((kind is None for kind in errors), np.bool_, self._rows)

    def _start(self, answered: NDArray[np.bool_]) -> Numbers:
        """Return the sending times after the first. The clock's zero is arbitrary; a request never sent has 0."""
        times = self._column("start_times")
        known = times[answered & np.isfinite(times)]
        duration = self._result.scalars.get("duration")
        if len(known) and isinstance(duration, int | float) and known.min() > duration:
            times = np.where(~answered & (times == 0), np.nan, times)
        if not np.isfinite(times).any():
            return times
        with np.errstate(over="ignore"):
            since_first = times - np.nanmin(times)
        self._refuse_odd("start_times", since_first)
        return since_first

    def _latency(self, spoke: NDArray[np.bool_]) -> Numbers:
        """Return when each answer ended, in seconds from its sending; not before its first token."""
        ttft = self._column("ttfts")
        latency = self._columns.get("latencies")
        if latency is None:
            latency = ttft + self._gap_sums()
            self._refuse_odd("latencies", latency)
        early = np.flatnonzero(spoke & (latency < ttft - ROUNDED))
        if len(early):
            row = int(early[0])
            raise self._odd(
                f"request {row + 1} ended after {latency[row]:g} s, before its first token at {ttft[row]:g} s"
            )
        return np.maximum(latency, ttft)

    def _gap_counts(self) -> NDArray[np.int64]:
        counts = self._result.gap_counts
        return np.zeros(self._rows, np.int64) if counts is None else np.array(counts, np.int64)

    def _gap_sums(self) -> Numbers:
        """Return the sum of each request's gaps, from the numbers as they stand in the file."""
        if self._result.gaps is None:
            return np.full(self._rows, np.nan)
        counts = self._gap_counts()
        ends, sums = np.cumsum(counts), np.zeros(self._rows)
        for row in np.flatnonzero(counts):
            own = self._gaps[ends[row] - counts[row] : ends[row]]
            sums[row] = np.add.reduceat(own, [0])[0]
            let_go(own)
        return sums

    def _microseconds(self) -> NDArray[np.int32]:
        return filled(len(self._gaps), np.int32, self._pieces())

    def _pieces(self) -> Iterator[Numbers]:
        """Yield the gaps piece by piece in whole microseconds."""
        for nth, gaps in enumerate(pieces(self._gaps)):
            with np.errstate(over="ignore"):  # infinite is more than the longest gap
                whole = np.rint(gaps * 1e6)
            bad = np.flatnonzero(~((whole >= 0) & (whole <= LARGEST_GAP)))
            if len(bad):
                raise self._odd_gap(nth * PIECE + int(bad[0]))
            yield whole

    def _odd_gap(self, position: int) -> InputError:
        request = int(np.searchsorted(np.cumsum(self._gap_counts()), position, side="right")) + 1
        gap = self._gaps[position]
        return self._odd(f"request {request} has a gap of {gap:g} s in itls: more than 2147 s, or below 0")

    def _refuse_odd(self, name: str, column: Numbers) -> None:
        most, unit = MOST[name]
        odd = (column < 0) | (column > most)
        if unit == "tokens":
            odd |= np.isfinite(column) & (column != np.floor(column))
        rows = np.flatnonzero(odd)
        if len(rows):
            row = int(rows[0])
            why = "below 0" if column[row] < 0 else f"more than {most:g} {unit}" if column[row] > most else "not whole"
            raise self._odd(f"{name} of request {row + 1} is {column[row]:g}: {why}")

    def _odd(self, problem: str) -> InputError:
        return InputError(self._file, self._source.place, problem, REMEDY)
