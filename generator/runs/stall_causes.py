"""What went on while all answers under way stood still: as far as requests and the log of the server tell."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from generator.numeric.common_stalls import holding
from generator.numeric.statistics import overlapped
from generator.runs.requests import Requests
from generator.text import Text

Cause = Literal["full_pool", "prefill", "waiting", "none"]
CAUSES: Final[Mapping[Cause, Text]] = {
    "full_pool": Text(zh="日志里的抢占或 KV 池已满", en="a preemption or a full KV pool in the log"),
    "prefill": Text(zh="另一条请求的 prefill", en="the prefill of another request"),
    "waiting": Text(
        zh="另一条请求在等首个 token，看不出是 prefill 还是排队",
        en="another request waiting for its first token, in prefill or in the queue",
    ),
    "none": Text(zh="没有已知的原因", en="nothing that is known"),
}
"""What a stall may coincide with, the most telling first; of several it has the first."""


def causes_of(requests: Requests) -> dict[Cause, int]:
    """Return how many stalls coincide with what; what none coincides with is not in it."""
    named = cause_of_each(requests)
    return {cause: count for cause in CAUSES if (count := named.count(cause))}


def cause_of_each(requests: Requests) -> list[Cause]:
    """Return what each stall of a run coincides with, in their order."""
    stalls = requests.stalls
    tests: dict[Cause, NDArray[np.bool_]] = {
        "full_pool": _in_log(requests),
        "prefill": stalls.is_with_first | _launched(requests),
        "waiting": _beside_wait(requests),
    }
    return [next((cause for cause, holds in tests.items() if holds[row]), "none") for row in range(len(stalls.begins))]


def _in_log(requests: Requests) -> NDArray[np.bool_]:
    moments = requests.server.of("preemption", "kv_full") if requests.server is not None else np.zeros(0)
    return holding(requests.stalls.begins, requests.stalls.ends, moments)


def _launched(requests: Requests) -> NDArray[np.bool_]:
    """Say in which stalls a request had been put into a slot and was without a first token, where the log says."""
    begins, ends = requests.stalls.begins, requests.stalls.ends
    launches = dealt_launches(requests)
    if launches is None:
        return np.zeros(len(begins), np.bool_)
    known = np.isfinite(launches)
    return overlapped(begins, ends, np.sort(launches[known]), np.sort((requests.start + requests.ttft)[known]))


def _beside_wait(requests: Requests) -> NDArray[np.bool_]:
    rows = requests.spoke & np.isfinite(requests.start)
    sent, first = requests.start[rows], (requests.start + requests.ttft)[rows]
    return overlapped(requests.stalls.begins, requests.stalls.ends, np.sort(sent), np.sort(first))


def dealt_launches(requests: Requests) -> NDArray[np.float64] | None:
    """Return when each request was put into a slot; NaN for those without a token.

    The log does not say which request of the client a launch is of. Servers queue in the order of arrival, so they are
    dealt in the order of sending; None where there is another number of them, or one would lie outside the wait of
    its request.
    """
    rows = np.flatnonzero(requests.spoke & np.isfinite(requests.start))
    launches = requests.server.of("launch") if requests.server is not None else np.zeros(0)
    if not len(rows) or len(launches) != len(rows) or len(rows) != len(requests):
        return None
    order = rows[np.argsort(requests.start[rows], kind="stable")]
    sent, first = requests.start[order], (requests.start + requests.ttft)[order]
    if (launches < sent - EARLY).any() or (launches > first).any():
        return None
    dealt = np.full(len(requests), np.nan)
    dealt[order] = np.maximum(launches, sent)
    return dealt


EARLY: Final = 0.002
"""Seconds by which a launch may seem to come before its sending: two clocks are joined."""
