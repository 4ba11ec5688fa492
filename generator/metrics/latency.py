"""Latencies as vLLM defines them: TTFT, ITL, TPOT, E2EL, each with mean and percentiles."""

from __future__ import annotations

from typing import Final

from generator.kinds import Metric, Unknown, column, fact, metric, observed
from generator.text import Text, same

MEANINGS: Final = {
    "ttft": Text(zh="从发出请求到收到第一个输出 token。", en="From sending a request to its first output token."),
    "itl": Text(
        zh="相邻两次输出之间的间隔；所有请求的间隔放在一起统计。",
        en="Gap between one output and the next; the gaps of all requests are pooled.",
    ),
    "tpot": Text(
        zh="单条请求在第一个 token 之后平均每个 token 的时间：(E2EL − TTFT) ÷ (输出 token 数 − 1)。",
        en="Mean time a token after the first, of one request: (E2EL − TTFT) ÷ (output tokens − 1).",
    ),
    "e2el": Text(zh="从发出请求到收到最后一个 token。", en="From sending a request to its last token."),
}
STATISTICS: Final = {
    "mean": Text(zh="均值", en="mean"),
    "p50": same("p50"),
    "p90": same("p90"),
    "p95": same("p95"),
    "p99": same("p99"),
}


def _latency(quantity: str, statistic: str) -> Metric:
    key = f"{quantity}_{statistic}"
    name = STATISTICS[statistic]
    return observed(
        key, scope="level", unit="ms", better="lower", symbol=f"{quantity.upper()}_{statistic}",
        places=[column(f"{key}_ms", "ms")], meaning=MEANINGS[quantity],
        title=Text(zh=f"{quantity.upper()} {name.zh}", en=f"{quantity.upper()} {name.en}"),
    )  # fmt: skip


latencies = tuple(_latency(quantity, statistic) for quantity in MEANINGS for statistic in STATISTICS)


server_prefill = observed(
    "server_prefill",
    scope="series",
    unit="ms",
    better="lower",
    symbol="t_prefill",
    places=[fact("server.prefill_ms", "ms")],
    title=Text(zh="服务端 prefill", en="prefill on the server"),
    meaning=Text(
        zh="服务端自己记录的 prefill 时间，最低并发；不含排队与网络。",
        en="Prefill as the server itself records it, at the lowest level; without queueing and network.",
    ),
)


@metric(
    "(e2el_p50 − ttft_p50) ÷ (asked_output_tokens − 1)",
    scope="level",
    unit="ms",
    better="lower",
    symbol="TPOT_implied",
    title=Text(zh="由端到端时延反推的 TPOT", en="TPOT implied by the end-to-end latency"),
    meaning=Text(
        zh="用 E2EL 与 TTFT 的中位数之差除以间隔数；与 ITL 对不上就说明有一方定义不同。",
        en="The medians of E2EL and TTFT, their difference spread over the gaps; where it does not meet the ITL, "
        "one of them is defined otherwise.",
    ),
)
def tpot_implied(e2el_p50: float, ttft_p50: float, asked_output_tokens: float) -> float | Unknown:
    """Spread what is left of the end-to-end latency over the gaps. Seconds in, seconds a token out."""
    if asked_output_tokens <= 1:
        return Unknown(Text(zh="只要求一个输出 token，没有间隔", en="one output token was asked, so there is no gap"))
    return (e2el_p50 - ttft_p50) / (asked_output_tokens - 1)
