"""Outcomes as the columns of a run: what is stored, and what every statistic is taken from."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from generator.collect.clock import S, Times
from generator.collect.outcome import Outcome
from generator.collect.usage import Usage
from generator.runs.requests import Numbers, Requests
from generator.values import Source

US = 1000
"""ns of a microsecond."""


def to_requests(outcomes: Sequence[Outcome], source: Source) -> Requests:
    """Return some outcomes as columns, in their order.

    Times are seconds after the first sending. Token counts are the server's; where it gave none they are not known,
    and never counted in chunks. A request that never left has the time at which its turn came for that of its sending.

    Args:
        outcomes: those of one part of one level.
        source: what the numbers are said to have been read from.
    """
    first = min((one.sent for one in outcomes), default=0)
    gaps = [_gaps_us(one.chunks) for one in outcomes]
    failed = Counter(one.reason for one in outcomes if not one.answered and one.reason is not None)
    return Requests(
        answered=np.array([one.answered for one in outcomes], dtype=np.bool_),
        start=_seconds(outcomes, lambda one: one.sent - first),
        ttft=_seconds(outcomes, lambda one: one.first_token - one.sent if one.first_token else None),
        e2el=_seconds(outcomes, lambda one: one.last_token - one.sent if one.answered and one.last_token else None),
        input_tokens=_counts(outcomes, lambda usage: usage.input),
        output_tokens=_counts(outcomes, lambda usage: usage.output),
        gap_counts=np.array([len(one) for one in gaps], dtype=np.int64),
        gaps=np.concatenate(gaps) if gaps else np.zeros(0, dtype=np.int32),
        source=source,
        kinds_of_error=dict(sorted(failed.items())),
    )


def _gaps_us(chunks: Times) -> np.ndarray[tuple[int], np.dtype[np.int32]]:
    """Return the gaps between times in whole µs: each time is rounded, not each gap, so that the sum is right."""
    since_first = (chunks - chunks[:1] + US // 2) // US
    return np.diff(since_first).astype(np.int32)


def _seconds(outcomes: Sequence[Outcome], ns: Callable[[Outcome], int | None]) -> Numbers:
    known = (ns(one) for one in outcomes)
    return np.array([np.nan if time is None else time / S for time in known], dtype=np.float64)


def _counts(outcomes: Sequence[Outcome], count: Callable[[Usage], int | None]) -> Numbers:
    counts = (count(one.usage) if one.usage is not None else None for one in outcomes)
    return np.array([np.nan if number is None else number for number in counts], dtype=np.float64)
