"""Little's law: in a closed loop, concurrency = throughput × time in the system."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Unknown, metric
from generator.runs.requests import OPEN_LOOP
from generator.text import Text
from generator.themes import LOAD

THEME: Final = LOAD

TOO_FEW: Final = Unknown(
    Text(
        zh="请求数少于并发数，槽位从未填满",
        en="there are fewer requests than slots, which are never all in use",
    )
)


@metric(
    "kept_in_flight × duration ÷ requests",
    scope="level",
    unit="s",
    symbol="T_little",
    better="lower",
    digits=4,
    title=Text(zh="由 Little 定律得到的平均时延", en="mean latency by Little's law"),
    meaning=Text(
        zh="并发 × 总耗时 ÷ 发出的请求数；有逐条请求时只数得到回答的，因为一发出就失败的请求不占槽位。",
        en="Concurrency × duration ÷ requests sent; where single requests are known, ÷ those answered: one that failed at "
        "once held no slot.",
    ),
)
def littles_law_e2el(kept_in_flight: float, duration: float, requests: float) -> float | Unknown:
    """Return the mean time in the system (Little 1961), in seconds."""
    return _mean_of(requests, kept_in_flight, duration)


@littles_law_e2el.otherwise("kept_in_flight × duration ÷ count(answered)")
def littles_law_e2el_of_answers(kept_in_flight: float, duration: float, answered: Column) -> float | Unknown:
    """Return the same over the requests that came back."""
    return _mean_of(len(answered), kept_in_flight, duration)


def _mean_of(count: float, kept: float, duration: float) -> float | Unknown:
    """Return slots × time ÷ requests, where the slots were kept in use."""
    if not kept:
        return Unknown(OPEN_LOOP)
    return kept * duration / count if count >= kept else TOO_FEW


@metric(
    "littles_law_e2el ÷ e2el_p50 − 1",
    scope="level",
    unit="ratio",
    symbol="ε_little",
    style="percent",
    digits=2,
    title=Text(zh="与 Little 定律的偏差", en="difference from Little's law"),
    meaning=Text(
        zh="任何闭环负载都满足 Little 定律，所以它只比较均值与中位数，说明不了调度方式。",
        en="Every closed loop obeys Little's law, so this compares a mean with a median; it says nothing about "
        "scheduling.",
    ),
)
def wave_closure(littles_law_e2el: float, e2el_p50: float) -> float:
    """Return mean by Little's law ÷ median − 1."""
    return littles_law_e2el / e2el_p50 - 1


@metric(
    "e2el_mean × completed ÷ duration",
    scope="level",
    unit="1",
    symbol="C̄",
    title=Text(zh="平均在途请求数", en="mean concurrency"),
    meaning=Text(
        zh="所有请求的端到端时延之和 ÷ 总耗时。",
        en="End-to-end latencies of all requests, summed, ÷ duration.",
    ),
)
def mean_concurrency(e2el_mean: float, completed: float, duration: float) -> float:
    """Return Σ E2EL ÷ duration."""
    return e2el_mean * completed / duration


@mean_concurrency.otherwise("sum(request_e2el) ÷ duration")
def mean_concurrency_of_requests(request_e2el: Column, duration: float) -> float:
    """Return Σ E2EL ÷ duration, over the requests that got a token."""
    return float(request_e2el.sum()) / duration
