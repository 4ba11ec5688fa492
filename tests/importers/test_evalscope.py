from __future__ import annotations

import base64
import json
import pickle
import sqlite3
from contextlib import closing, suppress
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator.errors import InputError
from generator.importers.evalscope import evalscope
from generator.importers.evalscope.database import requests_in
from generator.intake.finding import sort_out
from generator.runs.imported import Run
from tests.support.mutated import survives

# Two of three requests in 2 s: 100 tokens in, 11 out, in 1.5 s each, the first after 0.5 s.
SUMMARY: dict[str, Any] = {
    "Test Duration (s)": 2.0, "Concurrency": 2, "Request Rate (req/s)": -1, "Total Requests": 3, "Success Requests": 2,
    "Failed Requests": 1, "Req Throughput (req/s)": 1.0, "Avg Latency (s)": 1.5, "Avg Input Tokens": 100.0,
    "Output Throughput (tok/s)": 11.0, "Total Throughput (tok/s)": 111.0, "TTFT (ms)": 500.0, "TPOT (ms)": 100.0,
    "ITL (ms)": 0.0, "Avg Output Tokens": 11.0,
}  # fmt: skip
OLD: dict[str, Any] = {
    "Time taken for tests (s)": 2.0, "Number of concurrency": 2, "Total requests": 3, "Succeed requests": 2,
    "Failed requests": 1, "Output token throughput (tok/s)": 11.0, "Total token throughput (tok/s)": 111.0,
    "Request throughput (req/s)": 1.0, "Average latency (s)": 1.5, "Average time to first token (s)": 0.5,
    "Average time per output token (s)": 0.1, "Average input tokens per request": 100.0,
    "Average output tokens per request": 11.0, "Average package latency (s)": 0.14, "Average package per request": 11.0,
}  # fmt: skip
PERCENTILES = [
    {"Percentiles": name, "TTFT (ms)": 500.0 + n, "ITL (ms)": 99.0, "Latency (s)": 1.5 + n, "Output (tok/s)": 7.3}
    for n, name in enumerate(["min", "50%", "90%", "95%", "99%", "max"])
]  # fmt: skip
ARGUMENTS = {
    "model": "acme/Toy-1B", "api": "openai", "stream": True, "url": "http://gpu7.acme.example/v1", "parallel": 2,
    "api_key": "sk-abcdefghijkl", "headers": {"Authorization": "Bearer sk-abcdefghijkl"}, "dataset": "random",
}  # fmt: skip
ROWS = [  # start, gaps, success, latency, first chunk, in, out, streamed
    (7.0, json.dumps([0.5, 0.5]), 1, 1.5, 0.5, 100, 11, 1),
    (7.1, "[]", 0, None, None, None, None, 1),
    (7.2, "null", 1, 1.5, 1.5, 100, 11, 0),
]


class Alarm:
    """A pickle that would be noticed if anyone opened it."""

    def __reduce__(self) -> tuple[Any, ...]:
        return Path.touch, (Path("unpickled"),)


def database(folder: Path, rows: Any = ROWS) -> Path:
    path = folder / "benchmark_data.db"
    with closing(sqlite3.connect(path)) as made, made:
        made.execute(
            "CREATE TABLE result(start_time REAL, inter_token_latencies TEXT, success INTEGER, latency REAL, "
            "first_chunk_latency REAL, prompt_tokens INTEGER, completion_tokens INTEGER, is_stream INTEGER, "
            "response_messages TEXT)"
        )
        evil = base64.b64encode(pickle.dumps(Alarm())).decode()
        made.executemany(f"INSERT INTO result VALUES (?,?,?,?,?,?,?,?,'{evil}')", rows)  # noqa: S608 - our own
    return path


def read(folder: Path, summary: Any = SUMMARY, **beside: Any) -> Run:
    for name, document in beside.items():
        (folder / f"benchmark_{name}.json").write_text(json.dumps(document))
    path = folder / "benchmark_summary.json"
    path.write_text(json.dumps(summary))
    [run] = evalscope.read(path, lambda _: None)
    return run


def reported(run: Run) -> dict[str, float]:
    return {one.metric: one.value for one in run.reported}


def test_its_summaries_are_recognised_and_no_other() -> None:
    assert evalscope.recognises(json.dumps(SUMMARY).encode()) == 3
    assert evalscope.recognises(json.dumps(OLD).encode()) == 3
    assert not evalscope.recognises(json.dumps(PERCENTILES).encode())
    assert not evalscope.recognises(json.dumps(ARGUMENTS).encode())


def test_numbers_are_told_with_their_meaning(tmp_path: Path) -> None:
    run = read(tmp_path)

    assert (run.concurrency, run.rate) == (2, None)
    told = reported(run)
    assert (told["requests"], told["completed"], told["duration"]) == (3, 2, 2.0)
    assert (told["output_throughput"], told["total_token_throughput"]) == (22 / 2, 222 / 2)
    assert (told["input_tokens_counted"], told["output_tokens_mean"]) == (2 * 100, 11)
    assert [(one.value, one.unit) for one in run.reported if one.metric == "ttft_mean"] == [(500.0, "ms")]
    assert [(one.value, one.unit) for one in run.reported if one.metric == "e2el_mean"] == [(1.5, "s")]


def test_an_older_summary_gives_seconds(tmp_path: Path) -> None:
    run = read(tmp_path, OLD)

    assert [(one.value, one.unit) for one in run.reported if one.metric == "ttft_mean"] == [(0.5, "s")]
    assert [(one.value, one.unit) for one in run.reported if one.metric == "tpot_mean"] == [(0.1, "s")]
    assert (reported(run)["completed"], reported(run)["input_tokens_counted"]) == (2, 200)
    assert "itl_mean" not in reported(run)


@pytest.mark.parametrize("nothing", [0, 0.0, -1, None, "N/A"])
def test_what_stands_for_nothing_is_missing(nothing: object, tmp_path: Path) -> None:
    run = read(tmp_path, SUMMARY | {"TTFT (ms)": nothing, "TPOT (ms)": nothing})

    assert not {"ttft_mean", "tpot_mean", "itl_mean"} & set(reported(run))


def test_percentiles_are_read_from_the_file_beside_it(tmp_path: Path) -> None:
    told = reported(read(tmp_path, percentile=PERCENTILES))

    assert [told[f"ttft_{one}"] for one in ("p50", "p90", "p95", "p99")] == [501, 502, 503, 504]
    assert (told["e2el_p50"], told["itl_p99"]) == (2.5, 99)


def test_of_the_arguments_no_secret_gets_through(tmp_path: Path) -> None:
    run = read(tmp_path, args=ARGUMENTS)

    assert (run.model, run.summary["args.dataset"], run.summary["args.stream"]) == ("acme/Toy-1B", "random", True)
    assert "sk-abc" not in str(run)
    assert "gpu7" not in str(run)


def test_each_request_is_read_from_the_database(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    database(tmp_path)

    requests = read(tmp_path).requests

    assert requests is not None
    assert requests.answered.tolist() == [True, False, True]
    np.testing.assert_allclose(requests.start, [0.0, 0.1, 0.2])
    # the last was not streamed: its first chunk is the whole answer
    np.testing.assert_allclose(requests.ttft, [0.5, np.nan, np.nan])
    np.testing.assert_allclose(requests.e2el, [1.5, np.nan, 1.5])
    assert requests.gaps.tolist() == [500_000, 500_000]
    assert not (tmp_path / "unpickled").exists()


def test_the_database_of_another_run_is_not_taken(tmp_path: Path) -> None:
    database(tmp_path, ROWS[:2])

    run = read(tmp_path)
    assert (run.requests, run.summary["records_beside"]) == (None, 2)


def test_a_database_of_more_requests_than_are_read_again_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = database(tmp_path)
    monkeypatch.setattr("generator.importers.evalscope.database.MOST_REQUESTS", 2)
    with pytest.raises(InputError) as caught:
        requests_in(path)
    assert str(caught.value).endswith(
        "benchmark_data.db: holds more than 2 requests; move it elsewhere to import the summary alone"
    )
    monkeypatch.setattr("generator.importers.evalscope.database.MOST_REQUESTS", 3)
    found = requests_in(path)
    assert found is not None
    assert len(found) == 3


def test_reading_leaves_the_database_as_it_was(tmp_path: Path) -> None:
    path = database(tmp_path)
    before = path.read_bytes()

    requests_in(path)

    assert path.read_bytes() == before
    assert [one.name for one in tmp_path.iterdir()] == [path.name]


@pytest.mark.parametrize(
    ("ending", "content", "refused"), [("-wal", b"x", True), ("-journal", b"x", True), ("-wal", b"", False)]
)
def test_a_database_that_waits_for_its_journal_is_not_taken_for_whole(
    tmp_path: Path, ending: str, content: bytes, *, refused: bool
) -> None:
    path = database(tmp_path)
    path.with_name(path.name + ending).write_bytes(content)
    if refused:
        with pytest.raises(InputError, match=f"what lies in benchmark_data.db{ending} was not yet written into it"):
            requests_in(path)
    else:
        assert requests_in(path) is not None


def test_a_view_is_no_table(tmp_path: Path) -> None:
    path = tmp_path / "benchmark_data.db"
    with closing(sqlite3.connect(path)) as made, made:
        made.execute(
            "CREATE VIEW result AS WITH RECURSIVE n(success) AS (SELECT 1 UNION ALL SELECT 1 FROM n) "
            "SELECT success, 1.0 AS latency FROM n"
        )

    with pytest.raises(InputError, match="has no table `result`"):
        requests_in(path)


def test_a_column_that_never_ends_is_cut_short(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.importers.evalscope.database.MOST_STEPS", 1)
    monkeypatch.setattr("generator.importers.evalscope.database.STEPS", 10)
    path = database(tmp_path, ROWS * 100)

    with pytest.raises(InputError, match="takes too long to read"):
        requests_in(path)


@pytest.mark.parametrize("content", [b"", b"no database", b"SQLite format 3\0" + b"\xff" * 4096])
def test_what_is_no_database_is_refused(content: bytes, tmp_path: Path) -> None:
    path = tmp_path / "benchmark_data.db"
    path.write_bytes(content)

    with pytest.raises(InputError, match="is no SQLite database"):
        requests_in(path)


def test_damaged_databases_end_in_requests_or_an_error(tmp_path: Path) -> None:
    path = database(tmp_path)
    whole = path.read_bytes()
    for place in range(0, len(whole), len(whole) // 200):
        path.write_bytes(whole[:place] + bytes([whole[place] ^ 0xFF]) + whole[place + 1 :])
        with suppress(InputError):
            requests_in(path)


def test_what_the_dashboard_shows_is_refused(tmp_path: Path) -> None:
    shown = {"summary_columns": [], "summary_rows": [{"values": {"concurrency": 10}}]}

    with pytest.raises(InputError, match="is what EvalScope's dashboard shows"):
        read(tmp_path, shown)


def test_a_folder_is_one_run(tmp_path: Path) -> None:
    database(tmp_path)
    read(tmp_path, percentile=PERCENTILES, args=ARGUMENTS)

    found = sort_out([tmp_path], {"evalscope": evalscope})

    assert [named.path.name for named, _ in found.taken] == ["benchmark_summary.json"]
    assert (found.refused, found.passed) == ([], [])


@pytest.mark.fuzz
def test_damaged_files_end_in_runs_or_an_error(tmp_path: Path) -> None:
    assert survives(evalscope, json.dumps(SUMMARY, indent=1).encode(), tmp_path)
