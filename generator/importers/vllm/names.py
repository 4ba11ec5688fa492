"""The names under which results of `vllm bench serve` give a number: in JSON, in the printed table, in copies of it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

Scalar = str | float | bool | None

LATENCIES: Final = ("ttft", "itl", "tpot", "e2el")
STATISTICS: Final = {"mean": ("mean",), "p50": ("median", "p50"), "p90": ("p90",), "p95": ("p95",), "p99": ("p99",)}
"""Statistic of a metric -> how files call it. A median is written twice where percentiles were asked for."""


def _latency_names() -> Iterator[tuple[str, tuple[str, str]]]:
    for quantity in LATENCIES:
        for statistic, words in STATISTICS.items():
            for word in words:
                meaning = (f"{quantity}_{statistic}", "ms")
                yield f"{word}_{quantity}_ms", meaning
                yield f"{word}_{quantity}", (meaning[0], "s")  # forks of the client that write seconds
                yield f"{word.capitalize()} {quantity.upper()} (ms)", meaning


LATENCY_NAMES: Final[Mapping[str, tuple[str, str]]] = dict(_latency_names())

NAMES: Final[Mapping[str, tuple[str, str]]] = {
    # The JSON file; releases before August 2025 wrote a colon into the name of the goodput.
    "num_prompts": ("requests", "1"),
    "completed": ("completed", "1"),
    "duration": ("duration", "s"),
    "total_input_tokens": ("input_tokens_counted", "tok"),
    "total_output_tokens": ("output_tokens_counted", "tok"),
    "request_throughput": ("request_throughput", "req/s"),
    "request_goodput": ("request_goodput", "req/s"),
    "request_goodput:": ("request_goodput", "req/s"),
    "output_throughput": ("output_throughput", "tok/s"),
    "total_token_throughput": ("total_token_throughput", "tok/s"),
    "max_concurrent_requests": ("peak_concurrency", "1"),
    # The printed table.
    "Successful requests": ("completed", "1"),
    "Benchmark duration (s)": ("duration", "s"),
    "Total input tokens": ("input_tokens_counted", "tok"),
    "Total generated tokens": ("output_tokens_counted", "tok"),
    "Request throughput (req/s)": ("request_throughput", "req/s"),
    "Request goodput (req/s)": ("request_goodput", "req/s"),
    "Output token throughput (tok/s)": ("output_throughput", "tok/s"),
    "Total Token throughput (tok/s)": ("total_token_throughput", "tok/s"),
    "Total token throughput (tok/s)": ("total_token_throughput", "tok/s"),
    "Peak concurrent requests": ("peak_concurrency", "1"),
    # Programs that read the printed table and write its rows as JSON.
    "successful_requests": ("completed", "1"),
    "benchmark_duration_s": ("duration", "s"),
    "total_generated_tokens": ("output_tokens_counted", "tok"),
    "request_throughput_req_s": ("request_throughput", "req/s"),
    "request_goodput_req_s": ("request_goodput", "req/s"),
    "output_token_throughput_tok_s": ("output_throughput", "tok/s"),
    "total_token_throughput_tok_s": ("total_token_throughput", "tok/s"),
    "peak_concurrent_requests": ("peak_concurrency", "1"),
    "completed_requests": ("completed", "1"),
    "total_time_s": ("duration", "s"),
    "request_throughput_rps": ("request_throughput", "req/s"),
    "output_throughput_tps": ("output_throughput", "tok/s"),
    "total_token_throughput_tps": ("total_token_throughput", "tok/s"),
    **LATENCY_NAMES,
}
"""Name in a file -> the metric it is of, and its unit."""

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
