"""Rounds in memory whose single requests are known, and requests by the million."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np

from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.values import Observation, Source
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, failure, requests_of

QUICK_ROWS: Final = (
    answer(0.1, 0.01, 0.02, start=0.0),
    answer(0.2, 0.01, 0.02, start=0.0),
    answer(0.3, 0.01, 0.04, start=0.2),
    answer(0.4, 0.01, 0.08, start=0.3),
)
QUICK: Final = requests_of(*QUICK_ROWS)
"""Four answers of three tokens: TTFT 100 to 400 ms, gaps of 10 to 80 ms, E2EL 130, 230, 350 and 490 ms."""

SLOW_ROWS: Final = (
    answer(0.2, 0.02, 0.04, start=0.0),
    answer(0.4, 0.02, 0.04, start=0.0),
    answer(0.6, 0.02, 0.08, start=0.4),
    answer(1.3, 0.02, 0.16, start=0.5),
    failure(start=0.6),
)
SLOW: Final = requests_of(*SLOW_ROWS)
"""Four answers that take longer, and one that failed; TTFT 200, 400, 600 and 1300 ms."""


OFTEN_QUICK: Final = requests_of(*QUICK_ROWS * 5)
OFTEN_SLOW: Final = requests_of(*SLOW_ROWS * 5)
"""Twenty answers each, with the same distributions: enough to be ranked."""


def round_of(runs: Mapping[Trial, Requests | None], further: Sequence[Observation] = ()) -> Round:
    """Make a round of runs at concurrencies: level ``c8`` is C=8; every run took 2 s."""
    levels: dict[str, dict[str, dict[str, float]]] = {}
    for series, level, _ in runs:
        levels.setdefault(series, {})[level] = {"concurrency": float(level.removeprefix("c")), "duration": 2.0}
    return memory_round(levels, runs=runs, further=further)


def two_series() -> Round:
    """Return two series at C=1 and C=2; the first is quicker at both."""
    return round_of(
        {("a", "c1", None): QUICK, ("a", "c2", None): QUICK, ("b", "c1", None): SLOW, ("b", "c2", None): SLOW}
    )


def many_levels(count: int) -> Round:
    """Return one series at C = 1, 2, 4, …"""
    return round_of({("a", f"c{2**step}", None): QUICK for step in range(count)})


def repeated() -> Round:
    """Return a series whose only level was run twice."""
    return round_of({("a", "c2", 1): QUICK, ("a", "c2", 2): SLOW})


def many_requests(count: int, gaps_each: int) -> Requests:
    """Return requests sent every 10 ms, each with as many gaps of 1 µs, 2 µs, … over all of them."""
    gaps = np.arange(1, count * gaps_each + 1, dtype=np.int32)
    took = gaps.reshape(count, gaps_each).sum(axis=1) * 1e-6
    ttft = np.linspace(0.1, 0.2, count)
    return Requests(
        answered=np.ones(count, dtype=np.bool_),
        start=np.linspace(0, 0.01 * (count - 1), count),
        ttft=ttft,
        e2el=ttft + took,
        input_tokens=np.full(count, 16.0),
        output_tokens=np.full(count, gaps_each + 1.0),
        gap_counts=np.full(count, gaps_each, dtype=np.int64),
        gaps=gaps,
        source=Source("a/c1/requests.parquet", ""),
    )
