"""Results of AIPerf as a table: profile_export_aiperf.csv, three tables below each other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

from generator.importers.aiperf.names import ERRORS, TABLE, TOOL
from generator.importers.aiperf.totals import counted
from generator.kinds import Importer
from generator.runs.imported import Run
from generator.store.documents import blocks_of, read_rows
from generator.store.files import shown
from generator.store.foreign import number, number_at, run_of
from generator.store.looks import no_result
from generator.store.recognition import best_of, csv_header, text_marks
from generator.store.unpacking import Progress
from generator.text import same

REMEDY: Final = "import the profile_export_aiperf.json that lies beside it"


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    document: dict[str, Any] = {}
    for header, *rows in blocks_of(read_rows(path, progress)):
        _add(document, header, rows)
    if number_at(document, "Request Count", *ERRORS) is None:
        raise no_result(shown(path), "", TOOL, document, ["Request Count"], REMEDY)
    return [run_of(document, (), file=shown(path), tool=TOOL, reported=counted(document, TABLE, shown(path)))]


def _add(document: dict[str, Any], header: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    """Add a table: one number a row, a row of statistics, or such a row of one GPU."""
    for row in rows:
        cells = dict(zip(header, row, strict=False))
        name = cells.pop("Metric", "")
        if "GPU_Index" in cells:
            name = f"GPU {cells['GPU_Index']}.{name}"
        numbers = {
            word: value
            for word, cell in cells.items()
            if word not in NO_NUMBERS and (value := number(cell)) is not None
        }
        if name:
            document[name] = numbers.get("Value") if "Value" in header else numbers


NO_NUMBERS: Final = frozenset({"Endpoint", "GPU_Index", "GPU_Name", "GPU_UUID"})

_RECOGNISES: Final = best_of(
    csv_header("Metric", "avg", "min", "max", "sum", "p1", "p99", "std"),
    text_marks(rb"\AMetric,Value", rb"^(?:Error )?Request Count,"),
)

aiperf_csv = Importer("aiperf_csv", same(f"{TOOL} CSV"), _RECOGNISES, _read, TABLE, tools=(TOOL,))
