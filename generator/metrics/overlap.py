"""What was under way at once, and how the requests were sent: from the times of the single requests."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Unknown, metric, observed
from generator.numeric.statistics import peak
from generator.places import column
from generator.text import Text
from generator.themes import LOAD

THEME: Final = LOAD

SENT_AT_ONCE = Unknown(
    Text(zh="请求同时发出，没有发送速率", en="the requests were sent at once: there is no rate of sending")
)

peak_concurrency = observed(
    "peak_concurrency",
    scope="level",
    unit="1",
    symbol="C_peak",
    places=[column("peak_concurrency", "1")],
    title=Text(zh="在途请求数的峰值", en="peak concurrency"),
    meaning=Text(
        zh="同一时刻在途的请求最多有多少；在这一刻结束的不算，失败的请求没有结束时刻，也不算。",
        en="The most requests in flight at one moment. One that ends then is not in flight any more; a failed one has no "
        "end on record and does not count.",
    ),
)


@peak_concurrency.otherwise("peak(answer_start, answer_end)")
def peak_concurrency_seen(answer_start: Column, answer_end: Column) -> float:
    """Return the largest overlap of the answered requests."""
    return float(peak(answer_start, answer_end))


@metric(
    "(count(request_start) − 1) ÷ (last(request_start) − first(request_start))",
    scope="level",
    unit="req/s",
    symbol="λ_sent",
    title=Text(zh="实际发送速率", en="rate of sending"),
    meaning=Text(
        zh="从第一条请求到末条请求，每秒发出的请求数；不受最后几条回答的拖尾影响。",
        en="Requests sent per second, from the first to the last; the tail of the last answers does not affect it.",
    ),
)
def sending_rate(request_start: Column) -> float | Unknown:
    """Return the intervals between sendings ÷ the time they took."""
    took = float(request_start[-1] - request_start[0])
    return (len(request_start) - 1) / took if took > 0 else SENT_AT_ONCE


@metric(
    "first(answer_end)",
    scope="level",
    unit="s",
    symbol="t_0",
    title=Text(zh="稳态的起点", en="start of the steady part"),
    meaning=Text(
        zh="第一条回答结束的时刻，从第一条请求发出算起：在此之前槽位还在被填满。",
        en="When the first answer ended, counted from the first request sent: until then the load ramps up.",
    ),
)
def steady_start(answer_end: Column) -> float:
    """Return the end of the first answer."""
    return float(answer_end[0])


@metric(
    "last(request_start)",
    scope="level",
    unit="s",
    symbol="t_1",
    title=Text(zh="稳态的终点", en="end of the steady part"),
    meaning=Text(
        zh="末条请求发出的时刻，从第一条请求发出算起：在此之后槽位逐渐空出来。",
        en="When the last request was sent, counted from the first request sent: after it the load drains.",
    ),
)
def steady_end(request_start: Column) -> float:
    """Return the moment of the last sending."""
    return float(request_start[-1])
