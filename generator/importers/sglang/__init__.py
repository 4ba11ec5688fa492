"""Results of SGLang's bench_serving: JSON Lines, one run a line, with and without the requests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError
from generator.importers.sglang.details import Details
from generator.importers.sglang.names import ASKED, ENGINES, ITL, MAPPING, OF_ALL, SHARES_GAPS
from generator.kinds import Importer
from generator.mapping import Mapped
from generator.runs.imported import Run
from generator.store.documents import read_documents
from generator.store.files import printable, shown
from generator.store.foreign import limit_at, number_at, run_of, text_at
from generator.store.looks import refuse_without
from generator.store.only_run import placed
from generator.store.private_entries import without
from generator.store.recognition import best_of, json_entries
from generator.store.unpacking import Progress
from generator.text import Text, same
from generator.values import Source

TOOL: Final = "SGLang bench_serving"
NEEDED: Final = ("duration", "completed", "output_throughput")
REMEDY: Final = "import the JSON Lines that `python -m sglang.bench_serving --output-file` writes"
STEADY: Final = ("concurrency_ratio", "window_start", "window_end")
"""Entries of the extract of a steady part, which the tool writes beside a result."""
HOSTS: Final = frozenset({"host", "dist_init_addr", "base_url"})
MODELS: Final = (
    "model_id",
    "model",
    "server_info.served_model_name",
    "server_info.model_path",
    "server_info.prefill.0.model_path",
)

CONDUCT: Final = Text(
    zh="正式发送之前先发预热请求（--warmup-requests，默认一条），不计入结果；之后按需清空 prompt cache（--flush-cache）。失败的请求不计数，只有 --output-details 才看得出。",
    en="It sends warm-up requests ahead (--warmup-requests, one by default), which do not count, and empties the prompt cache "
    "where --flush-cache asks for it. Failed requests are not counted: only --output-details shows them.",
)  # fmt: skip


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    details = Details()
    found = enumerate(read_documents(path, progress, details.sinks), start=1)
    runs = [_run(document, details, path, f"object {nth}") for nth, document in found]
    if not runs:
        raise InputError(shown(path), "", f"holds no result of {TOOL}: it is an empty list", REMEDY)
    return placed(runs)


def _run(document: Any, details: Details, path: Path, place: str) -> Run:  # noqa: ANN401 - any JSON
    _refuse(document, shown(path), place)
    backend = text_at(document, "backend") or ""
    shared = backend in SHARES_GAPS
    source = Source(printable(path.name), place)
    requests = details.requests(source, shown(path), number_at(document, "completed") or 0.0, shared=shared)
    kept, struck_out = without(document, HOSTS)
    return run_of(
        kept, _mapping(document, shared=shared), file=shown(path), place=place, tool=TOOL,
        model=text_at(document, *MODELS), engine=ENGINES.get(backend.lower()), label=text_at(document, "tag"),
        concurrency=limit_at(document, "max_concurrency"), rate=limit_at(document, "request_rate"),
        requests=requests, struck_out=struck_out,
    )  # fmt: skip


def _mapping(document: Any, *, shared: bool) -> Iterator[Mapped]:  # noqa: ANN401 - any JSON
    """Yield what the numbers of one result mean: with some backends, and some lengths, fewer of them are ours."""
    yield from OF_ALL
    if not shared:
        yield ITL
    if number_at(document, "random_range_ratio") == 1 and (text_at(document, "dataset_name") or "").startswith(
        "random"
    ):
        yield from ASKED


def _refuse(document: Any, file: str, place: str) -> None:  # noqa: ANN401 - any JSON
    names = document if isinstance(document, dict) else {}
    if set(STEADY) <= set(names):
        problem = "is the extract of the steady part of a run: its totals are those of a window, and not of the run"
        raise InputError(file, place, problem, "import the result that it was made from")
    refuse_without(names, NEEDED, file=file, place=place, tool=TOOL, remedy=REMEDY)


_RECOGNISES: Final = best_of(
    json_entries("total_output_tokens_retokenized", "mean_e2e_latency_ms"),
    json_entries(
        "sharegpt_output_len", "random_range_ratio", "dataset_name"
    ),  # what describes the server may fill the head
    json_entries(*STEADY),
)

sglang = Importer("sglang", same(TOOL), _RECOGNISES, _read, MAPPING, conduct=CONDUCT)
