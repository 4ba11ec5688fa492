"""What the numbers of GenAI-Perf mean."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.mapping import Mapped, Words
from generator.text import Text, same

TOOL: Final = "GenAI-Perf"
STATISTICS: Final[Mapping[str, Words]] = {"mean": "avg", "p50": "p50", "p90": "p90", "p95": "p95", "p99": "p99"}
SPAN: Final = "response_timestamps − timestamp"

COMMON: Final[tuple[Mapped, ...]] = (
    Mapped("request_count.avg", "1", Text(zh="有响应的请求数；失败的不计。", en="Requests with a response; failed ones are not counted."), "completed"),
    Mapped("request_throughput.avg", "req/s", Text(zh="有响应的请求数 ÷ (末个响应 − 首个发出)。", en="Requests with a response ÷ (last response − first sending)."), "request_throughput"),
    Mapped("output_token_throughput.avg", "tok/s", Text(zh="输出 token 总数 ÷ (末个响应 − 首个发出)。", en="Output tokens ÷ (last response − first sending)."), "output_throughput"),
    Mapped(
        "request_latency.{}", "ms", Text(zh="从发出请求到最后一个响应。", en="From sending a request to its last response."), "e2el_{}",
        statistics=STATISTICS,
    ),
    Mapped(
        "output_sequence_length.avg", "tok", Text(zh="输出 token 数，由客户端分词。", en="Tokens of an answer by the client's tokenizer."), "output_tokens_mean",
        aliases=("num_output_token.avg",),
    ),
    Mapped(
        "output_token_throughput_per_user.avg", "tok/s", same("1 ÷ inter_token_latency"), "output_throughput",
        why=Text(zh="它是单条流的速度，不是系统的吞吐。", en="It is the pace of one stream, and no throughput of the system."),
    ),
    Mapped(
        "output_token_throughput_per_request.avg", "tok/s", Text(zh="每条请求的输出 token 数 ÷ 时延。", en="Output tokens ÷ latency of each request."), "output_throughput",
        why=Text(zh="它是单条请求的速度，不是系统的吞吐。", en="It is the pace of one request, and no throughput of the system."),
    ),
    Mapped(
        "time_to_second_token.avg", "ms", Text(zh="第一个与第二个响应之间的间隔。", en="The gap between the first two responses."), "ttft_mean",
        why=Text(zh="它只是第一个间隔，名字听来却像从发出算起。", en="It is the first gap alone, though it sounds like a time since the sending."),
    ),
    Mapped(
        "input_config.input.synthetic_tokens.mean", "tok", Text(zh="要求的 prompt 长度，均值。", en="The length of prompts asked for, on average."), "asked_input_tokens",
        aliases=("input_config.synthetic_input_tokens_mean",),
    ),
)  # fmt: skip
"""Of all runs."""

STREAMED: Final[tuple[Mapped, ...]] = (
    Mapped(
        "time_to_first_token.{}", "ms",
        Text(zh="从发出请求到第一个非空响应；不用流时它就是整条请求的时延，不采用。", en="From sending a request to its first response that is not empty; without a stream it is the latency of the whole request, and is not used."),
        "ttft_{}", statistics=STATISTICS,
    ),
    Mapped(
        "inter_token_latency.{}", "ms",
        Text(zh="(request_latency − time_to_first_token) ÷ (输出 token 数 − 1)，每条请求一个值。", en="(request_latency − time_to_first_token) ÷ (output tokens − 1), one value per request."),
        "tpot_{}", statistics=STATISTICS,
    ),
)  # fmt: skip
"""Of runs whose answers were read as streams."""

MAPPING: Final = (*COMMON, *STREAMED)
