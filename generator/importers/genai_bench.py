"""Results of genai-bench: one JSON file for each scenario and load, and what the experiment was beside it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from generator.kinds import Importer
from generator.mapping import AS_NAMED, Mapped
from generator.runs.imported import Reported, Run
from generator.store.documents import read_beside, read_document
from generator.store.files import printable, shown
from generator.store.foreign import number_at, pick, run_of, text_at
from generator.store.looks import refuse_without
from generator.store.recognition import json_entries
from generator.store.request_rows import RequestRows, reason
from generator.store.unpacking import Progress
from generator.text import Text, same
from generator.values import Source

TOOL: Final = "genai-bench"
TOTALS: Final = "aggregated_metrics"
REQUESTS: Final = "individual_request_metrics"
EXPERIMENT: Final = "experiment_metadata.json"
UNIT: Final = Text(zh="单位是 _time_unit，没有则为秒。", en="In the unit of _time_unit, seconds where there is none.")


def _latency(field: str, quantity: str, definition: Text, why: Text | None = None) -> Mapped:
    told = Text(zh=f"{definition.zh}{UNIT.zh}", en=f"{definition.en} {UNIT.en}")
    return Mapped(
        f"{TOTALS}.stats.{field}.{{}}", "s", told, f"{quantity}_{{}}" if quantity else "", statistics=AS_NAMED if quantity else {},
        zero_is_missing=True, why=why,
    )  # fmt: skip


def _total(name: str, unit: str, metric: str, definition: Text, why: Text | None = None) -> Mapped:
    return Mapped(f"{TOTALS}.{name}", unit, definition, metric, why=why)


MAPPING: Final = (
    _total("num_requests", "1", "requests", Text(zh="成功与失败的请求之和。", en="Requests answered and failed.")),
    _total("num_completed_requests", "1", "completed", Text(zh="没有错误码的请求，预热的也算。", en="Requests without an error code, those of the warm-up among them.")),
    _total("run_duration", "s", "duration", Text(zh="这一档从开始到结束的时间，总是以秒计。", en="From the start of this load to its end, always in seconds.")),
    _total("requests_per_second", "req/s", "request_throughput", Text(zh="成功的请求 ÷ run_duration。", en="Requests answered ÷ run_duration.")),
    _total("mean_output_throughput_tokens_per_s", "tok/s", "output_throughput", Text(zh="输出 token 之和 ÷ run_duration；预热的请求不计入 token，却计入时间。", en="Output tokens added up ÷ run_duration; the tokens of the warm-up are left out, its time is not.")),
    _total("mean_total_tokens_throughput_tokens_per_s", "tok/s", "total_token_throughput", Text(zh="输入、输出与 reasoning token 之和 ÷ run_duration。", en="Tokens of prompts, answers and reasoning ÷ run_duration.")),
    Mapped(f"{TOTALS}.stats.num_input_tokens.sum", "tok", Text(zh="成功请求的输入 token 之和，不含预热。", en="Prompt tokens of the requests answered, without the warm-up."), "input_tokens_counted"),
    Mapped(f"{TOTALS}.stats.num_output_tokens.sum", "tok", Text(zh="成功请求的输出 token 之和，不含预热。", en="Output tokens of the requests answered, without the warm-up."), "output_tokens_counted"),
    Mapped(f"{TOTALS}.stats.num_output_tokens.mean", "tok", Text(zh="成功请求的输出 token 均值，不含预热。", en="Mean output tokens of the requests answered, without the warm-up."), "output_tokens_mean"),
    _latency("ttft", "ttft", Text(zh="从发出到第一个有内容的 chunk。", en="From sending to the first chunk with content.")),
    _latency("tpot", "tpot", Text(zh="(e2e − TTFT) ÷ (输出 token 数 − 1)。", en="(e2e − TTFT) ÷ (output tokens − 1).")),
    _latency("e2e_latency", "e2el", Text(zh="从发出到流的结尾。", en="From sending to the end of the stream.")),
    Mapped(
        f"{TOTALS}.stats.output_latency.mean", "s", Text(zh="端到端时延减去 TTFT。", en="The end-to-end latency less the TTFT."), "e2el_mean",
        why=Text(zh="不含首个 token 的等待，短于端到端时延。", en="Without the wait for the first token: it is shorter than the end-to-end latency."),
    ),
    Mapped(
        f"{TOTALS}.stats.output_inference_speed.mean", "tok/s", Text(zh="单条请求的 1 ÷ TPOT，取均值。", en="1 ÷ TPOT of a request, the mean over requests."), "output_throughput",
        why=Text(zh="是一条请求的速率，不是整台服务的吞吐。", en="The rate of one request, not the throughput of the server."),
    ),
    Mapped(
        f"{TOTALS}.stats.input_throughput.mean", "tok/s", Text(zh="单条请求的输入 token ÷ TTFT，取均值。", en="Prompt tokens of a request ÷ its TTFT, the mean over requests."), "prompt_throughput",
        why=Text(zh="TTFT 里还有排队与第一步解码。", en="Queueing and the first decode step are in the TTFT, too."),
    ),
)  # fmt: skip
LATENCIES: Final = ("ttft", "tpot", "e2e_latency", "output_latency")
DETERMINISTIC: Final = re.compile(r"D\((\d{1,9}),\s*(\d{1,9})\)")
"""A scenario of which every request has the same lengths."""
NEEDED: Final = (f"{TOTALS}.num_completed_requests", f"{TOTALS}.run_duration")
REMEDY: Final = "import the file of one scenario and load, which has aggregated_metrics"
TOLD: Final = (
    "server_engine", "server_version", "server_gpu_type", "server_gpu_count", "api_backend", "task", "model",
    "model_tokenizer", "benchmark_version", "max_time_per_run_s", "max_requests_per_run", "warmup_ratio",
    "cooldown_ratio",
)  # fmt: skip
"""Entries of the experiment that are kept; its command line holds the key of the API."""


class _Gathering:
    """The single requests of a file, in the unit of the file, which comes behind them."""

    def __init__(self) -> None:
        self._entries: list[tuple[float | None, ...]] = []
        self._errors: list[str | None] = []

    def __call__(self, entry: object) -> None:
        code = pick(entry, "error_code")
        names = ("ttft", "e2e_latency", "num_input_tokens", "num_output_tokens")
        self._entries.append(tuple(number_at(entry, name) for name in names))
        self._errors.append(None if code in (None, "", 0) else reason(code))

    def rows(self, seconds: float) -> RequestRows:
        """Return the requests, latencies multiplied so that they are seconds."""
        rows = RequestRows()
        for (ttft, e2el, given, made), error in zip(self._entries, self._errors, strict=True):
            first, last = (None if time is None else time * seconds for time in (ttft, e2el))
            rows.add(ttft=first, e2el=last, input_tokens=given, output_tokens=made, error=error)
        return rows


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    requests = _Gathering()
    document = read_document(path, progress, {REQUESTS: requests})
    file = shown(path)
    refuse_without(document, NEEDED, file=file, tool=TOOL, remedy=REMEDY)
    in_ms = text_at(document, "_time_unit", f"{TOTALS}._time_unit") == "ms"
    experiment = read_beside(path, EXPERIMENT)
    run = run_of(
        document, _in_milliseconds(MAPPING) if in_ms else MAPPING, file=file, tool=TOOL,
        tool_version=text_at(experiment, "benchmark_version"), model=text_at(experiment, "model"),
        engine=text_at(experiment, "server_engine"), **_load(document),
        requests=requests.rows(1e-3 if in_ms else 1.0).requests(Source(printable(path.name), "")),
        summary={name: text for name in TOLD if (text := _told(experiment, name)) is not None},
        derived=_asked(document),
    )  # fmt: skip
    return [run]


def _in_milliseconds(mapping: Iterable[Mapped]) -> list[Mapped]:
    return [replace(one, unit="ms") if _is_latency(one) else one for one in mapping]


def _is_latency(mapped: Mapped) -> bool:
    return any(f".stats.{name}." in mapped.field for name in LATENCIES)


def _load(document: object) -> dict[str, Any]:
    """Return the load. What is called a concurrency is a rate where requests arrive at one."""
    number = number_at(document, f"{TOTALS}.num_concurrency") or None
    kind = text_at(document, f"{TOTALS}.iteration_type") or ""
    arrivals = number_at(document, f"{TOTALS}.arrival_requests_per_second", f"{TOTALS}.total_arrivals")
    is_rate = "rate" in kind or "qps" in kind or arrivals is not None
    positive = number if number is not None and number > 0 else None
    return {"rate": positive} if is_rate else {"concurrency": positive}


def _asked(document: object) -> list[Reported]:
    found = DETERMINISTIC.fullmatch(text_at(document, f"{TOTALS}.scenario") or "")
    metrics = ("asked_input_tokens", "asked_output_tokens")
    lengths = [float(one) for one in found.groups()] if found else []
    return [Reported(metric, f"{TOTALS}.scenario", "tok", one) for metric, one in zip(metrics, lengths, strict=False)]


def _told(experiment: object, name: str) -> str | float | None:
    text = text_at(experiment, name)
    return text if text is not None else number_at(experiment, name)


genai_bench = Importer(
    "genai_bench",
    same(TOOL),
    json_entries(TOTALS, "scenario", "num_concurrency"),
    _read,
    MAPPING,
    beside=frozenset({EXPERIMENT}),
    conduct=Text(
        zh="请求由 Locust 的用户循环发出；统计量可以不含预热与收尾的请求，生成快于每秒 1000 token 的请求会被丢掉。",
        en="Users of Locust send in a loop; statistics may leave out requests of a warm-up and a cool-down, and requests "
        "faster than 1000 tokens a second are dropped.",
    ),
)
