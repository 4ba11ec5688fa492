"""Results of llama-bench in every format that it prints: JSON, JSON Lines, CSV, SQL and Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.importers.llama_bench.records import records_of
from generator.importers.llama_bench.runs import MAPPING, TOOL, runs_of
from generator.kinds import Importer
from generator.runs.imported import Run
from generator.store.files import shown
from generator.store.only_run import placed
from generator.store.recognition import best_of, csv_header, json_entries, text_marks
from generator.store.unpacking import Progress
from generator.text import Text, same

TABLE: Final = rb"^\|\s*model\s*\|\s*size\s*\|\s*params\s*\|.*\|\s*test\s*\|\s*t/s\s*\|"
INSERT: Final = rb"^(?:CREATE TABLE IF NOT EXISTS|INSERT INTO) llama_bench \("


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    file = shown(path)
    runs = [run for record, place in records_of(path, progress) for run in runs_of(record, file, place)]
    if not runs:
        problem = "holds no result of llama-bench: it ended before its first test"
        raise InputError(file, "", problem, "run llama-bench again, and look at what it says beside its table")
    return placed(runs)


llama_bench = Importer(
    "llama_bench",
    same(TOOL),
    best_of(
        json_entries("build_commit", "model_filename", "n_prompt", "avg_ts"),
        csv_header("build_commit", "model_filename", "n_prompt", "avg_ts"),
        text_marks(TABLE, rb"\bt/s\b"),
        text_marks(INSERT, rb"\bavg_ts\b"),
    ),
    _read,
    MAPPING,
    conduct=Text(
        zh="直接调用 llama.cpp，没有服务端、没有请求、没有采样：每个测试先预热一次，再连续测若干次。",
        en="It calls llama.cpp itself: no server, no request, no sampling. Each test is warmed up once, then run trial after trial.",
    ),
)
