"""Reports of GuideLLM as a table: a header of three rows, then one run a row."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from generator.errors import InputError
from generator.importers.guidellm.load import TOOL, asked, limits
from generator.importers.guidellm.names import TABLE
from generator.kinds import Importer
from generator.runs.imported import Run
from generator.store.documents import joined_header, read_rows
from generator.store.files import shown
from generator.store.foreign import number, number_at, pick, run_of, text_at
from generator.store.looks import refuse_without
from generator.store.only_run import placed
from generator.store.private_entries import without
from generator.store.recognition import text_marks
from generator.store.unpacking import Progress
from generator.text import counted, same

REMEDY: Final = "import the benchmarks.json that `guidellm benchmark` writes beside it"
HEADER_ROWS: Final = 3
PERCENTILES: Final = ("min", "p001", "p01", "p05", "p10", "p25", "p75", "p90", "p95", "p99", "max")
"""What the list in a cell of percentiles holds, in its order: the median has a column of its own."""
DOCUMENTS: Final = (
    "Run Info.Profile", "Run Info.Requests", "Run Info.Backend", "Run Info.Environment", "Benchmark.Constraints",
    "Scheduler State.End Queuing Constraints", "Scheduler State.End Processing Constraints",
    "Runtime Info.Metadata", "Runtime Info.Arguments",
)  # fmt: skip
"""Columns whose cells are JSON, with hosts and paths in it."""
NEEDED: Final = ("Timings.Duration.Sec", "Request Counts.Successful")


def _read(path: Path, progress: Progress) -> Sequence[Run]:
    rows = [row for row in read_rows(path, progress) if any(row)]
    if len(rows) <= HEADER_ROWS:
        raise InputError(shown(path), "", "has the three rows of its header, and no run below them", REMEDY)
    names = joined_header(rows[:HEADER_ROWS])
    runs = [_run(names, row, shown(path), f"row {nth}") for nth, row in enumerate(rows[HEADER_ROWS:], start=1)]
    return placed(runs)


def _run(names: Sequence[str], row: Sequence[str], file: str, place: str) -> Run:
    if len(row) != len(names):
        raise InputError(
            file, place, counted("has {n} {n:cell|cells}, where the header has {m}", n=len(row), m=len(names)), REMEDY
        )
    cells = dict(_cells(names, row))
    refuse_without(cells, NEEDED, file=file, place=place, tool=TOOL, remedy=REMEDY)
    documents = {name.rpartition(".")[2].lower(): _parsed(cells.get(name)) for name in DOCUMENTS}
    concurrency, rate = limits(_strategy(cells, documents["profile"]))
    kept, struck_out = without(cells, DOCUMENTS)
    return run_of(
        kept, TABLE, file=file, place=place, tool=TOOL, struck_out=struck_out, started=_started(cells),
        tool_version=text_at(documents["metadata"], "guidellm_version"),
        model=asked({"backend": documents["backend"], "args": documents["arguments"]}),
        concurrency=concurrency, rate=rate,
    )  # fmt: skip


def _cells(names: Sequence[str], row: Sequence[str]) -> Iterator[tuple[str, str | float | None]]:
    """Yield the cells by the names of their columns, each percentile of a list by its own."""
    for name, cell in zip(names, row, strict=True):
        if name.endswith(".Percentiles"):
            yield from _percentiles(name, cell)
        else:
            found = number(cell)
            yield name, found if found is not None else cell or None


def _percentiles(name: str, cell: str) -> Iterator[tuple[str, float | None]]:
    listed = _parsed(cell)
    if isinstance(listed, list) and len(listed) == len(PERCENTILES):
        for word, value in zip(PERCENTILES, listed, strict=True):
            yield f"{name}.{word}", number(value)


def _parsed(cell: object) -> Any:  # noqa: ANN401 - any JSON
    """Return the document in a cell; None where it is none."""
    try:
        return json.loads(cell, parse_constant=lambda _: None) if isinstance(cell, str) else None
    except (ValueError, RecursionError):
        return None


def _strategy(cells: dict[str, str | float | None], profile: object) -> object:
    """Return the strategy of a row: that of its number in the profile, where the two agree; else its kind alone."""
    kind = cells.get("Benchmark.Strategy")
    nth = number_at(cells, "Run Info.Run Index")
    found = pick(profile, f"completed_strategies.{int(nth)}") if nth is not None and nth >= 0 else None
    return found if isinstance(found, dict) and found.get("type_") == kind else {"type_": kind}


def _started(cells: dict[str, str | float | None]) -> str | None:
    """Return when a run began; the table gives local time without a zone."""
    try:
        return datetime.fromisoformat(str(cells.get("Timings.Start Time"))).isoformat(timespec="seconds")
    except ValueError:
        return None


_RECOGNISES: Final = text_marks(
    rb"\A\W?Run Info,", rb"^Run ID,Run Index,", rb"Time per Output Token,", rb"Successful ms,"
)

guidellm_csv = Importer("guidellm_csv", same(f"{TOOL} CSV"), _RECOGNISES, _read, TABLE, tools=(TOOL,))
