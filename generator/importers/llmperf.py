"""Summaries of llmperf: one flat JSON object a run, and the responses one by one in a file beside it."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from generator.kinds import Importer
from generator.mapping import Mapped
from generator.runs.imported import Reported, Run
from generator.runs.requests import Requests
from generator.store.documents import drop, read_document, read_documents, sibling
from generator.store.files import printable, shown
from generator.store.foreign import number_at, pick, run_of, text_at
from generator.store.looks import refuse_without
from generator.store.recognition import json_entries
from generator.store.request_rows import RequestRows, reason
from generator.store.totals import of_same_run, span_of, total_of
from generator.store.unpacking import Progress
from generator.text import Text, same
from generator.values import Source

TOOL: Final = "llmperf"
STATISTICS: Final = {
    "mean": "mean",
    "p50": "quantiles_p50",
    "p90": "quantiles_p90",
    "p95": "quantiles_p95",
    "p99": "quantiles_p99",
}
TOKENS: Final = Text(
    zh="用 Llama 的 tokenizer 对回答文本计数，不论服务的是什么模型。",
    en="Counted with Llama's tokenizer over the text of the answers, whatever model is served.",
)
MAPPING: Final = (
    Mapped("results_num_requests_started", "1", Text(zh="有结果的请求，含失败。", en="Requests that came back, failed ones included."), "requests"),
    Mapped("results_num_completed_requests", "1", Text(zh="没有错误码的请求。", en="Requests without an error code."), "completed"),
    Mapped("mean_input_tokens", "tok", Text(zh="要求的输入长度均值。", en="Mean input length asked for."), "asked_input_tokens"),
    Mapped("mean_output_tokens", "tok", Text(zh="要求的输出长度均值。", en="Mean output length asked for."), "asked_output_tokens"),
    Mapped("results_number_output_tokens_mean", "tok", TOKENS, "output_tokens_mean"),
    Mapped(
        "results_mean_output_throughput_token_per_s", "tok/s",
        Text(zh="全部回答的 token ÷ 整次测试的时间；token 用 Llama 的 tokenizer 计数。", en="Tokens of all answers ÷ time of the whole test, tokens counted with Llama's tokenizer."),
        "output_throughput",
    ),
    Mapped(
        "results_ttft_s_{}", "s", Text(zh="从发出到第一个有内容的 chunk。", en="From sending to the first chunk with content."),
        "ttft_{}", statistics=STATISTICS, zero_is_missing=True,
    ),
    Mapped(
        "results_end_to_end_latency_s_{}", "s", Text(zh="从发出到流的结尾。", en="From sending to the end of the stream."),
        "e2el_{}", statistics=STATISTICS, zero_is_missing=True,
    ),
    Mapped(
        "results_inter_token_latency_s_{}", "s",
        Text(zh="一条请求的全部等待时间（含第一个 token）÷ token 数。", en="All waiting of a request, that for the first token included, ÷ its tokens."),
        "itl_{}", statistics=STATISTICS,
        why=Text(zh="把 TTFT 也分摊到每个 token 上：它是每个输出 token 的端到端时间，既不是间隔，也不是 TPOT。", en="The TTFT is spread over the tokens as well: it is the end-to-end time per output token, neither a gap nor a TPOT."),
    ),
    Mapped(
        "results_request_output_throughput_token_per_s_mean", "tok/s",
        Text(zh="单条请求的输出 token ÷ 它的端到端时延，取均值。", en="Output tokens of one request ÷ its end-to-end latency, the mean over requests."),
        "output_throughput",
        why=Text(zh="是一条请求的速率，不是整台服务的吞吐。", en="The rate of one request, not the throughput of the server."),
    ),
)  # fmt: skip
NEEDED: Final = ("results_num_requests_started", "results_num_completed_requests")
REMEDY: Final = "import the file that ends with _summary.json"
SUMMARY: Final = "_summary.json"
RESPONSES: Final = "_individual_responses.json"
MINUTE: Final = 60.0


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    """Return the run of a summary, with its requests where they lie beside it."""
    document = read_document(path, progress)
    file = shown(path)
    refuse_without(document, NEEDED, file=file, tool=TOOL, remedy=REMEDY)
    told, requests = _requests(path, document)
    run = run_of(
        document, MAPPING, file=file, tool=TOOL, model=text_at(document, "model"), engine=text_at(document, "framework"),
        concurrency=number_at(document, "num_concurrent_requests") or None, requests=requests,
        summary=told, derived=_derived(document),
    )  # fmt: skip
    return [run]


def _derived(document: object) -> list[Reported]:
    """Return what the file gives a minute, and a request, in the terms of other files."""
    completed = "results_num_completed_requests"
    return [
        *span_of(document, completed, f"{completed}_per_min", MINUTE),
        *total_of(document, "results_number_input_tokens_mean", completed, "input_tokens_counted"),
    ]


def _requests(path: Path, document: object) -> tuple[dict[str, float], Requests | None]:
    """Return the single requests where the file beside the summary has as many as the summary counts; else, how many."""
    name = path.name.removesuffix(SUMMARY) + RESPONSES
    beside = sibling(path, name) if path.name.endswith(SUMMARY) else None
    if beside is None:
        return {}, None
    rows = RequestRows()
    for entry in read_documents(beside, drop):
        _add(rows, entry)
    return of_same_run(rows.requests(Source(printable(name), "")), number_at(document, "results_num_requests_started"))


def _add(rows: RequestRows, entry: object) -> None:
    code = pick(entry, "error_code")
    rows.add(
        ttft=number_at(entry, "ttft_s"), e2el=number_at(entry, "end_to_end_latency_s"),
        input_tokens=number_at(entry, "number_input_tokens"), output_tokens=number_at(entry, "number_output_tokens"),
        error=None if code in (None, "") else reason(code),
    )  # fmt: skip


llmperf = Importer(
    "llmperf",
    same(TOOL),
    json_entries("results_inter_token_latency_s_mean", "results_num_completed_requests", "results_ttft_s_mean"),
    _read,
    MAPPING,
    conduct=Text(
        zh="并发的客户端按批取回结果，一批的请求要等其中最慢的那个；没有预热。",
        en="Clients are collected in batches, so each batch waits for its slowest; there is no warm-up.",
    ),
)
