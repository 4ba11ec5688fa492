from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.importers.inference_benchmarker import inference_benchmarker
from tests.support.mutated import survives


def result(name: str, rate: float | None, **changed: Any) -> dict[str, Any]:
    kind = "ConstantVUs" if rate is None else "ConstantArrivalRate"
    return {
        "id": name, "executor_type": kind, "config": {"max_vus": 128, "duration_secs": 60, "rate": rate},
        "total_requests": 10, "total_tokens": 500, "token_throughput_secs": 50.0, "duration_ms": 10000,
        "time_to_first_token_ms_avg": 40.5, "time_to_first_token_ms_p90": 60.0, "time_to_first_token_ms_p95": 70.0,
        "inter_token_latency_ms_avg": 9.0, "inter_token_latency_ms_p90": 11.0, "inter_token_latency_ms_p95": 12.0,
        "failed_requests": 1, "successful_requests": 9, "request_rate": 0.9, "total_tokens_sent": 900,
        "e2e_latency_ms_avg": 480, "e2e_latency_ms_p90": 600, "e2e_latency_ms_p95": 700,
    } | changed  # fmt: skip


REPORT: dict[str, Any] = {
    "config": {"max_vus": 128, "duration_secs": 60, "benchmark_kind": "Sweep", "warmup_duration_secs": 30,
               "rates": None, "num_rates": 2, "tokenizer": "acme/Small-1B", "model_name": "acme/Small-1B",
               "profile": None, "meta": {"api_key": "sk-abcdefghijkl"}, "run_id": "r1"},
    "results": [result("warmup", None), result("throughput", None), result("constant@2.50req/s", 2.5)],
    "start_time": "2026-03-01T12:00:00+00:00", "end_time": "2026-03-01T12:10:00+00:00",
    "system": {"cpu": ["x"], "memory": "8 GB", "os_name": "Linux", "hostname": "node-7.internal"},
}  # fmt: skip


def written(folder: Path, report: Any) -> Path:
    path = folder / "results.json"
    path.write_text(json.dumps(report), encoding="utf-8")
    return path


def test_it_is_recognised() -> None:
    assert inference_benchmarker.recognises(json.dumps(REPORT).encode()) == 4
    assert not inference_benchmarker.recognises(b'{"results": [], "config": {}}')


def test_a_sweep_is_a_run_for_each_load_without_its_warm_up(tmp_path: Path) -> None:
    runs = inference_benchmarker.read(written(tmp_path, REPORT), lambda _: None)

    assert [(run.place, run.concurrency, run.rate) for run in runs] == [
        ("results.1", 128, None),
        ("results.2", 128, 2.5),
    ]
    assert {run.model for run in runs} == {"acme/Small-1B"}


def test_numbers_are_told_with_their_meaning(tmp_path: Path) -> None:
    run = inference_benchmarker.read(written(tmp_path, REPORT), lambda _: None)[0]

    assert {one.metric: (one.value, one.unit) for one in run.reported} == {
        "requests": (10, "1"), "completed": (9, "1"), "duration": (10_000, "ms"), "request_throughput": (0.9, "req/s"),
        "output_throughput": (50, "tok/s"), "output_tokens_counted": (500, "tok"), "input_tokens_counted": (900, "tok"),
        "ttft_mean": (40.5, "ms"), "ttft_p90": (60, "ms"), "ttft_p95": (70, "ms"),
        "e2el_mean": (480, "ms"), "e2el_p90": (600, "ms"), "e2el_p95": (700, "ms"),
    }  # fmt: skip


def test_its_inter_token_latency_has_no_definition_that_the_file_tells(tmp_path: Path) -> None:
    run = inference_benchmarker.read(written(tmp_path, REPORT), lambda _: None)[0]

    assert run.summary["inter_token_latency_ms_avg"] == 9.0
    assert not [one for one in run.reported if one.metric.startswith(("itl", "tpot"))]


def test_zeros_for_want_of_an_answer_are_unknown(tmp_path: Path) -> None:
    nothing = result("throughput", None, time_to_first_token_ms_avg=0, e2e_latency_ms_avg=0, successful_requests=0)
    [run] = inference_benchmarker.read(written(tmp_path, REPORT | {"results": [nothing]}), lambda _: None)

    assert not {"ttft_mean", "e2el_mean"} & {one.metric for one in run.reported}


def test_neither_host_nor_key_gets_through(tmp_path: Path) -> None:
    runs = inference_benchmarker.read(written(tmp_path, REPORT), lambda _: None)

    assert not [word for word in ("node-7", "sk-abc") if word in repr(runs)]


@pytest.mark.parametrize(
    ("results", "why"),
    [
        (None, "`results` is missing"),
        ([], "the warm-up alone"),
        ([result("warmup", None)], "the warm-up alone"),
        ([{"id": "throughput"}], "`total_requests` and `duration_ms` are missing"),
    ],
)
def test_what_holds_no_load_is_refused(tmp_path: Path, results: Any, why: str) -> None:
    with pytest.raises(InputError, match=why):
        inference_benchmarker.read(written(tmp_path, REPORT | {"results": results}), lambda _: None)


@pytest.mark.fuzz
def test_broken_files_are_read_or_refused(tmp_path: Path) -> None:
    assert survives(inference_benchmarker, json.dumps(REPORT).encode(), tmp_path) > 20
