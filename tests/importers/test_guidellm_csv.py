"""The table of GuideLLM: a header of three rows, percentiles in one cell, documents in others."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.importers.guidellm_csv import guidellm_csv
from generator.runs.imported import Run
from tests.support.mutated import survives

ELEVEN = json.dumps([1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0])
"""min, p0.1, p1, p5, p10, p25, p75, p90, p95, p99, max."""
PROFILE = json.dumps({"completed_strategies": [{"type_": "synchronous"}, {"type_": "constant", "rate": 2.5}]})
COLUMNS: list[tuple[str, str, str, str]] = [
    ("Run Info", "Run ID", "", "an-id"),
    ("Run Info", "Run Index", "", "1"),
    ("Run Info", "Profile", "", PROFILE),
    ("Run Info", "Backend", "", json.dumps({"target": "node7:8000", "model": "acme/Toy-1B"})),
    ("Benchmark", "Strategy", "", "constant"),
    ("Timings", "Start Time", "", "2026-03-01 10:15:00"),
    ("Timings", "Duration", "Sec", "10.0"),
    ("Request Counts", "Successful", "", "2"),
    ("Request Counts", "Total", "", "3"),
    ("Request Latency", "Successful Sec", "Mean", "2.0"),
    ("Request Latency", "Successful Sec", "Percentiles", ELEVEN),
    ("Time to First Token", "Successful ms", "Mean", "480.0"),
    ("Time to First Token", "Successful ms", "Median", "470.0"),
    ("Time per Output Token", "Successful ms", "Mean", "76.0"),
    ("Inter Token Latency", "Successful ms", "Mean", "80.0"),
    ("Runtime Info", "Metadata", "", json.dumps({"guidellm_version": "0.6.0"})),
]


def table(*rows: dict[str, str]) -> str:
    """Return a table with a row for each; what a row gives stands instead of the column's own value."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerows([[column[level] for column in COLUMNS] for level in range(3)])
    writer.writerows([[row.get(name, value) for _, name, _, value in COLUMNS] for row in rows])
    return out.getvalue()


def read(tmp_path: Path, text: str) -> list[Run]:
    path = tmp_path / "benchmarks.csv"
    path.write_text(text, encoding="utf-8")
    assert guidellm_csv.recognises(path.read_bytes()) > 0
    return list(guidellm_csv.read(path, lambda _: None))


def test_a_row_becomes_a_run(tmp_path: Path) -> None:
    [run] = read(tmp_path, table({}))
    assert (run.tool, run.tool_version, run.place, run.model) == ("GuideLLM", "0.6.0", "", "acme/Toy-1B")
    assert (run.started, run.concurrency, run.rate) == ("2026-03-01T10:15:00", None, 2.5)
    assert {(one.metric, one.unit): one.value for one in run.reported} == {
        ("completed", "1"): 2, ("requests", "1"): 3, ("duration", "s"): 10, ("e2el_mean", "s"): 2,
        ("e2el_p90", "s"): 8, ("e2el_p95", "s"): 9, ("e2el_p99", "s"): 10,
        ("ttft_mean", "ms"): 480, ("ttft_p50", "ms"): 470, ("tpot_mean", "ms"): 80,
    }  # fmt: skip
    assert run.summary["Time per Output Token.Successful ms.Mean"] == 76


def test_a_list_of_percentiles_of_another_length_is_left_alone(tmp_path: Path) -> None:
    [run] = read(tmp_path, table({}).replace("[1.0, 2.0, ", "[2.0, "))
    assert not [one for one in run.reported if one.metric in {"e2el_p90", "e2el_p99"}]


def test_each_row_has_the_strategy_of_its_number(tmp_path: Path) -> None:
    first, second = read(tmp_path, table({"Run Index": "0", "Strategy": "synchronous"}, {}))
    assert (first.place, first.concurrency, first.rate) == ("row 1", 1.0, None)
    assert (second.place, second.concurrency, second.rate) == ("row 2", None, 2.5)


def test_documents_in_cells_stay_outside(tmp_path: Path) -> None:
    [run] = read(tmp_path, table({}))
    assert "Run Info.Backend" in run.struck_out
    assert "node7" not in repr(run)


def test_a_header_alone_holds_no_run(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no run below them"):
        read(tmp_path, table())


def test_a_row_of_another_width_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"row 1: has 17 cells, where the header has 16"):
        read(tmp_path, table({}).rstrip("\r\n") + ",1\n")


def test_a_row_without_a_duration_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"`Timings.Duration.Sec` is missing"):
        read(tmp_path, table({"Duration": "N/A"}))


@pytest.mark.fuzz
def test_damaged_tables_end_in_runs_or_in_one_line(tmp_path: Path) -> None:
    assert survives(guidellm_csv, table({}, {}).encode(), tmp_path, "damaged.csv") > 20
