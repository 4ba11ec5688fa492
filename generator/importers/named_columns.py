"""Results of home-made clients and catalogues: flat objects or rows whose names carry quantity, statistic and unit."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError
from generator.kinds import Importer
from generator.mapping import SLOT, Mapped, Words
from generator.runs.imported import Run
from generator.store.documents import read_documents, read_rows
from generator.store.files import shown
from generator.store.foreign import number_at, pick, run_of, text_at
from generator.store.looks import look_of
from generator.store.only_run import placed
from generator.store.recognition import is_json
from generator.store.unpacking import Progress
from generator.text import Text

Entries = dict[str, Any]

TOOL: Final = "table with named columns"
STATISTICS: Final[Mapping[str, Words]] = {"mean": ("mean", "avg", "average"), "p50": ("p50", "median"), "p90": "p90", "p95": "p95", "p99": "p99"}  # fmt: skip
TELLING: Final = re.compile(
    rb"(?:ttft|e2el?|e2e_latency|req(?:uest)?_latency)_(?:mean|avg|p50|median|p9[059])_m?s\b"
    rb"|(?:mean|avg|p50|median|p9[059])_(?:ttft|e2el?|e2e_latency|req(?:uest)?_latency)_m?s\b"
)
OF_A_TOOL: Final = re.compile(
    rb"num_prompts|tokenizer_id|burstiness|benchmark_duration_s|request_throughput|median_tpot_ms|random_input_len"
)
"""Names of clients that are read for themselves, whose objects are flat too."""
SETTINGS: Final = (
    "backend", "topology", "quant", "quantization", "precision", "dtype", "tp", "pp", "kv_cache_dtype", "spec_decode",
    "power_limit_w", "context_len", "max_model_len", "objective", "spec_decode.method", "instances",
    "profile",
)  # fmt: skip
"""Entries that tell configurations of a server apart, or how one load was put on it from another."""

UNSAID: Final = Text(
    zh="各家对它的算法不同，而文件不写是哪一种。",
    en="Clients compute it in several ways, and the file does not say in which.",
)
AS_NAMED: Final = Text(zh="由文件命名，算法没有写明。", en="Named in the file; the formula is not given.")


def _latency(metric: str, *names: str, why: Text | None = None) -> Mapped:
    """Map ``ttft_p50_ms`` and ``p50_ttft_ms``; the same in seconds is made from it."""
    field, *aliases = [form for name in names for form in (f"{name}_{SLOT}_ms", f"{SLOT}_{name}_ms")]
    return Mapped(field, "ms", AS_NAMED, metric, why, STATISTICS, aliases=tuple(aliases))


MAPPING: Final = (
    _latency("ttft_{}", "ttft", "time_to_first_token"),
    _latency("e2el_{}", "e2e", "e2el", "e2e_latency", "request_latency", "req_latency"),
    _latency("itl_{}", "itl", "inter_token_latency", why=UNSAID),
    _latency("tpot_{}", "tpot", "time_per_output_token", why=UNSAID),
    Mapped("output_tok_s", "tok/s", AS_NAMED, "output_throughput", aliases=("output_tokens_per_s", "output_tokens_per_sec", "output_tokens_per_second")),
    Mapped("total_tok_s", "tok/s", AS_NAMED, "total_token_throughput", aliases=("total_tokens_per_s", "total_tokens_per_sec", "total_tokens_per_second")),
    Mapped("req_s", "req/s", AS_NAMED, "request_throughput", aliases=("requests_per_s", "requests_per_sec", "requests_per_second")),
    Mapped("n_requests", "1", AS_NAMED, "requests", aliases=("total_requests", "num_requests")),
    Mapped("successful_requests", "1", AS_NAMED, "completed", aliases=("completed_requests",)),
    Mapped("duration_s", "s", AS_NAMED, "duration", aliases=("total_time_s", "elapsed_s")),
)  # fmt: skip
IN_SECONDS: Final = tuple(
    replace(one, unit="s", field=one.field.replace("_ms", "_s"), aliases=tuple(a.replace("_ms", "_s") for a in one.aliases))
    for one in MAPPING
    if one.statistics
)  # fmt: skip
COUNTS: Final = frozenset({"requests", "completed", "duration"})
"""Metrics that alone are no result."""


def _recognises(head: bytes) -> int:
    """Return one mark at most: whoever knows a file by its own names takes it."""
    return int(TELLING.search(head) is not None and OF_A_TOOL.search(head) is None)


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    file = shown(path)
    found = list(_flat(path, progress))
    runs = [_run(entries, file, place) for place, entries in found]
    results = [run for run in runs if any(one.metric not in COUNTS for one in run.reported)]
    if not results:
        look = look_of([str(name) for name in found[0][1]]) if found else "it is empty"
        problem = f"has no number whose name says quantity, statistic and unit, as ttft_p50_ms does; {look}"
        raise InputError(file, "", problem, "name the columns so, or import the file of the tool itself")
    return placed([_apart(run) for run in results] if len(results) > 1 else results)


def _apart(run: Run) -> Run:
    """Return a run that no other one of its file is taken for a repetition of, unless both tell their load."""
    known = run.concurrency is not None or run.rate is not None
    return run if known else replace(run, test=run.place)


def _flat(path: Path, progress: Progress) -> Iterator[tuple[str, Entries]]:
    """Yield objects, or rows below a header, by their places."""
    if is_json(path):
        for count, found in enumerate(read_documents(path, progress), start=1):
            yield f"object {count}", found if isinstance(found, dict) else {}
        return
    header, *rows = [row for row in read_rows(path, progress) if any(row)] or [[]]
    for line, row in enumerate(rows, start=2):
        yield f"row {line}", dict(zip(header, row, strict=False))


def _run(entries: Entries, file: str, place: str) -> Run:
    return run_of(
        entries, (*MAPPING, *IN_SECONDS), file=file, place=place, tool=TOOL, model=text_at(entries, "model", "model_id"),
        engine=text_at(entries, "engine", "framework"), label=text_at(entries, "label"),
        concurrency=number_at(entries, "concurrency", "max_concurrency"),
        rate=number_at(entries, "request_rate", "rate_qps", "qps", "rate"), swept=_settings(entries),
    )  # fmt: skip


def _settings(entries: Entries) -> dict[str, str]:
    """Return what tells configurations apart, as text."""
    numbers = {name: number_at(entries, name) for name in SETTINGS}
    texts = {name: text_at(entries, name) for name in SETTINGS if isinstance(pick(entries, name), str)}
    said = {name: f"{number:.10g}" for name, number in numbers.items() if number is not None}
    return said | {name: text for name, text in texts.items() if text is not None}


named_columns = Importer("named_columns", Text(zh="带列名的表格", en=TOOL), _recognises, _read, MAPPING)
