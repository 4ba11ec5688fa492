"""Results of MLCommons Endpoints: result_summary.json, everything in nanoseconds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from generator.kinds import Importer
from generator.mapping import Mapped, Words
from generator.runs.imported import Reported, Run
from generator.store.documents import read_documents
from generator.store.files import shown
from generator.store.foreign import number_at, run_of, text_at
from generator.store.looks import refuse_without
from generator.store.only_run import placed
from generator.store.recognition import json_entries
from generator.store.unpacking import Progress
from generator.text import Text, same

TOOL: Final = "MLCommons Endpoints"
STATISTICS: Final[Mapping[str, Words]] = {
    "mean": "avg",
    "p50": ("percentiles.50", "percentiles.50.0", "median"),
    "p90": ("percentiles.90", "percentiles.90.0"),
    "p95": ("percentiles.95", "percentiles.95.0"),
    "p99": ("percentiles.99", "percentiles.99.0"),
}
NEEDED: Final = ("n_samples_issued", "duration_ns")
REMEDY: Final = "import result_summary.json of a run that ended"

WINDOW: Final = Text(
    zh="Poisson 负载下它除以 LoadGen 的窗口（从第一次发送到最后发出的那条结束），且少算一条；其余负载除以全程。",
    en="Under a Poisson load it divides by LoadGen's window, from the first sending to the end of the last request sent, "
    "and leaves one request out; under others by the whole run.",
)
MAPPING: Final = (
    Mapped("n_samples_issued", "1", Text(zh="计入统计的请求数，不含预热。", en="Requests that count, without those of the warm-up."), "requests"),
    Mapped("duration_ns", "ns", Text(zh="计入统计的一段时间。", en="The time over which requests count."), "duration"),
    Mapped("output_sequence_lengths.total", "tok", Text(zh="客户端给输出重新分词后的 token 之和。", en="Tokens of all outputs together, tokenized anew by the client."), "output_tokens_counted"),
    Mapped("output_sequence_lengths.avg", "tok", Text(zh="每条输出的平均 token 数。", en="Mean number of tokens of an output."), "output_tokens_mean"),
    Mapped("ttft.{}", "ns", Text(zh="从发出到第一个 chunk。", en="From issuing to the first chunk."), "ttft_{}", statistics=STATISTICS),
    Mapped("latency.{}", "ns", Text(zh="从发出到完成。", en="From issuing to completion."), "e2el_{}", statistics=STATISTICS),
    Mapped(
        "tpot.{}", "ns",
        Text(zh="（完成 − 首个 chunk）÷ 首个 chunk 之后的 token 数，逐条请求。", en="(completion − first chunk) ÷ tokens after the first chunk, of each request."),
        "tpot_{}", statistics=STATISTICS,
    ),
    Mapped("qps", "req/s", Text(zh="完成的请求 ÷ 时间窗口。", en="Completed requests ÷ a window."), "request_throughput", why=WINDOW),
    Mapped("tps", "tok/s", Text(zh="输出 token ÷ 同一个窗口。", en="Output tokens ÷ the same window."), "output_throughput", why=WINDOW),
    Mapped(
        "n_samples_completed", "1", Text(zh="走到终点的请求数。", en="Requests that came to an end."), "completed",
        why=Text(zh="出错的请求也会走到终点，一并计入；减去 n_samples_failed 才是答完的。", en="Those that failed come to an end too and are among them; n_samples_failed is taken off here."),
    ),
)  # fmt: skip

CONDUCT: Final = Text(
    zh="预热可选，不计入；按 Poisson、固定并发或一次全发加压；token 数由客户端分词得出。",
    en="A warm-up is optional and does not count. The load is Poisson, of a fixed concurrency, or sent at once; tokens "
    "are counted by the client's tokenizer.",
)


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    runs = [_run(one, shown(path), f"object {n}") for n, one in enumerate(read_documents(path, progress), start=1)]
    return placed(runs)


def _run(document: object, file: str, place: str) -> Run:
    refuse_without(document, NEEDED, file=file, place=place, tool=TOOL, remedy=REMEDY)
    return run_of(
        document, MAPPING, file=file, place=place, tool=TOOL, tool_version=text_at(document, "version"),
        rate=number_at(document, "run_config.load_pattern.target_qps"),
        concurrency=number_at(document, "run_config.load_pattern.target_concurrency"), derived=_completed(document),
    )  # fmt: skip


def _completed(document: object) -> Sequence[Reported]:
    """Return the requests that were answered: with failed ones among the completed, those are taken off."""
    issued, ended = (number_at(document, f"n_samples_{name}") for name in ("issued", "completed"))
    failed = number_at(document, "n_samples_failed") or 0.0
    if issued is None or ended is None or not 0 <= failed <= ended:
        return []
    if ended + failed <= issued:
        return [Reported("completed", "n_samples_completed", "1", ended)]
    return [Reported("completed", "n_samples_completed − n_samples_failed", "1", ended - failed)]


mlcommons_endpoints = Importer(
    "mlcommons_endpoints",
    same(TOOL),
    json_entries("n_samples_issued", "n_samples_completed", "duration_ns"),
    _read,
    MAPPING,
    conduct=CONDUCT,
)
