"""What the numbers of EvalScope's perf mean, under the names of its releases; units stand in the names."""

from __future__ import annotations

from typing import Final

from generator.mapping import Mapped
from generator.text import Text

TOOL: Final = "EvalScope"
PERCENTILES: Final = "benchmark_percentile"
OLD: Final = "0.x"
WORDS: Final = {"p50": "50%", "p90": "90%", "p95": "95%", "p99": "99%"}
CONCURRENCY: Final = ("Concurrency", "Number of concurrency")
RATE: Final = ("Request Rate (req/s)", "Request rate (req/s)")

TTFT: Final = Text(
    zh="从发出到第一个 chunk，只算流式请求。", en="From sending to the first chunk, of streamed requests."
)
TPOT: Final = Text(zh="(时延 − TTFT) ÷ (输出 token 数 − 1)。", en="(latency − TTFT) ÷ (output tokens − 1).")
ITL: Final = Text(
    zh="相邻 chunk 之间的间隔，所有请求放在一起。", en="Gaps between chunks, those of all requests pooled."
)
E2EL: Final = Text(zh="从发出到回答结束。", en="From sending to the end of the answer.")
NEAREST: Final = Text(
    zh="{what}分位数取最近的一个样本，舍入到两位小数。",
    en="{what} Percentiles are the nearest sample, rounded to two decimals.",
)
WHOLE: Final = Text(zh="最早的发送到最晚的结束", en="time from the earliest sending to the latest end")


def _mean(name: str, unit: str, metric: str, definition: Text, versions: str = "") -> Mapped:
    return Mapped(name, unit, definition, metric, zero_is_missing=True, versions=versions)


def _percentile(name: str, unit: str, quantity: str, definition: Text, versions: str = "") -> Mapped:
    told = NEAREST.format(what=definition)
    return Mapped(
        f"{PERCENTILES}.{{}}.{name}", unit, told, f"{quantity}_{{}}", statistics=WORDS, zero_is_missing=True,
        versions=versions,
    )  # fmt: skip


MAPPING: Final = (
    Mapped("Total Requests", "1", Text(zh="成功与失败的请求之和，不含预热。", en="Requests answered and failed, without the warm-up."), "requests", aliases=("Total requests",)),
    Mapped("Success Requests", "1", Text(zh="成功的请求，不含预热。", en="Requests answered, without the warm-up."), "completed", aliases=("Succeed requests",)),
    Mapped("Test Duration (s)", "s", Text(zh="{whole}。", en="The {whole}.").format(whole=WHOLE), "duration", aliases=("Time taken for tests (s)",), zero_is_missing=True),
    Mapped("Req Throughput (req/s)", "req/s", Text(zh="成功的请求 ÷ {whole}。", en="Requests answered ÷ {whole}.").format(whole=WHOLE), "request_throughput", aliases=("Request throughput (req/s)",)),
    Mapped("Output Throughput (tok/s)", "tok/s", Text(zh="输出 token ÷ {whole}。", en="Output tokens ÷ {whole}.").format(whole=WHOLE), "output_throughput", aliases=("Output token throughput (tok/s)",)),
    Mapped("Total Throughput (tok/s)", "tok/s", Text(zh="输入与输出 token ÷ {whole}。", en="Tokens of prompts and answers ÷ {whole}.").format(whole=WHOLE), "total_token_throughput", aliases=("Total token throughput (tok/s)",)),
    Mapped("Avg Output Tokens", "tok", Text(zh="成功请求的输出 token 均值，以服务端的计数为先。", en="Mean output tokens of the requests answered, as the server counts them where it does."), "output_tokens_mean", aliases=("Average output tokens per request",), zero_is_missing=True),
    Mapped("Avg TTFT (ms)", "ms", TTFT, "ttft_mean", aliases=("TTFT (ms)",), zero_is_missing=True),
    Mapped("Avg TPOT (ms)", "ms", TPOT, "tpot_mean", aliases=("TPOT (ms)",), zero_is_missing=True),
    Mapped("Avg ITL (ms)", "ms", ITL, "itl_mean", aliases=("ITL (ms)",), zero_is_missing=True),
    Mapped("Avg Latency (s)", "s", E2EL, "e2el_mean", aliases=("Average latency (s)",), zero_is_missing=True),
    _mean("Average time to first token (s)", "s", "ttft_mean", TTFT, OLD),
    _mean("Average time per output token (s)", "s", "tpot_mean", TPOT, OLD),
    _mean("Average inter-token latency (s)", "s", "itl_mean", ITL, OLD),
    Mapped(
        "Average package latency (s)", "s", Text(zh="单条请求的总时间 ÷ 它的 chunk 数。", en="Whole time of a request ÷ its chunks."), "itl_mean", versions=OLD,
        why=Text(zh="时间里含首个 chunk 之前的等待。", en="The wait for the first chunk is in its time."),
    ),
    _percentile("TTFT (ms)", "ms", "ttft", TTFT),
    _percentile("TPOT (ms)", "ms", "tpot", TPOT),
    _percentile("ITL (ms)", "ms", "itl", ITL),
    _percentile("Latency (s)", "s", "e2el", E2EL),
    _percentile("TTFT (s)", "s", "ttft", TTFT, OLD),
    _percentile("TPOT (s)", "s", "tpot", TPOT, OLD),
    _percentile("ITL (s)", "s", "itl", ITL, OLD),
    Mapped(
        f"{PERCENTILES}.50%.Output (tok/s)", "tok/s", Text(zh="单条请求的输出 token ÷ 它的时延，取中位数。", en="Output tokens of a request ÷ its latency, the median over requests."), "output_throughput",
        why=Text(zh="是一条请求的速率，不是整台服务的吞吐。", en="The rate of one request, not of the server."),
    ),
)  # fmt: skip

CONDUCT: Final = Text(
    zh="并发数一定时，一条结束才发下一条；预热的请求不计入。不流式的请求没有 TTFT 与 TPOT。",
    en="At a concurrency it sends the next request when one has ended; warm-up requests do not count. What is not streamed has "
    "neither TTFT nor TPOT.",
)
