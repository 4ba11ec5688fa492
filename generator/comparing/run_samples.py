"""What a statistic of a run is taken from, as units in the order of time for the bootstrap over blocks."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.comparing.blocks import Means, Ranks, Statistics
from generator.runs.requests import MICROSECOND, Requests

Numbers = NDArray[np.float64]
Owned = tuple[Numbers, NDArray[np.int64]]
"""Values, and the position of the request that each is of."""

MOST_UNITS: Final = 2000
"""Units of a run: of more requests, neighbours are one unit, which only makes blocks longer."""
MOST_BINS: Final = 1000
"""Bins of a percentile: with fewer values each has its own, with more each holds a thousandth of them."""
SLICES: Final = 200
"""Slices of the time of a run, of which a throughput is the mean."""


def source_of(metric: str) -> tuple[str, str] | None:
    """Return what a metric is a statistic of, and which one; None where it is none of the requests of a run."""
    quantity, _, name = metric.rpartition("_")
    if metric in DELIVERED:
        return metric, "mean"
    return (quantity, name) if quantity in VALUES else None


def statistics_of(source: str, requests: Requests) -> Statistics | None:
    """Return what statistics of a run are taken from; None where nothing was answered, or when is not on record."""
    if not np.isfinite(requests.start).all() or not requests.spoke.any():
        return None
    if source in DELIVERED:
        return _throughput(requests, DELIVERED[source](requests))
    return _ranks(*VALUES[source](_in_order(requests)), math.ceil(len(requests) / MOST_UNITS))


def _in_order(requests: Requests) -> Requests:
    """Return the requests in the order of sending; gaps are taken with their requests."""
    order = np.argsort(requests.start, kind="stable")
    ends = np.cumsum(requests.gap_counts)
    gaps = [requests.gaps[ends[at] - requests.gap_counts[at] : ends[at]] for at in order]
    return Requests(
        requests.answered[order], requests.start[order], requests.ttft[order], requests.e2el[order],
        requests.input_tokens[order], requests.output_tokens[order],
        requests.gap_counts[order], np.concatenate(gaps) if gaps else requests.gaps, requests.source,
    )  # fmt: skip


def _each(column: Numbers, rows: NDArray[np.bool_]) -> Owned:
    known = np.flatnonzero(rows & np.isfinite(column))
    return column[known], known


def _tpot(requests: Requests) -> Owned:
    several = requests.spoke & (requests.output_tokens > 1)
    times = (requests.e2el - requests.ttft) / np.where(several, requests.output_tokens - 1, 1)
    return _each(times, several)


def _itl(requests: Requests) -> Owned:
    owners = np.repeat(np.arange(len(requests)), requests.gap_counts)
    spoken = requests.spoke[owners]
    return requests.gaps[spoken].astype(np.float64) * MICROSECOND, owners[spoken].astype(np.int64)


VALUES: Final[Mapping[str, Callable[[Requests], Owned]]] = {
    "ttft": lambda requests: _each(requests.ttft, requests.spoke),
    "e2el": lambda requests: _each(requests.e2el, requests.spoke),
    "tpot": _tpot,
    "itl": _itl,
}


def _ranks(values: Numbers, owners: NDArray[np.int64], neighbours: int) -> Ranks | None:
    """Return values by the units that they are of, each of so many neighbouring requests."""
    if not len(values):
        return None
    units = np.unique(owners // neighbours, return_inverse=True)[1]
    edges = np.unique(values)
    if len(edges) > MOST_BINS:
        edges = np.unique(np.quantile(values, np.arange(1, MOST_BINS + 1) / MOST_BINS, method="inverted_cdf"))
    bins = np.searchsorted(edges, values)
    shape = int(units.max()) + 1, len(edges)
    counts = np.bincount(units * shape[1] + bins, minlength=shape[0] * shape[1]).reshape(shape)
    means = Means(np.bincount(units, weights=values).astype(np.float64), counts.sum(axis=1).astype(np.float64))
    return Ranks(means, counts.astype(np.float32), edges)


DELIVERED: Final[Mapping[str, Callable[[Requests], Numbers]]] = {
    "output_throughput": lambda requests: requests.output_tokens,
    "total_token_throughput": lambda requests: requests.output_tokens + requests.input_tokens,
    "request_throughput": lambda requests: np.ones(len(requests)),
}
"""Metric -> what each answer delivers to it."""


def _throughput(requests: Requests, amounts: Numbers) -> Means | None:
    """Return the mean over slices of time; an answer delivers evenly from its first token to its last.

    Of the steady part alone, where there is one: how slots fill up and run empty is no noise.
    """
    known = requests.spoke & np.isfinite(amounts) & np.isfinite(requests.e2el)
    begins = (requests.start + requests.ttft)[known]
    ends = (requests.start + requests.e2el)[known]
    if not len(ends):
        return None
    first, last = requests.window
    if not last > first:
        first, last = float(requests.start.min()), float(ends.max())
    edges = np.linspace(first, last, SLICES + 1)
    delivered = np.array([_delivered_by(edge, begins, ends, amounts[known]) for edge in edges])
    return Means(np.diff(delivered), np.ones(SLICES))


def _delivered_by(moment: float, begins: Numbers, ends: Numbers, amounts: Numbers) -> float:
    """Return what had been delivered by a moment, answers of a single chunk at its arrival."""
    took = np.maximum(ends - begins, 1e-9)
    return float(np.clip(1 + (moment - ends) / took, 0, 1) @ amounts)
