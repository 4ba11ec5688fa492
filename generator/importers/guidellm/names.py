"""What the numbers of a GuideLLM report mean, in its JSON and in its table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from generator.mapping import Mapped, Words
from generator.text import Text

STATISTICS: Final[Mapping[str, Words]] = {
    "mean": "mean", "p50": ("median", "percentiles.p50"),
    "p90": "percentiles.p90", "p95": "percentiles.p95", "p99": "percentiles.p99",
}  # fmt: skip
"""``p999`` is 99.9 %, ``p001`` 0.1 %: neither is asked for."""
IN_TABLE: Final[Mapping[str, Words]] = {
    "mean": "Mean", "p50": "Median", "p90": "Percentiles.p90", "p95": "Percentiles.p95", "p99": "Percentiles.p99",
}  # fmt: skip

WEIGHED: Final = Text(
    zh="每条请求的 (末 token − 首 token) ÷ (输出 token 数 − 1)；统计时一条请求按它后续的 token 数加权。",
    en="(last − first token) ÷ (output tokens − 1) of each request; statistics weigh a request by its tokens after the first.",
)
ROUND_TRIP: Final = Text(
    zh="从发出请求到响应结束，单位是秒；比末 token 晚几十微秒。",
    en="From sending a request to the end of its response, in seconds: some microseconds after the last token.",
)
FIRST: Final = Text(
    zh="从发出请求到第一个带内容的 chunk。", en="From sending a request to its first chunk with content."
)
WITH_FIRST: Final = Text(
    zh="(末 token − 发出) ÷ 输出 token 数；0.3 及以前是 (末 token − 首 token) ÷ 输出 token 数。",
    en="(last token − sending) ÷ output tokens; up to 0.3, (last − first token) ÷ output tokens.",
)
NOT_TPOT: Final = Text(
    zh="除数把首个 token 也算进去，时间里还可能含 prefill；通常所说的 TPOT 是它的 inter_token_latency_ms。",
    en="It divides by all tokens, the first among them, and may hold the prefill; TPOT, as others mean it, is its "
    "inter_token_latency_ms.",
)
OVER_TIME: Final = Text(
    zh="按时间加权的瞬时速率：相邻两次事件之间记 1 ÷ 间隔。",
    en="A rate over time: between two events, 1 ÷ the time between.",
)
NOT_A_QUOTIENT: Final = Text(
    zh="均值不等于总数 ÷ 总耗时，分位数是瞬时的：两条几乎同时结束的请求会给出上万的速率。",
    en="Its mean is not a total ÷ the duration, and its percentiles are of moments: two requests that end almost at once "
    "make a rate of ten thousand.",
)
IN_FLIGHT: Final = Text(zh="按时间加权的在途请求数。", en="Requests in flight, over time.")
NOT_THE_CAP: Final = Text(
    zh="它是量出来的在途数，不是所设的并发。", en="It is what was in flight, and not the concurrency that was set."
)
SUCCESSFUL: Final = Text(
    zh="测量窗口内成功结束的请求数。", en="Requests that ended without an error within the measured window."
)
TOTAL: Final = Text(
    zh="成功、出错与未完成（时间到了被截断）的请求数之和。",
    en="Requests that succeeded, failed, or were cut off when the time was up.",
)
DURATION: Final = Text(zh="测量窗口的长度。", en="How long the measured window was.")
PROMPTS: Final = Text(zh="成功请求的输入 token 数。", en="Tokens of the prompts of successful requests.")
ANSWERS: Final = Text(
    zh="成功请求的输出 token 数，取服务端的 usage；没有时一个 chunk 算一个。",
    en="Tokens of the answers of successful requests by the server's usage; where there is none, a chunk counts as one.",
)


def _blocks(names: Mapping[str, str], statistics: Mapping[str, Words]) -> Iterator[Mapped]:
    """Yield the blocks of statistics, each at the name that the form of the report has for it."""

    def ours(quantity: str, unit: str, definition: Text, metric: str) -> Mapped:
        return Mapped(names[quantity], unit, definition, f"{metric}_{{}}", statistics=statistics, zero_is_missing=True)

    def other(quantity: str, unit: str, definition: Text, metric: str, why: Text) -> Mapped:
        word = str(statistics["mean"])
        return Mapped(names[quantity].replace("{}", word), unit, definition, metric, why=why)

    yield ours("latency", "s", ROUND_TRIP, "e2el")
    yield ours("ttft", "ms", FIRST, "ttft")
    yield ours("itl", "ms", WEIGHED, "tpot")
    yield Mapped(names["tpot"], "ms", WITH_FIRST, "tpot_{}", statistics=statistics, why=NOT_TPOT, zero_is_missing=True)
    yield other("request_rate", "req/s", OVER_TIME, "request_throughput", NOT_A_QUOTIENT)
    yield other("output_rate", "tok/s", OVER_TIME, "output_throughput", NOT_A_QUOTIENT)
    yield other("total_rate", "tok/s", OVER_TIME, "total_token_throughput", NOT_A_QUOTIENT)
    yield other("in_flight", "1", IN_FLIGHT, "concurrency", NOT_THE_CAP)


COUNTS: Final = (
    "metrics.request_totals",
    "request_totals",
    "scheduler_metrics.requests_made",
    "run_stats.requests_made",
)
"""Where the reports of one version or another count requests by how they ended."""


def _counts(word: str) -> tuple[str, tuple[str, ...]]:
    first, *others = (f"{place}.{word}" for place in COUNTS)
    return first, tuple(others)


COMPLETED, COMPLETED_TOO = _counts("successful")
REQUESTS, REQUESTS_TOO = _counts("total")

MAPPING: Final[tuple[Mapped, ...]] = (
    Mapped(COMPLETED, "1", SUCCESSFUL, "completed", aliases=COMPLETED_TOO),
    Mapped(REQUESTS, "1", TOTAL, "requests", aliases=REQUESTS_TOO),
    Mapped("duration", "s", DURATION, "duration"),
    Mapped("metrics.prompt_token_count.successful.total_sum", "tok", PROMPTS, "input_tokens_counted"),
    Mapped("metrics.output_token_count.successful.total_sum", "tok", ANSWERS, "output_tokens_counted"),
    Mapped("metrics.output_token_count.successful.mean", "tok", ANSWERS, "output_tokens_mean"),
    *_blocks(
        {
            "latency": "metrics.request_latency.successful.{}",
            "ttft": "metrics.time_to_first_token_ms.successful.{}",
            "itl": "metrics.inter_token_latency_ms.successful.{}",
            "tpot": "metrics.time_per_output_token_ms.successful.{}",
            "request_rate": "metrics.requests_per_second.successful.{}",
            "output_rate": "metrics.output_tokens_per_second.successful.{}",
            "total_rate": "metrics.tokens_per_second.successful.{}",
            "in_flight": "metrics.request_concurrency.successful.{}",
        },
        STATISTICS,
    ),
)
"""Of JSON and YAML."""

TABLE: Final[tuple[Mapped, ...]] = (
    Mapped("Request Counts.Successful", "1", SUCCESSFUL, "completed"),
    Mapped("Request Counts.Total", "1", TOTAL, "requests"),
    Mapped("Timings.Duration.Sec", "s", DURATION, "duration"),
    Mapped("Token Metrics.Successful Output Tokens.Mean", "tok", ANSWERS, "output_tokens_mean", zero_is_missing=True),
    *_blocks(
        {
            "latency": "Request Latency.Successful Sec.{}",
            "ttft": "Time to First Token.Successful ms.{}",
            "itl": "Inter Token Latency.Successful ms.{}",
            "tpot": "Time per Output Token.Successful ms.{}",
            "request_rate": "Server Throughput.Successful Requests/Sec.{}",
            "output_rate": "Token Throughput.Successful Output Tokens/Sec.{}",
            "total_rate": "Token Throughput.Successful Total Tokens/Sec.{}",
            "in_flight": "Server Throughput.Successful Concurrency.{}",
        },
        IN_TABLE,
    ),
)
"""Of the table with a header of three rows."""
