"""What the numbers of AIPerf mean, in its JSON and in its table."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from generator.mapping import Mapped, Words
from generator.text import Text, same

TOOL: Final = "AIPerf"
STATISTICS: Final[Mapping[str, Words]] = {"mean": "avg", "p50": "p50", "p90": "p90", "p95": "p95", "p99": "p99"}

UNITS: Final[Mapping[str, tuple[str, ...]]] = {
    "ms": ("ms", "milliseconds"),
    "s": ("sec", "s", "seconds"),
    "req/s": ("requests/sec", "requests/s"),
    "tok/s": ("tokens/sec", "tokens/s"),
    "tok": ("tokens", "token"),
    "1": ("requests", "request", "count", "", "concurrency"),
}
"""Unit -> how the tool writes it beside a number."""

ANSWERED: Final = Text(zh="没有出错的请求数。", en="Requests that ended without an error.")
DURATION: Final = Text(
    zh="从第一条请求发出到最后一条响应。", en="From the sending of the first request to the last response."
)
E2EL: Final = Text(
    zh="从发出请求到最后一个带内容的响应。", en="From sending a request to its last response with content."
)
TTFT: Final = Text(
    zh="从发出请求到第一个带内容的响应，reasoning 文本也算。",
    en="From sending a request to its first response with content, including reasoning.",
)
PER_REQUEST: Final = Text(
    zh="(request_latency − time_to_first_token) ÷ (输出 token 数 − 1)，每条请求一个值。",
    en="(request_latency − time_to_first_token) ÷ (output tokens − 1), one value per request.",
)
CHUNKS: Final = Text(
    zh="相邻两个响应 chunk 之间的间隔，全部请求放在一起。",
    en="Gaps between one chunk and the next, of all requests together.",
)
SECOND: Final = Text(
    zh="第一个与第二个带内容的响应之间的间隔。", en="The gap between the first two responses with content."
)
NOT_SINCE_SENDING: Final = Text(
    zh="它只是第一个间隔，名字听来却像从发出算起。",
    en="It is the first gap alone, though it sounds like a time since the sending.",
)
VISIBLE: Final = Text(
    zh="从发出请求到第一个不属于 reasoning 文本的响应。",
    en="From sending a request to its first response beyond reasoning.",
)
AFTER_REASONING: Final = Text(
    zh="推理模型的它包含整段思考时间。", en="Of a model that reasons, it holds all of the time that it thinks."
)
OUTPUT: Final = Text(
    zh="输出 token 数，含 reasoning token，由客户端分词。",
    en="Tokens of an answer, including reasoning, by the client's tokenizer.",
)
PROMPT: Final = Text(zh="输入 token 数，由客户端分词。", en="Tokens of a prompt by the client's tokenizer.")
PER_USER: Final = Text(
    zh="1 ÷ inter_token_latency，每条请求一个值。", en="1 ÷ inter_token_latency, one value per request."
)
OF_ONE_STREAM: Final = Text(
    zh="它是单条流的速度，不是系统的吞吐；总吞吐 ÷ 并发数也不等于它。",
    en="It is the pace of one stream, and no throughput of the system; nor is it the throughput ÷ the concurrency.",
)
WITHOUT_REASONING: Final = Text(
    zh="输出 token 数，不含 reasoning token。", en="Output tokens without those of reasoning."
)
LESS: Final = Text(zh="reasoning token 不在内。", en="Tokens of reasoning are not included.")
REASONING: Final = Text(
    zh="答案里分开写出的 reasoning 文本的 token 数之和，由客户端分词；写在正文里的 <think> 不算。",
    en="Tokens of the reasoning that answers give apart, added up, by the client's tokenizer; <think> in the text itself "
    "does not count.",
)
REASONING_EACH: Final = Text(
    zh="同一计数，对有 reasoning 文本的请求取均值。",
    en="The same count, the mean over the requests that have such a text.",
)
OF_ONE_REQUEST: Final = Text(zh="是一条请求的均值，不是总数。", en="It is a mean of single requests, and no total.")
REASONING_SERVED: Final = Text(
    zh="服务端的 usage 给出的 reasoning token 数之和。", en="Tokens of reasoning by the server's usage, added up."
)
OTHER_COUNT: Final = Text(
    zh="输出 token 数由客户端分词，此数由服务端计：两者相除不是份额。",
    en="The output is counted by the client's tokenizer and this by the server: their quotient is not a share.",
)
MEAN_IN_FLIGHT: Final = Text(zh="按时间加权的在途请求数。", en="Requests in flight, over time.")
NOT_THE_CAP: Final = Text(
    zh="它是量出来的在途数，不是所设的并发。", en="It is what was in flight, and not the concurrency that was set."
)
ASKED: Final = Text(zh="要求的长度，均值。", en="The length asked for, on average.")


@dataclass(frozen=True, slots=True)
class _Name:
    """What a number is called in JSON, and in the table."""

    json: str
    table: str


def _blocks(form: str) -> Iterator[Mapped]:
    """Yield the numbers with statistics, in one form of the export."""

    def ours(name: _Name, unit: str, definition: Text, metric: str) -> Mapped:
        return Mapped(f"{getattr(name, form)}.{{}}", unit, definition, f"{metric}_{{}}", statistics=STATISTICS)

    def other(name: _Name, unit: str, definition: Text, metric: str, why: Text) -> Mapped:
        return Mapped(f"{getattr(name, form)}.avg", unit, definition, metric, why=why)

    yield ours(_Name("request_latency", "Request Latency (ms)"), "ms", E2EL, "e2el")
    yield ours(_Name("time_to_first_token", "Time to First Token (ms)"), "ms", TTFT, "ttft")
    yield ours(_Name("inter_token_latency", "Inter Token Latency (ms)"), "ms", PER_REQUEST, "tpot")
    yield ours(_Name("inter_chunk_latency", "Inter Chunk Latency (ms)"), "ms", CHUNKS, "itl")
    yield other(
        _Name("time_to_second_token", "Time to Second Token (ms)"), "ms", SECOND, "ttft_mean", NOT_SINCE_SENDING
    )
    yield other(
        _Name("time_to_first_output_token", "Time to First Output Token (ms)"),
        "ms",
        VISIBLE,
        "ttft_mean",
        AFTER_REASONING,
    )
    yield other(
        _Name("output_token_throughput_per_user", "Output Token Throughput Per User (tokens/sec/user)"),
        "tok/s", PER_USER, "output_throughput", OF_ONE_STREAM,
    )  # fmt: skip
    yield other(
        _Name("output_token_count", "Output Token Count (tokens)"), "tok", WITHOUT_REASONING, "output_tokens_mean", LESS
    )
    yield other(
        _Name("reasoning_token_count", "Reasoning Token Count (tokens)"),
        "tok", REASONING_EACH, "reasoning_tokens", OF_ONE_REQUEST,
    )  # fmt: skip
    yield other(
        _Name("effective_concurrency", "Effective Concurrency"), "1", MEAN_IN_FLIGHT, "concurrency", NOT_THE_CAP
    )
    mean = getattr(_Name("output_sequence_length", "Output Sequence Length (tokens)"), form)
    yield Mapped(f"{mean}.avg", "tok", OUTPUT, "output_tokens_mean")


MAPPING: Final[tuple[Mapped, ...]] = (
    Mapped("request_count.avg", "1", ANSWERED, "completed"),
    Mapped("benchmark_duration.avg", "s", DURATION, "duration"),
    Mapped("total_isl.avg", "tok", PROMPT, "input_tokens_counted"),
    Mapped("total_osl.avg", "tok", OUTPUT, "output_tokens_counted"),
    Mapped("total_reasoning_tokens.avg", "tok", REASONING, "reasoning_tokens"),
    Mapped("total_usage_reasoning_tokens.avg", "tok", REASONING_SERVED, "reasoning_tokens", why=OTHER_COUNT),
    Mapped("request_throughput.avg", "req/s", same("request_count ÷ benchmark_duration"), "request_throughput"),
    Mapped("output_token_throughput.avg", "tok/s", same("total_osl ÷ benchmark_duration"), "output_throughput"),
    Mapped("total_token_throughput.avg", "tok/s", same("(total_isl + total_osl) ÷ benchmark_duration"), "total_token_throughput"),
    Mapped("goodput.avg", "req/s", Text(zh="每秒完成且满足全部 --goodput 条件的请求数。", en="Requests per second that met every --goodput condition."), "request_goodput"),
    *_blocks("json"),
    Mapped("input_config.input.prompt.input_tokens.mean", "tok", ASKED, "asked_input_tokens"),
    Mapped("input_config.input.prompt.output_tokens.mean", "tok", ASKED, "asked_output_tokens"),
)  # fmt: skip
"""Of profile_export_aiperf.json."""

TABLE: Final[tuple[Mapped, ...]] = (
    Mapped("Request Count", "1", ANSWERED, "completed"),
    Mapped("Benchmark Duration (sec)", "s", DURATION, "duration"),
    Mapped("Total Input Sequence Length (tokens)", "tok", PROMPT, "input_tokens_counted"),
    Mapped("Total Output Sequence Length (tokens)", "tok", OUTPUT, "output_tokens_counted"),
    Mapped("Total Reasoning Tokens (tokens)", "tok", REASONING, "reasoning_tokens"),
    Mapped("Total Usage Reasoning Tokens (tokens)", "tok", REASONING_SERVED, "reasoning_tokens", why=OTHER_COUNT),
    Mapped("Request Throughput (requests/sec)", "req/s", same("Request Count ÷ Benchmark Duration"), "request_throughput"),
    Mapped("Output Token Throughput (tokens/sec)", "tok/s", same("Total Output Sequence Length ÷ Benchmark Duration"), "output_throughput"),
    Mapped("Total Token Throughput (tokens/sec)", "tok/s", same("(Total Input + Total Output Sequence Length) ÷ Benchmark Duration"), "total_token_throughput"),
    *_blocks("table"),
)  # fmt: skip
"""Of profile_export_aiperf.csv."""

ERRORS: Final = ("error_request_count.avg", "Error Request Count")
