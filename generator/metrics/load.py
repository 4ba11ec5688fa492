"""The load: what was asked of the engine at a level, and how much of it was answered."""

from __future__ import annotations

from typing import Final

from generator.kinds import Column, Unknown, metric, observed
from generator.places import column, setting
from generator.runs.requests import OPEN_LOOP
from generator.text import Text
from generator.themes import LOAD

THEME: Final = LOAD

concurrency = observed(
    "concurrency",
    scope="level",
    unit="1",
    symbol="C",
    places=[column("concurrency", "1")],
    title=Text(zh="并发数", en="concurrency"),
    meaning=Text(zh="闭环负载中同时在途的请求数。", en="Requests in flight at once, in a closed loop."),
)
rate = observed(
    "rate",
    scope="level",
    unit="req/s",
    symbol="λ",
    places=[column("rate", "req/s")],
    title=Text(zh="到达率", en="arrival rate"),
    meaning=Text(zh="开环负载中每秒到达的请求数。", en="Requests arriving each second, in an open loop."),
)
asked_input_tokens = observed(
    "asked_input_tokens",
    scope="level",
    unit="tok",
    symbol="n_in",
    places=[
        column("input_tokens", "tok"),
        setting("level.input_tokens", "tok"),
        setting("workload.input_tokens", "tok"),
    ],
    title=Text(zh="请求的输入长度", en="input tokens requested"),
    meaning=Text(zh="每条请求的 prompt 长度。", en="Prompt length of each request."),
)
asked_output_tokens = observed(
    "asked_output_tokens",
    scope="level",
    unit="tok",
    symbol="n_out",
    places=[
        column("output_tokens", "tok"),
        setting("level.output_tokens", "tok"),
        setting("workload.output_tokens", "tok"),
    ],
    title=Text(zh="请求的输出长度", en="output tokens requested"),
    meaning=Text(zh="每条请求要求产出的 token 数。", en="Tokens each request was asked to produce."),
)
requests = observed(
    "requests",
    scope="level",
    unit="1",
    symbol="N",
    places=[column("requests", "1")],
    title=Text(zh="请求数", en="requests attempted"),
    meaning=Text(zh="客户端发出的请求数，含失败。", en="Requests the client sent, failed ones included."),
)
completed = observed(
    "completed",
    scope="level",
    unit="1",
    symbol="N_ok",
    better="higher",
    places=[column("completed", "1")],
    title=Text(zh="完成数", en="requests completed"),
    meaning=Text(zh="成功返回的请求数。", en="Requests that were answered in full."),
)
duration = observed(
    "duration",
    scope="level",
    unit="s",
    symbol="D",
    places=[column("duration_s", "s")],
    title=Text(zh="总耗时", en="duration"),
    meaning=Text(
        zh="从第一条请求发出到最后一条结束。",
        en="Wall clock from the first request sent to the last one ended.",
    ),
)


@requests.otherwise("count(sent)")
def requests_seen(sent: Column) -> float:
    """Count the requests of the run, failed ones included."""
    return float(len(sent))


@completed.otherwise("count(answered)")
def completed_seen(answered: Column) -> float:
    """Count the requests that came back without an error."""
    return float(len(answered))


@metric(
    "requests − completed",
    scope="level",
    unit="1",
    symbol="N_fail",
    better="lower",
    title=Text(zh="失败数", en="requests failed"),
    meaning=Text(zh="发出但没有成功返回的请求数。", en="Requests sent and not answered in full."),
)
def failed(requests: float, completed: float) -> float:
    """Count the failed requests."""
    return requests - completed


@metric(
    "failed ÷ requests",
    scope="level",
    unit="ratio",
    symbol="f",
    better="lower",
    style="percent",
    title=Text(zh="失败率", en="failure ratio"),
    meaning=Text(zh="失败请求占发出请求的比例。", en="Share of the requests sent that failed."),
)
def failure_ratio(failed: float, requests: float) -> float:
    """Return failed ÷ attempted."""
    return failed / requests


@metric(
    "sum(requests)",
    scope="series",
    unit="1",
    symbol="ΣN",
    over="trials",
    digits=9,
    title=Text(zh="请求总数", en="requests attempted in all"),
    meaning=Text(zh="该系列全部档位的请求数之和。", en="Requests over all levels of the series."),
)
def requests_total(requests: Column) -> float:
    """Add up the requests of all levels."""
    return float(requests.sum())


@metric(
    "sum(failed)",
    scope="series",
    unit="1",
    symbol="ΣN_fail",
    over="trials",
    better="lower",
    digits=9,
    title=Text(zh="失败总数", en="requests failed in all"),
    meaning=Text(zh="该系列全部档位的失败数之和。", en="Failed requests over all levels of the series."),
)
def failed_total(failed: Column) -> float:
    """Add up the failed requests of all levels."""
    return float(failed.sum())


@metric(
    "0 × rate",
    scope="level",
    unit="1",
    symbol="C_kept",
    title=Text(zh="保持在途的请求数", en="requests kept in flight"),
    meaning=Text(
        zh="闭环负载里就是并发数；请求按到达率发出时为 0，因为并发数只是上限，没有谁把它填满。",
        en="The concurrency, in a closed loop; 0 where requests arrive at a rate: a concurrency is then a limit, and nobody "
        "keeps it filled.",
    ),
)
def kept_in_flight(rate: float) -> float:
    """Return 0: arrivals follow a rate."""
    return 0 * rate


@kept_in_flight.otherwise("concurrency")
def kept_in_flight_without_rate(concurrency: float) -> float:
    """Return the concurrency: there is no rate."""
    return concurrency


NOT_COUNTED: Final = Unknown(
    Text(
        zh="请求按到达率发出，平均有多少条在途无从得知",
        en="requests arrive at a rate, and how many were in flight on average is not known",
    )
)


@metric(
    "kept_in_flight",
    scope="level",
    unit="1",
    symbol="C_flight",
    title=Text(zh="在途请求数", en="requests in flight"),
    meaning=Text(
        zh="客户端有多少条请求在途：闭环负载里就是并发数，请求按到达率发出时取平均在途数。",
        en="How many requests the client has in flight: the concurrency, in a closed loop; where requests arrive at a rate, as "
        "many as were in flight on average.",
    ),
)
def in_flight(kept_in_flight: float) -> float | Unknown:
    """Return the concurrency of a closed loop."""
    return kept_in_flight or NOT_COUNTED


@in_flight.otherwise("mean_concurrency")
def in_flight_on_average(mean_concurrency: float) -> float:
    """Return the mean: a limit on concurrency says nothing of how many there were."""
    return mean_concurrency


QUEUED: Final = 0.5
"""Requests waiting on average from which on those in flight are not what a step computes."""
NONE_QUEUED: Final = Unknown(
    Text(zh="引擎没有让请求排队", en="the engine had no requests waiting"),
)
ALL_IN_SLOTS: Final = Unknown(
    Text(zh="在途的请求没有超过槽位", en="no more requests are in flight than there are slots"),
)


@metric(
    f"(1 − (gauge_waiting_mean < {QUEUED:g})) × min(in_flight, gauge_running_mean)",
    scope="level",
    unit="1",
    symbol="C_dec",
    title=Text(zh="一起解码的请求数", en="requests decoded together"),
    meaning=Text(
        zh="解码一步里有多少条请求：在途的请求数；引擎让请求排队时（平均不少于 {queued} 条），是它自报的正在计算的请求数的均值；没有采样而在途的多于槽位时，是槽位数。",
        en="How many requests a decode step holds: those in flight; where the engine had requests waiting (at least {queued} on "
        "average), the mean of those that it said it was computing; without samples of it, no more than it has slots.",
    ).format(queued=f"{QUEUED:g}"),
)
def decoded_together(in_flight: float, gauge_running_mean: float, gauge_waiting_mean: float) -> float | Unknown:
    """Return what the engine computed, where some of what was in flight had to wait."""
    return min(in_flight, gauge_running_mean) if gauge_waiting_mean >= QUEUED else NONE_QUEUED


@decoded_together.otherwise("min(in_flight, wall_scheduler)")
def decoded_in_slots(in_flight: float, wall_scheduler: float) -> float | Unknown:
    """Return the slots, where more requests than that are in flight."""
    return wall_scheduler if in_flight > wall_scheduler else ALL_IN_SLOTS


@decoded_together.otherwise("in_flight")
def decoded_in_flight(in_flight: float) -> float:
    """Return what is in flight: nothing is known to keep any of it waiting."""
    return in_flight


@metric(
    "asked_input_tokens + asked_output_tokens",
    scope="level",
    unit="tok",
    symbol="n_req",
    digits=5,
    title=Text(zh="每条请求的 token 数", en="tokens of a request"),
    meaning=Text(
        zh="输入加输出；没有声明要求的长度时，用计到的均值。",
        en="Input and output; the counted means where no lengths were declared.",
    ),
)
def request_tokens(asked_input_tokens: float, asked_output_tokens: float) -> float:
    """Return the tokens of a request, in and out."""
    return asked_input_tokens + asked_output_tokens


@request_tokens.otherwise("(input_tokens_counted + output_tokens_counted) ÷ completed")
def request_tokens_counted(input_tokens_counted: float, output_tokens_counted: float, completed: float) -> float:
    """Return the mean tokens of the completed requests."""
    return (input_tokens_counted + output_tokens_counted) / completed


@metric(
    "asked_output_tokens − 1",
    scope="level",
    unit="1",
    symbol="n_gap",
    digits=9,
    title=Text(zh="每条请求的间隔数", en="gaps per request"),
    meaning=Text(
        zh="输出 token 之间的间隔：比输出数少一。", en="Gaps between output tokens: one fewer than the tokens."
    ),
)
def gaps_per_request(asked_output_tokens: float) -> float:
    """Count the gaps between the output tokens of one request."""
    return asked_output_tokens - 1


@metric(
    "requests ÷ kept_in_flight",
    scope="level",
    unit="1",
    symbol="N ÷ C",
    title=Text(zh="批次", en="waves"),
    meaning=Text(
        zh="请求数是并发的几倍；不说明引擎用的是不是静态批处理。",
        en="Requests as a multiple of the concurrency; it does not say whether the engine uses static batching.",
    ),
)
def waves(requests: float, kept_in_flight: float) -> float | Unknown:
    """Return attempted requests ÷ concurrency."""
    return requests / kept_in_flight if kept_in_flight else Unknown(OPEN_LOOP)
