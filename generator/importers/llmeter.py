"""Results of LLMeter: stats.json with the numbers of a run, and responses.jsonl with its requests, in one folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from generator.kinds import Importer
from generator.mapping import Mapped, spelled
from generator.runs.imported import Run
from generator.runs.requests import Requests
from generator.store.documents import drop, read_document, read_documents, sibling
from generator.store.files import printable, shown
from generator.store.foreign import number_at, pick, run_of, text_at
from generator.store.looks import no_result
from generator.store.moments import clock, seconds_of
from generator.store.recognition import best_of, json_entries
from generator.store.request_rows import RequestRows
from generator.store.totals import answered
from generator.store.unpacking import Progress
from generator.text import Text, same
from generator.values import Source

TOOL: Final = "LLMeter"
STATS: Final = "stats.json"
SUMMARY: Final = "summary.json"
RESPONSES: Final = "responses.jsonl"
RESPONSE: Final = "time_to_last_token"
"""An entry that every response has, and no statistics."""
EXACT: Final = {"mean": "average", "p50": "p50"}
TAILS: Final = {"p90": "p90", "p99": "p99"}

BEYOND: Final = Text(
    zh="按 n + 1 个等分点插值，请求少时会落到最大值之外。",
    en="It interpolates between n + 1 parts, which for few requests gives more than the largest of them.",
)
LATENCIES: Final = {
    "time_to_first_token": (
        "ttft",
        Text(zh="从发送到第一段有内容的输出。", en="From sending to the first piece of output that is not empty."),
    ),
    "time_to_last_token": ("e2el", Text(zh="从发送到最后一段输出。", en="From sending to the last piece of output.")),
    "time_per_output_token": (
        "tpot",
        Text(zh="（末 token − 首 token）÷（n − 1），逐条请求。", en="(last − first token) ÷ (n − 1) of each request."),
    ),
}
"""Name -> our quantity, and how it is computed."""
COUNTED: Final = Text(
    zh="所有回答的 token 之和；服务端不报数时由客户端估算。",
    en="Tokens of all answers together; where the server counts none, the client estimates them.",
)

MAPPING: Final = (
    Mapped("total_requests", "1", Text(zh="发出的请求数。", en="Requests that were sent."), "requests"),
    Mapped(
        "total_test_time", "s", Text(zh="从开始加压到最后一条请求结束。", en="From the start to the end of the last request."), "duration"
    ),
    Mapped(
        "total_input_tokens", "tok", Text(zh="所有 prompt 的 token 之和。", en="Tokens of all prompts together."), "input_tokens_counted", zero_is_missing=True
    ),
    Mapped("total_output_tokens", "tok", COUNTED, "output_tokens_counted", zero_is_missing=True),
    Mapped(
        "num_tokens_output-average", "tok", Text(zh="回答的平均 token 数。", en="Mean number of tokens of the answers."), "output_tokens_mean"
    ),
    *(
        one
        for name, (metric, definition) in LATENCIES.items()
        for one in (
            *spelled(Mapped(f"{name}-{{}}", "s", definition, f"{metric}_{{}}", statistics=EXACT)),
            *spelled(Mapped(f"{name}-{{}}", "s", definition, f"{metric}_{{}}", why=BEYOND, statistics=TAILS)),
        )
    ),
    Mapped(
        "requests_per_minute", "1", Text(zh="发出的请求 × 60 ÷ 时长。", en="Requests sent × 60 ÷ duration."), "request_throughput",
        why=Text(zh="失败的请求也计在内，而且按分钟计。", en="It counts failed requests too, and by the minute."),
    ),
)  # fmt: skip

CONDUCT: Final = Text(
    zh="每个客户端发完一条再发下一条；不预热；失败的请求按 SDK 的设置自动重试，重试的时间算在这条请求里。",
    en="Each client sends one request after another; it warms nothing up; what fails is retried as the SDK is set to, "
    "and the time of that counts to the request.",
)


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    """Read one run, whichever of its two files was named: both give the same."""
    first = next(read_documents(path, progress), None)
    if isinstance(first, dict) and RESPONSE in first:
        return [_run(_beside(path, STATS, SUMMARY), path, shown(path))]
    if number_at(first, "total_test_time") is not None:
        return [_run(first, sibling(path, RESPONSES), shown(path))]
    remedy = f"import {STATS} with {RESPONSES} beside it"
    raise no_result(shown(path), "", TOOL, first or {}, ["total_test_time"], remedy)


def _beside(path: Path, *names: str) -> object:
    """Return what stands in the first of some files beside another one; nothing where there is none."""
    found = [other for name in names if (other := sibling(path, name)) is not None]
    return read_document(found[0], drop) if found else {}


def _requests(path: Path) -> Requests | None:
    rows = RequestRows()
    for entry in read_documents(path, drop):
        rows.add(
            start=seconds_of(pick(entry, "request_time")),
            ttft=number_at(entry, "time_to_first_token"),
            e2el=number_at(entry, "time_to_last_token"),
            input_tokens=number_at(entry, "num_tokens_input"),
            output_tokens=number_at(entry, "num_tokens_output"),
            error=_error(entry),
        )
    return rows.requests(Source(printable(path.name), ""))


def _error(entry: object) -> str | None:
    found = pick(entry, "error")
    return None if found is None else str(found) or "unknown"


def _run(stats: object, responses: Path | None, file: str) -> Run:
    run = run_of(
        stats, MAPPING, file=file, tool=TOOL, requests=None if responses is None else _requests(responses),
        model=text_at(stats, "model_id"), label=text_at(stats, "run_name"), concurrency=number_at(stats, "clients"),
        started=clock(pick(stats, "first_request_time")) or clock(pick(stats, "start_time")),
    )  # fmt: skip
    return answered(run, stats, "total_requests", "failed_requests", file=file)


llmeter = Importer(
    "llmeter",
    same(TOOL),
    best_of(
        json_entries("failed_requests", "total_test_time", "requests_per_minute"),
        json_entries("response_text", "time_to_last_token", "num_tokens_output"),
    ),
    _read,
    MAPPING,
    beside=frozenset({SUMMARY, "run_config.json"}),
    conduct=CONDUCT,
)
