"""What a client knew to be in flight at the moments at which an engine was sampled."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Final

import numpy as np

from generator.runs.gauges import Gauges, Numbers
from generator.runs.requests import Requests

NOISE: Final = 1e-6
"""Tokens that adding up shares of an answer may leave over."""


def with_gauges(requests: Requests, readings: Gauges) -> Requests:
    """Return the requests of a run with what was sampled meanwhile, and what was in flight at each moment.

    Requests that failed are in no count: when they gave their place back is not known. Tokens are NaN where the file
    leaves out the chunks, or the tokens of an answer.

    Args:
        requests: of the run.
        readings: what the engine said, at moments in rising order.
    """
    counted = replace(
        readings,
        tokens=_tokens(requests, readings.t),
        sequences=_between(readings.t, *_held(requests)),
        awaiting=_between(readings.t, *_awaited(requests)),
    )
    return replace(requests, gauges=counted)


def _held(requests: Requests) -> tuple[Numbers, Numbers]:
    """Return from when to when each request was in flight with a token at least."""
    begins, ends = requests.start + requests.ttft, requests.start + requests.e2el
    rows = requests.spoke & np.isfinite(begins) & np.isfinite(ends)
    return begins[rows], ends[rows]


def _awaited(requests: Requests) -> tuple[Numbers, Numbers]:
    rows = requests.spoke & np.isfinite(requests.start)
    return requests.start[rows], (requests.start + requests.ttft)[rows]


def _between(t: Numbers, begins: Numbers, ends: Numbers) -> Numbers:
    """Return how many spans hold each moment: their begin does, their end no longer."""
    began = np.searchsorted(np.sort(begins), t, side="right")
    ended = np.searchsorted(np.sort(ends), t, side="right")
    counted: Numbers = (began - ended).astype(np.float64)
    return counted


def _tokens(requests: Requests, t: Numbers) -> Numbers:
    rows = requests.spoke & np.isfinite(requests.start) & np.isfinite(requests.e2el)
    known = np.isfinite(requests.input_tokens[rows]) & np.isfinite(requests.output_tokens[rows])
    if not rows.any() or not requests.chunked.any() or not known.all():
        return np.full(len(t), np.nan)
    steps = np.zeros(len(t) + 1)
    for when, tokens in _changes(requests, rows):
        steps += np.bincount(np.searchsorted(t, when), tokens, minlength=len(steps))
    held: Numbers = np.cumsum(steps)[:-1]
    return np.where(held > NOISE, held, 0.0)


def _changes(requests: Requests, rows: np.ndarray) -> Iterator[tuple[Numbers, Numbers]]:
    """Yield when tokens came and went, and how many: each chunk brings an equal share of those of its request."""
    for at, part in requests.parts():
        spoke = part.only(rows[at])
        if len(spoke):
            chunks = spoke.gap_counts + 1
            yield spoke.start + spoke.ttft, spoke.input_tokens
            yield spoke.chunk_times(), np.repeat(spoke.output_tokens / chunks, chunks)
            yield spoke.start + spoke.e2el, -(spoke.input_tokens + spoke.output_tokens)
