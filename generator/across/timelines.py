"""The requests of one run beside each other: which run is worth showing, which part of it, and in which rows."""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from generator.across.distributions import runs
from generator.frame import Analysis
from generator.model import Series
from generator.numeric.statistics import percentile
from generator.runs.requests import Numbers, Requests
from generator.values import Address

MOST: Final = 400
"""Requests that are shown: more would be thinner than a line, and no page should weigh that much."""
AROUND: Final = 3
"""Lengths of a stall that are shown on either side of it at least."""
STEPS: Final = 2
"""Median gaps by which answers that end together may end apart."""
HALF: Final = 0.5
"""Share of the answers under way that has to end together for a wave to end."""
POINTS: Final = 200
HALVINGS: Final = 50


@dataclass(frozen=True, slots=True)
class TimedRun:
    """A run that says when its requests were sent."""

    series: Series
    level: str
    trial: int | None
    requests: Requests

    def at(self, metric: str) -> Address:
        """Return the address of a number of this run."""
        return Address(metric, "level", self.series.id, self.level, trial=self.trial)


class Shown(NamedTuple):
    """The part of a run that is shown: from when to when, and which requests, by the time of sending."""

    window: tuple[float, float]
    rows: NDArray[np.int64]


def timed_runs(analysis: Analysis, series: Series) -> list[TimedRun]:
    """Return the runs of the usable levels of a series that say when requests were sent and answered."""
    usable = {level.id for level in analysis.usable(series.id)}
    return [
        TimedRun(series, level.id, trial, requests)
        for level, trial, requests in runs(analysis, series)
        if level.id in usable and len(spans_of(requests)[0])
    ]


def stalled(run: TimedRun) -> float:
    """Return how long all answers under way of a run stood still in all, in seconds."""
    return float((run.requests.stalls.ends - run.requests.stalls.begins).sum())


def most_telling(found: list[TimedRun]) -> TimedRun | None:
    """Return the run that stood still longest; where none did, the first of the highest level of the first series."""
    if any(stalled(run) for run in found):
        return max(found, key=stalled)
    first = [run for run in found if run.series == found[0].series]
    return next((run for run in first if run.level == first[-1].level), None)


def spans_of(requests: Requests) -> tuple[Numbers, Numbers, NDArray[np.int64]]:
    """Return when requests began and ended and which they are, by the time of sending.

    One whose end is not known ends with its first token, or at once.
    """
    rows = np.flatnonzero(np.isfinite(requests.start))
    rows = rows[np.argsort(requests.start[rows], kind="stable")]
    took = np.where(np.isfinite(requests.e2el), requests.e2el, requests.ttft)
    begins = requests.start[rows]
    return begins, begins + np.nan_to_num(took[rows]), rows


def shown_of(requests: Requests) -> Shown:
    """Return the part of a run that is shown: all of it, or what lies around its longest stall, or its beginning."""
    begins, ends, rows = spans_of(requests)
    whole = float(ends.max(initial=0.0))
    if len(rows) <= MOST:
        return Shown((0.0, whole), rows)
    stalls = requests.stalls
    if not len(stalls.begins):
        return Shown((0.0, _first_part(begins, ends)), rows[:MOST])
    at = int(np.argmax(stalls.ends - stalls.begins))
    window = _widest(begins, np.sort(ends), float(stalls.begins[at]), float(stalls.ends[at]), whole)
    inside = (begins < window[1]) & (ends > window[0])
    return Shown(window, rows[inside][:MOST])


def _first_part(begins: Numbers, ends: Numbers) -> float:
    """Return until when the first requests are shown: until the next one was sent, if half of them were over then."""
    half = float(np.median(ends[:MOST]))
    return float(begins[MOST]) if begins[MOST] >= half else float(ends[:MOST].max())


def _widest(begins: Numbers, ended: Numbers, begin: float, end: float, whole: float) -> tuple[float, float]:
    """Return the widest window around a span in which no more requests are under way than can be shown."""

    def window(room: float) -> tuple[float, float]:
        return max(0.0, begin - room), min(whole, end + room)

    def count(room: float) -> int:
        low, high = window(room)
        return int(np.searchsorted(begins, high, "left") - np.searchsorted(ended, low, "right"))

    narrow, wide = AROUND * (end - begin), whole
    if count(narrow) > MOST:
        return window(narrow)
    for _ in range(HALVINGS):
        middle = (narrow + wide) / 2
        narrow, wide = (middle, wide) if count(middle) <= MOST else (narrow, middle)
    return window(narrow)


def lanes_of(begins: Numbers, ends: Numbers) -> list[int]:
    """Return a row for each span: the lowest that is free when it begins.

    Args:
        begins: when each began, in rising order.
        ends: when each ended.
    """
    free: list[int] = []
    taken: list[tuple[float, int]] = []
    lanes = []
    for begin, end in zip(begins.tolist(), ends.tolist(), strict=True):
        while taken and taken[0][0] <= begin:
            heapq.heappush(free, heapq.heappop(taken)[1])
        lane = heapq.heappop(free) if free else len(taken)
        lanes.append(lane)
        heapq.heappush(taken, (end, lane))
    return lanes


def in_flight(requests: Requests) -> list[tuple[float, float]]:
    """Return how many requests were in flight, at even distances over the whole run."""
    begins, ends, _ = spans_of(requests)
    times = np.linspace(0.0, float(ends.max()), POINTS)
    counts = np.searchsorted(begins, times, "right") - np.searchsorted(np.sort(ends), times, "right")
    return [(float(t), float(n)) for t, n in zip(times, counts, strict=True)]


def waves_of(requests: Requests) -> Numbers:
    """Return when waves ended: half of the answers under way, two at least, ended some steps apart or less.

    That a run ends is no wave: after one, something was sent.
    """
    ends, gaps = requests.ends, requests.sample("request_itl")
    if not len(ends) or not len(gaps):
        return np.zeros(0)
    step = STEPS * percentile(gaps, 50)
    edges = np.flatnonzero(np.diff(ends) > step)
    first, last = np.concatenate([[0], edges + 1]), np.concatenate([edges, [len(ends) - 1]])
    sent = np.sort(requests.start[requests.spoke & np.isfinite(requests.e2el)])
    under_way = np.searchsorted(sent, ends[first], "left") - first
    size = last - first + 1
    goes_on = ends[first] <= np.max(requests.start, initial=-np.inf, where=np.isfinite(requests.start))
    waves: Numbers = ends[last][(size > 1) & (size >= HALF * under_way) & goes_on]
    return waves
