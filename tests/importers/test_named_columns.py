from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.importers.named_columns import named_columns
from generator.intake.naming import load_id
from generator.runs.imported import Run
from generator.units import to_base
from tests.support.mutated import survives

POINT: dict[str, Any] = {
    "model": "acme/Small-1B", "engine": "llama.cpp", "quant": "Q4_K_M", "tp": 2, "concurrency": 4,
    "ttft_p50_ms": 120.0, "ttft_p99_ms": None, "e2e_p99_ms": 900.0, "itl_p50_ms": 20.0, "tpot_p50_ms": 21.0,
    "output_tok_s": 150.0, "req_s": 1.5, "curve": [{"ttft_p50": 1}], "launch_argv": ["--api-key", "sk-abcdefghijk"],
}  # fmt: skip


def read(folder: Path, text: str) -> list[Run]:
    path = folder / "results"
    path.write_text(text, encoding="utf-8")
    return list(named_columns.read(path, lambda _: None))


def seconds(run: Run) -> dict[str, float]:
    return {one.metric: to_base(one.value, one.unit) for one in run.reported}


def test_a_file_of_a_known_tool_is_left_to_it() -> None:
    assert named_columns.recognises(json.dumps(POINT).encode()) == 1
    assert named_columns.recognises(b"name,mean_ttft_s,rate\n") == 1
    assert not named_columns.recognises(b'{"num_prompts": 4, "p99_ttft_ms": 5}')
    assert not named_columns.recognises(b'{"ttft": {"p50": 5}}')


def test_a_name_with_quantity_statistic_and_unit_is_read(tmp_path: Path) -> None:
    [run] = read(tmp_path, json.dumps(POINT))

    assert (run.model, run.engine, run.concurrency) == ("acme/Small-1B", "llama.cpp", 4)
    assert run.swept == {"quant": "Q4_K_M", "tp": "2"}
    assert seconds(run) == pytest.approx(
        {"ttft_p50": 0.12, "e2el_p99": 0.9, "output_throughput": 150, "request_throughput": 1.5}
    )


def test_names_that_mean_different_things_elsewhere_stay_what_they_are(tmp_path: Path) -> None:
    [run] = read(tmp_path, json.dumps(POINT))

    assert (run.summary["itl_p50_ms"], run.summary["tpot_p50_ms"]) == (20.0, 21.0)


def test_lists_and_their_keys_are_not_kept(tmp_path: Path) -> None:
    assert "sk-abc" not in repr(read(tmp_path, json.dumps(POINT)))


def test_statistic_may_come_first_and_seconds_are_seconds(tmp_path: Path) -> None:
    [run] = read(tmp_path, json.dumps({"mean_ttft_s": 0.25, "median_request_latency_ms": 800, "n_requests": 30}))

    assert seconds(run) == pytest.approx({"ttft_mean": 0.25, "e2el_p50": 0.8, "requests": 30})


def test_rows_are_runs(tmp_path: Path) -> None:
    runs = read(tmp_path, "concurrency;ttft_mean_ms;output_tok_s\n1;80,5;x\n2;90;60\n4;-;110\n")

    # a comma is no decimal point here: what is no number is missing
    assert [(run.place, run.concurrency, seconds(run)) for run in runs] == [
        ("row 3", 2, {"ttft_mean": 0.09, "output_throughput": 60}),
        ("row 4", 4, {"output_throughput": 110}),
    ]


def test_rows_of_other_loads_are_other_levels(tmp_path: Path) -> None:
    table = "source_file,profile,rate,ttft_mean_ms,concurrency_mean\nc4,concurrent,-,65,4\nc16,concurrent,-,84,16\n"
    runs = read(tmp_path, table + "s2,constant,2.5,77,7\ns3,constant,4.75,85,16.5\np3,poisson,4.75,94,22\n")

    # The mean number in flight is a result, and no load that was asked for: such rows are called by their place.
    assert [(load_id(run), run.swept["profile"], run.concurrency) for run in runs] == [
        ("row-2", "concurrent", None),
        ("row-3", "concurrent", None),
        ("r2.5", "constant", None),
        ("r4.75", "constant", None),
        ("r4.75", "poisson", None),
    ]


def test_a_cap_is_the_load_where_it_is_all_that_is_told(tmp_path: Path) -> None:
    runs = read(tmp_path, "max_concurrency,ttft_mean_ms\n1,80\n8,90\n")

    assert [load_id(run) for run in runs] == ["c1", "c8"]


def test_rows_that_tell_no_load_are_not_repetitions_of_each_other(tmp_path: Path) -> None:
    runs = read(tmp_path, "name,ttft_mean_ms\nx,80\nx,90\n")

    assert [load_id(run) for run in runs] == ["row-2", "row-3"]


def test_counts_alone_are_no_result(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="no number whose name says quantity, statistic and unit"):
        read(tmp_path, json.dumps({"n_requests": 3, "duration_s": 2, "steps": [{"p99_ttft_ms": 4}]}))


@pytest.mark.fuzz
def test_broken_files_are_read_or_refused(tmp_path: Path) -> None:
    assert survives(named_columns, json.dumps(POINT).encode(), tmp_path) > 20
    assert survives(named_columns, b"concurrency,ttft_mean_ms\n1,80\n2,90\n", tmp_path) > 20
