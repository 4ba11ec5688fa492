"""Slots of a closed loop: how full they were, and how long each stayed empty while requests were still to be sent."""

from __future__ import annotations

from typing import Final

import numpy as np

from generator.kinds import Column, Unknown, metric
from generator.runs.requests import OPEN_LOOP
from generator.text import Text
from generator.themes import LOAD

THEME: Final = LOAD

NO_REFILL: Final = Unknown(
    Text(zh="没有哪个槽位空出来之后又用过", en="no slot was used again after it had become free")
)


def _refills(answer_start: Column, answer_end: Column, kept: float) -> Column | Unknown:
    """Return how long each slot that became free was empty: end k makes room for start C + k. Seconds."""
    if not kept:
        return Unknown(OPEN_LOOP)
    slots = int(kept)
    if slots != kept or len(answer_start) != len(answer_end) or len(answer_start) <= slots:
        return NO_REFILL
    waited: Column = answer_start[slots:] - answer_end[: len(answer_end) - slots]
    return waited


@metric(
    "percentile(drop_first(answer_start, kept_in_flight) − drop_last(answer_end, kept_in_flight), 50)",
    scope="level",
    unit="ms",
    symbol="t_refill",
    better="lower",
    title=Text(zh="槽位再次填上的时间，中位数", en="median time to refill a slot"),
    meaning=Text(
        zh="一条回答结束之后，过多久发出接替它的请求。",
        en="From the end of an answer to the sending of the request that replaces it.",
    ),
)
def refill_p50(answer_start: Column, answer_end: Column, kept_in_flight: float) -> float | Unknown:
    """Return the median time that a free slot stayed empty, in seconds."""
    waited = _refills(answer_start, answer_end, kept_in_flight)
    return waited if isinstance(waited, Unknown) else float(np.median(waited))


@metric(
    "sum(drop_first(answer_start, kept_in_flight) − drop_last(answer_end, kept_in_flight))"
    " ÷ kept_in_flight ÷ (last(answer_start) − first(answer_start))",
    scope="level",
    unit="ratio",
    symbol="f_idle",
    style="percent",
    better="lower",
    title=Text(zh="还有请求待发时空着的槽位", en="slots idle while requests wait"),
    meaning=Text(
        zh="从第一条请求发出到末条发出，全部槽位的时间里有多少空着；失败的请求不知何时结束，也算作空着。",
        en="From the first sending to the last, the share of the time of all slots in which they were empty. When a "
        "failed request ended is not known; it counts as empty.",
    ),
)
def idle_slots_while_waiting(answer_start: Column, answer_end: Column, kept_in_flight: float) -> float | Unknown:
    """Return idle slot time ÷ slots × time of sending."""
    waited = _refills(answer_start, answer_end, kept_in_flight)
    if isinstance(waited, Unknown):
        return waited
    took = float(answer_start[-1] - answer_start[0])
    return float(waited.sum()) / kept_in_flight / took if took > 0 else NO_REFILL


@metric(
    "mean_concurrency ÷ kept_in_flight",
    scope="level",
    unit="ratio",
    symbol="C̄ ÷ C",
    style="percent",
    title=Text(zh="平均在途数与并发之比", en="mean concurrency over the concurrency"),
    meaning=Text(
        zh="所有请求的端到端时延之和 ÷ 总耗时，再 ÷ 并发。低于一的部分是起步、收尾与空槽。",
        en="End-to-end latencies of all requests ÷ duration ÷ concurrency. What is missing from one is the start, the end and "
        "empty slots.",
    ),
)
def concurrency_share(mean_concurrency: float, kept_in_flight: float) -> float | Unknown:
    """Return Σ E2EL ÷ duration ÷ C (Little 1961)."""
    return mean_concurrency / kept_in_flight if kept_in_flight else Unknown(OPEN_LOOP)


@metric(
    "kept_in_flight ÷ output_throughput",
    scope="level",
    unit="ms",
    symbol="C ÷ X",
    better="lower",
    title=Text(zh="每条流每个 token 的实际耗时", en="wall-clock time per token of a stream"),
    meaning=Text(
        zh="并发 ÷ 输出吞吐：含首个 token 的等待与空槽，所以 token 之间的平均间隔不可能比它长。",
        en="Concurrency ÷ output throughput. It includes the wait for first tokens and empty slots, so no mean gap between "
        "tokens can be longer.",
    ),
)
def stream_token_time(kept_in_flight: float, output_throughput: float) -> float | Unknown:
    """Return the seconds of a slot for each token that came."""
    return kept_in_flight / output_throughput if kept_in_flight else Unknown(OPEN_LOOP)
