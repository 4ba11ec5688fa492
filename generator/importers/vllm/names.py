"""The names under which results of `vllm bench serve` give a number: in JSON, in the printed table, in copies of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.mapping import Mapped, Words, ours
from generator.text import Text, same

Scalar = str | float | bool | None

STATISTICS: Final[Mapping[str, Words]] = {
    "mean": "mean",
    "p50": ("median", "p50"),
    "p90": "p90",
    "p95": "p95",
    "p99": "p99",
}
"""Statistic of a metric -> how files call it. A median is written twice where percentiles were asked for."""
PRINTED: Final[Mapping[str, Words]] = {
    "mean": "Mean",
    "p50": ("Median", "P50"),
    "p90": "P90",
    "p95": "P95",
    "p99": "P99",
}

DEFINITIONS: Final = {
    "ttft": Text(
        zh="从发出请求到第一个带内容的 chunk；没有样本时写 0。",
        en="From sending a request to its first chunk with content; 0 stands for no sample.",
    ),
    "itl": Text(
        zh="相邻两个 chunk 之间的间隔，全部请求放在一起；一个 chunk 可能带几个 token。",
        en="Gaps between one chunk and the next, of all requests together; a chunk may carry several tokens.",
    ),
    "tpot": Text(
        zh="(E2EL − TTFT) ÷ (输出 token 数 − 1)，每条请求一个值；只有一个 token 的回答不计。",
        en="(E2EL − TTFT) ÷ (output tokens − 1), one value a request; answers of a single token are left out.",
    ),
    "e2el": Text(zh="从发出请求到最后一个 chunk。", en="From sending a request to its last chunk."),
}
BY_SERVER: Final = Text(
    zh="输入 token 数，由客户端的 tokenizer 数出，只算成功的请求。",
    en="Tokens of the prompts as the client's tokenizer counts them, of successful requests alone.",
)
GENERATED: Final = Text(
    zh="输出 token 数，取服务端的 usage；没有时由客户端的 tokenizer 数。",
    en="Tokens of the answers by the server's usage; where there is none, by the client's tokenizer.",
)
DURATION: Final = Text(
    zh="从开始发送到最后一条回答结束。", en="From the beginning of sending to the end of the last answer."
)
PEAK: Final = Text(
    zh="按整秒分桶数出的最大在途数，可能超过上限。",
    en="The most in flight, counted in buckets of a second, so it may exceed the cap.",
)


def _latency(quantity: str) -> tuple[Mapped, ...]:
    metric, definition = f"{quantity}_{{}}", DEFINITIONS[quantity]
    upper = quantity.upper()
    return (
        Mapped(f"{{}}_{quantity}_ms", "ms", definition, metric, statistics=STATISTICS, zero_is_missing=True),
        Mapped(f"{{}}_{quantity}", "s", definition, metric, statistics=STATISTICS, zero_is_missing=True),
        Mapped(f"{{}} {upper} (ms)", "ms", definition, metric, statistics=PRINTED, zero_is_missing=True),
    )


MAPPING: Final[tuple[Mapped, ...]] = (
    Mapped("num_prompts", "1", Text(zh="要发送的请求数。", en="Requests to be sent."), "requests"),
    Mapped(
        "completed", "1", Text(zh="没有出错的请求数。", en="Requests that ended without an error."), "completed",
        aliases=("Successful requests", "successful_requests", "completed_requests"),
    ),
    Mapped(
        "duration", "s", DURATION, "duration",
        aliases=("Benchmark duration (s)", "benchmark_duration_s", "total_time_s"),
    ),
    Mapped("total_input_tokens", "tok", BY_SERVER, "input_tokens_counted", aliases=("Total input tokens",)),
    Mapped(
        "total_output_tokens", "tok", GENERATED, "output_tokens_counted",
        aliases=("Total generated tokens", "total_generated_tokens"),
    ),
    Mapped(
        "request_throughput", "req/s", same("completed ÷ duration"), "request_throughput",
        aliases=("Request throughput (req/s)", "request_throughput_req_s", "request_throughput_rps"),
    ),
    # Releases before August 2025 wrote a colon into the name.
    Mapped(
        "request_goodput", "req/s",
        Text(zh="每秒完成且满足全部 --goodput 条件的请求数。", en="Requests a second that met every --goodput condition."),
        "request_goodput", aliases=("request_goodput:", "Request goodput (req/s)", "request_goodput_req_s"),
    ),
    Mapped(
        "output_throughput", "tok/s", same("total_output_tokens ÷ duration"), "output_throughput",
        aliases=("Output token throughput (tok/s)", "output_token_throughput_tok_s", "output_throughput_tps"),
    ),
    Mapped(
        "total_token_throughput", "tok/s", same("(total_input_tokens + total_output_tokens) ÷ duration"),
        "total_token_throughput",
        aliases=(
            "Total Token throughput (tok/s)", "Total token throughput (tok/s)",
            "total_token_throughput_tok_s", "total_token_throughput_tps",
        ),
    ),
    Mapped(
        "max_concurrent_requests", "1", PEAK, "peak_concurrency",
        aliases=("Peak concurrent requests", "peak_concurrent_requests"),
    ),
    *(row for quantity in DEFINITIONS for row in _latency(quantity)),
    Mapped(
        "max_output_tokens_per_s", "tok/s", Text(zh="某一整秒里产出的最多 token 数。", en="The most tokens in one whole second."),
        "output_throughput",
        why=Text(zh="它是峰值，不是平均吞吐。", en="It is a peak, and no mean over the run."),
    ),
    Mapped(
        "{}_e2el_including_client_queue_ms", "ms",
        Text(zh="从该发送的时刻起算，含客户端排队。", en="From when the request was due, the client's queue counted in."),
        "e2el_{}", statistics=STATISTICS,
        why=Text(zh="它把客户端里的等待也算进去。", en="It counts the wait inside the client."),
    ),
)  # fmt: skip
"""What each name means; further names of one number stand beside it, those of printed tables and of copies among them."""

NAMES: Final[Mapping[str, tuple[str, str]]] = {entry.field: (entry.metric, entry.unit) for entry in ours(MAPPING)}
"""Name in a file -> the metric it is of, and its unit."""

LATENCY_NAMES: Final = frozenset(entry.field for entry in ours(MAPPING) if entry.zero_is_missing)
"""Names of numbers that are 0 where the tool has nothing to take them from."""

FAILED: Final = ("Failed requests", "failed_requests")
CAPS: Final = ("Maximum request concurrency", "max_concurrency", "concurrency")
RATES: Final = ("Request rate configured (RPS)", "request_rate")
MODELS: Final = ("model_id", "model")
ENGINES: Final = ("engine", "framework", "backend")
BACKENDS: Final = frozenset(
    {
        "vllm",
        "sglang",
        "tgi",
        "lmdeploy",
        "tensorrt-llm",
        "deepspeed-mii",
        "scalellm",
        "llama.cpp",
        "llamacpp",
        "ollama",
    }
)
"""What ``backend`` may say that is an engine; its other values are protocols (``openai-chat``)."""


def is_number(value: Scalar) -> bool:
    """Say whether an entry is a number; True and False are none."""
    return isinstance(value, int | float) and not isinstance(value, bool)
