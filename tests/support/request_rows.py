"""Requests made in memory, a row each, from numbers in seconds."""

from __future__ import annotations

import math
from typing import Final, NamedTuple

import numpy as np

from generator.runs.requests import Requests
from generator.values import Source

FILE: Final = Source("s/c1/requests.parquet", "")


class Row(NamedTuple):
    """One request. What is not known is NaN; ``e2el`` is None where it is the first token and all gaps."""

    ttft: float
    gaps: tuple[float, ...] = ()
    start: float = math.nan
    tokens: float = math.nan
    prompt: float = math.nan
    answered: bool = True
    e2el: float | None = None

    @property
    def ended(self) -> float:
        """Return the end-to-end latency."""
        return self.ttft + math.fsum(self.gaps) if self.e2el is None else self.e2el


def answer(ttft: float, *gaps: float, start: float = math.nan, tokens: float | None = None, prompt: float = 10) -> Row:
    """Make an answer; unless it is said otherwise, each chunk of it is one token."""
    return Row(ttft, gaps, start, 1.0 + len(gaps) if tokens is None else tokens, prompt)


def tokenless(start: float = math.nan, prompt: float = 10) -> Row:
    """Make an answer without an error and without a token."""
    return Row(math.nan, (), start, 0, prompt)


def failure(
    *gaps: float, ttft: float = math.nan, start: float = math.nan, tokens: float = 0, prompt: float = 10
) -> Row:
    """Make a request that failed, perhaps after it had got some tokens; it has no end."""
    return Row(ttft, gaps, start, tokens, prompt, answered=False, e2el=math.nan)


def requests_of(*rows: Row, source: Source = FILE) -> Requests:
    """Put rows together."""
    return Requests(
        answered=np.array([row.answered for row in rows], dtype=np.bool_),
        start=np.array([row.start for row in rows], dtype=np.float64),
        ttft=np.array([row.ttft for row in rows], dtype=np.float64),
        e2el=np.array([row.ended for row in rows], dtype=np.float64),
        input_tokens=np.array([row.prompt for row in rows], dtype=np.float64),
        output_tokens=np.array([row.tokens for row in rows], dtype=np.float64),
        gap_counts=np.array([len(row.gaps) for row in rows], dtype=np.int64),
        gaps=np.array([round(gap * 1e6) for row in rows for gap in row.gaps], dtype=np.int32),
        source=source,
    )
