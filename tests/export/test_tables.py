from __future__ import annotations

import io

import pyarrow.parquet as pq

from generator.catalogue import load
from generator.export.tables import csv_files, parquet_files
from generator.render.files.report_json import report_json
from tests.support.run_rounds import QUICK, SLOW, round_of

CATALOGUE = load()
ROUND = round_of({("a", "c1", 1): QUICK, ("a", "c1", 2): SLOW})
ANALYSIS = CATALOGUE.analyse(ROUND)
REPORT = report_json(ANALYSIS, CATALOGUE.graph, {})


def test_the_csv_is_the_one_of_the_site() -> None:
    [(name, data)] = csv_files(REPORT).items()

    assert name == "values.csv"
    lines = data.decode("utf-8-sig").split("\r\n")
    assert lines[0].startswith("metric,basis,scope,series,level,")
    assert len(lines) == len(REPORT["values"]) + 2  # a header, and the end of the last line


def test_every_value_is_a_row_and_unknown_ones_are_null() -> None:
    table = pq.read_table(io.BytesIO(parquet_files(REPORT, {})["values.parquet"])).to_pylist()

    assert len(table) == len(REPORT["values"])
    [found] = [row for row in table if (row["metric"], row["trial"], row["basis"]) == ("ttft_p50", 1, None)]
    assert (found["value"], found["unit"]) == (250.0, "ms")  # of 100, 200, 300 and 400 ms
    assert {row["value"] for row in table if row["reason_en"]} == {None}


def test_requests_of_all_runs_are_one_table() -> None:
    table = pq.read_table(io.BytesIO(parquet_files(REPORT, ROUND.requests)["requests.parquet"])).to_pylist()

    assert [(row["series"], row["level"], row["trial"], row["request"]) for row in table] == [
        *(("a", "c1", 1, n) for n in (1, 2, 3, 4)),
        *(("a", "c1", 2, n) for n in (1, 2, 3, 4, 5)),
    ]
    assert (table[1]["ttft_s"], table[1]["chunk_gaps_us"]) == (0.2, [10_000, 20_000])
    failed = table[8]
    assert (failed["start_s"], failed["answered"], failed["ttft_s"], failed["chunk_gaps_us"]) == (0.6, False, None, [])


def test_a_round_of_tables_has_no_file_of_requests() -> None:
    assert list(parquet_files(REPORT, {})) == ["values.parquet"]
