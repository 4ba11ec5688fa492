"""When requests came: counts in windows, gaps, the hours of the day, and how many were under way at once."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammainc

from generator.declared.profiles import DAY, HOURS, MOST_POINTS, Course, GapFit, Service, Window
from generator.numeric.spilled import Any1d, let_go, ordered, pieces
from generator.numeric.statistics import mean, percentile

Numbers = NDArray[np.float64]

WIDTHS: Final = {"w1": 1.0, "w10": 10.0, "w60": 60.0, "w600": 600.0, "w3600": 3600.0}
"""Seconds of the windows in which arrivals are always counted, by their names in the profile."""
COURSE_WIDTHS: Final = (1.0, 5.0, 10.0, 30.0, 60.0, 300.0, 600.0, 1800.0, 3600.0, 6 * 3600.0, DAY, 7 * DAY)
FEWEST_WINDOWS: Final = 10
"""Windows that a variance of their counts needs."""
MOST_WINDOWS: Final = 4_000_000
HOUR: Final = 3600.0
ALIKE: Final = 1e-9
"""Coefficient of variation up to which gaps are alike."""
ROUNDED: Final = 8
"""Steps between neighbouring floats by which equal gaps may seem to differ: times are rounded more than once."""


def in_order(numbers: Any1d) -> Any1d:
    """Return the numbers that are known, in rising order."""
    return ordered(len(numbers), np.float64, (piece[np.isfinite(piece)] for piece in pieces(numbers)))


def window_of(times: Any1d, width: float) -> Window | None:
    """Return how arrivals are spread over windows of a width; None where too few, or too many, fit into the span.

    Args:
        times: in rising order, two at least.
        width: in s.
    """
    whole = math.floor(float(times[-1] - times[0]) / width)
    if not FEWEST_WINDOWS <= whole <= MOST_WINDOWS:
        return None
    counts = _counts(times, width, whole)
    average = float(counts.mean())
    return Window(
        width_s=width,
        n=whole,
        mean=average / width,
        peak=float(counts.max()) / width,
        peak_over_mean=float(counts.max()) / average,
        dispersion=float(counts.var(ddof=1)) / average,
    )


def _counts(times: Any1d, width: float, windows: int) -> NDArray[np.int64]:
    """Count the arrivals of each of the first windows."""
    counts, first = np.zeros(windows, np.int64), float(times[0])
    for piece in pieces(times):
        number = ((piece - first) // width).astype(np.int64)
        counts += np.bincount(number[number < windows], minlength=windows)
    return counts


def course_of(times: Any1d) -> Course:
    """Return the counts of arrivals over the whole span, in windows that are not too many."""
    span = float(times[-1] - times[0])
    usual = (width for width in COURSE_WIDTHS if span / width < MOST_POINTS)
    width = next(usual, DAY * math.ceil(span / DAY / (MOST_POINTS - 1)))
    counts = _counts(times, width, math.floor(span / width) + 1)
    return Course(width_s=width, counts=tuple(counts.tolist()))


def hours_of(times: Any1d, *, from_first: bool) -> tuple[float | None, ...]:
    """Return the arrivals a second in each hour of the day; None for an hour that the span does not hold.

    Args:
        times: in rising order.
        from_first: whether the day begins with the first arrival, because the hour is not known.
    """
    zero = float(times[0]) if from_first else 0.0
    counts = np.zeros(HOURS, np.int64)
    for piece in pieces(times):
        counts += np.bincount((((piece - zero) % DAY) // HOUR).astype(np.int64), minlength=HOURS)
    held = _seconds_of_hours(float(times[0]) - zero, float(times[-1]) - zero)
    return tuple(count / seconds if seconds > 0 else None for count, seconds in zip(counts.tolist(), held, strict=True))


def _seconds_of_hours(begin: float, end: float) -> list[float]:
    """Return how many seconds of each hour of the day lie between two times."""
    days, rest = divmod(end - begin, DAY)
    start = begin % DAY
    spans = ((hour * HOUR + day, hour * HOUR + day + HOUR) for day in (0.0, DAY) for hour in range(HOURS))
    parts = [max(0.0, min(high, start + rest) - max(low, start)) for low, high in spans]
    return [days * HOUR + parts[hour] + parts[hour + HOURS] for hour in range(HOURS)]


def gaps_of(times: Any1d) -> Any1d:
    """Return the gaps between arrivals, in rising order."""

    def found() -> Iterator[Numbers]:
        before = float(times[0])
        for piece in pieces(times):
            yield np.diff(piece, prepend=before)
            before = float(piece[-1])

    gaps = ordered(len(times), np.float64, found())
    return gaps[1:]  # the first is none: it is 0, as no smaller one


def step_of(times: Any1d) -> float:
    """Return by how much gaps between times, in rising order, have to differ not to be equal ones that were rounded."""
    return ROUNDED * float(np.spacing(max(abs(float(times[0])), abs(float(times[-1])))))


def variation(gaps: Any1d, step: float = 0.0) -> tuple[float, float]:
    """Return the mean of gaps and their coefficient of variation (n − 1 below the variance).

    Args:
        gaps: in rising order.
        step: gaps that differ by no more, in s, are alike, and vary by 0.
    """
    average = mean(gaps)
    if float(gaps[-1] - gaps[0]) <= step:
        return average, 0.0
    squares = sum(float(((piece - average) ** 2).sum()) for piece in pieces(gaps))
    return average, math.sqrt(squares / max(len(gaps) - 1, 1)) / average


def gap_fit(gaps: Any1d, average: float, cv: float) -> GapFit | None:
    """Hold an exponential and a gamma distribution of the same mean (and CV) against gaps; None where all are alike.

    Args:
        gaps: in rising order.
        average: their mean, in s.
        cv: their coefficient of variation.
    """
    if not cv > ALIKE:
        return None
    shape = 1 / cv**2
    return GapFit(poisson_ks=_distance(gaps, 1.0, average), shape=shape, gamma_ks=_distance(gaps, shape, average))


def _distance(gaps: Any1d, shape: float, average: float) -> float:
    """Return Kolmogorov's and Smirnov's distance of a gamma distribution from gaps in rising order."""
    most, done = 0.0, 0
    for piece in pieces(gaps):
        expected = gammainc(shape, piece * (shape / average))
        ranks = done + np.arange(len(piece))
        most = max(most, float(((ranks + 1) / len(gaps) - expected).max()), float((expected - ranks / len(gaps)).max()))
        done += len(piece)
    return min(most, 1.0)


def service_of(at: Any1d, took: Any1d) -> Service | None:
    """Return how long requests took and how many were under way at once; None where no request says how long."""
    spans = in_order(took)
    if not len(spans):
        return None
    starts, ends = (ordered(len(at), np.float64, found) for found in (_starts(at, took), _ends(at, took)))
    most = most_at_once(starts, ends) if len(starts) == len(spans) else None
    return Service(
        n=len(spans), mean_s=mean(spans), p50_s=percentile(spans, 50), p95_s=percentile(spans, 95), in_flight_most=most
    )


def _starts(at: Any1d, took: Any1d) -> Iterator[Numbers]:
    """Yield the times of the requests that say how long they took."""
    for begins, spans in zip(pieces(at), pieces(took), strict=True):
        yield begins[np.isfinite(begins + spans)]


def _ends(at: Any1d, took: Any1d) -> Iterator[Numbers]:
    for begins, spans in zip(pieces(at), pieces(took), strict=True):
        ends = begins + spans
        yield ends[np.isfinite(ends)]


def most_at_once(starts: Any1d, ends: Any1d) -> int:
    """Return the most requests under way at once; what ends at a moment makes room for what starts then.

    Args:
        starts: in rising order.
        ends: in rising order.
    """
    most = begun = 0
    low = 0
    for piece in pieces(starts):
        begun_here = begun + np.searchsorted(piece, piece, side="right")
        high = low + int(np.searchsorted(ends[low:], piece[-1], side="right"))
        ended = low + np.searchsorted(ends[low:high], piece, side="right")
        most = max(most, int((begun_here - ended).max()))
        let_go(ends[low:high])
        begun, low = begun + len(piece), high
    return most
