"""Results of llama-benchy: one JSON file with a block for each length and concurrency, or its table in Markdown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from generator.importers.llama_benchy.json_report import runs_of_report
from generator.importers.llama_benchy.names import CONDUCT, MAPPING, TOOL
from generator.importers.llama_benchy.table import HEADER, runs_of_table
from generator.kinds import Importer
from generator.runs.imported import Run
from generator.store.files import shown
from generator.store.looks import no_result
from generator.store.recognition import best_of, is_json, json_entries, text_marks
from generator.store.unpacking import Progress
from generator.text import same

REMEDY: Final = "import what llama-benchy saves with --save-result and --format json, or its table"


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    runs = list((runs_of_report if is_json(path) else runs_of_table)(path, progress))
    if not runs:
        raise no_result(shown(path), "", TOOL, [], ["benchmarks"], REMEDY)
    return runs if len(runs) > 1 else [replace(runs[0], place="")]


llama_benchy = Importer(
    "llama_benchy",
    same(TOOL),
    best_of(
        json_entries("benchmarks", "latency_mode", "latency_ms", "max_concurrency"),
        text_marks(HEADER, rb"\bt/s\b", rb"\bttfr \(ms\)"),
    ),
    _read,
    MAPPING,
    conduct=CONDUCT,
)
