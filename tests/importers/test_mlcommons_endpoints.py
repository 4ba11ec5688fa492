from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.importers.mlcommons_endpoints import mlcommons_endpoints
from generator.runs.imported import Run
from tests.support.mutated import survives

SUMMARY: dict[str, Any] = {
    "version": "0.3.0", "git_sha": "abc1234", "test_started_at": 0, "n_samples_issued": 100,
    "n_samples_completed": 100, "n_samples_failed": 0, "duration_ns": 50_000_000_000, "state": "complete",
    "complete": True,
    "ttft": {"total": 8_000_000_000, "min": 1_000_000, "max": 400_000_000, "median": 70_000_000, "avg": 80_000_000.0,
             "std_dev": 1.0, "percentiles": {"50": 70_000_000, "90": 150_000_000, "99": 390_000_000},
             "histogram": {"buckets": [[0, 1]], "counts": [100]}},
    "tpot": {"avg": 9_000_000.0, "percentiles": {"50.0": 8_500_000, "95.0": 12_000_000}},
    "latency": {"avg": 900_000_000.0, "percentiles": {"50": 850_000_000}},
    "output_sequence_lengths": {"total": 10_000, "avg": 100.0, "percentiles": {"50": 100}},
    "legacy_loadgen_window_duration_ns": 45_000_000_000, "qps": 2.2, "tps": 222.2,
    "run_config": {"load_pattern": {"type": "poisson", "target_qps": 2.5}, "scheduler_random_seed": 42},
}  # fmt: skip


def read(folder: Path, **changed: Any) -> Run:
    path = folder / "result_summary.json"
    path.write_text(json.dumps(SUMMARY | changed), encoding="utf-8")
    [run] = mlcommons_endpoints.read(path, lambda _: None)
    return run


def test_it_is_recognised() -> None:
    assert mlcommons_endpoints.recognises(json.dumps(SUMMARY).encode()) == 3
    assert not mlcommons_endpoints.recognises(b'{"duration": 1, "completed": 2}')


def test_nanoseconds_stay_what_they_are(tmp_path: Path) -> None:
    run = read(tmp_path)

    assert (run.tool_version, run.rate, run.concurrency) == ("0.3.0", 2.5, None)
    assert {one.metric: (one.value, one.unit) for one in run.reported} == {
        "requests": (100, "1"), "completed": (100, "1"), "duration": (5e10, "ns"),
        "output_tokens_counted": (10_000, "tok"), "output_tokens_mean": (100, "tok"),
        "ttft_mean": (8e7, "ns"), "ttft_p50": (7e7, "ns"), "ttft_p90": (1.5e8, "ns"), "ttft_p99": (3.9e8, "ns"),
        "e2el_mean": (9e8, "ns"), "e2el_p50": (8.5e8, "ns"), "tpot_mean": (9e6, "ns"), "tpot_p50": (8.5e6, "ns"),
        "tpot_p95": (1.2e7, "ns"),
    }  # fmt: skip


def test_a_rate_over_another_window_is_none_of_ours(tmp_path: Path) -> None:
    # 100 requests in 50 s are 2 req/s, not the 2.2 that (100 − 1) ÷ 45 s gives
    run = read(tmp_path)

    assert "request_throughput" not in {one.metric for one in run.reported}
    assert run.summary["qps"] == 2.2


@pytest.mark.parametrize(
    ("ended", "failed", "answered"),
    [
        (100, 0, 100),
        (100, 10, 90),  # all 100 came to an end, the 10 that failed among them
        (90, 10, 90),  # 90 + 10 are the 100 that were issued: failed ones are counted apart
    ],
)
def test_failed_requests_do_not_count_as_completed(tmp_path: Path, ended: int, failed: int, answered: int) -> None:
    run = read(tmp_path, n_samples_completed=ended, n_samples_failed=failed)

    assert {one.metric: one.value for one in run.reported}["completed"] == answered


def test_a_fixed_concurrency_is_the_cap(tmp_path: Path) -> None:
    run = read(tmp_path, run_config={"load_pattern": {"type": "concurrency", "target_concurrency": 16}})

    assert (run.rate, run.concurrency) == (None, 16)


def test_metrics_without_a_sample_are_unknown(tmp_path: Path) -> None:
    run = read(tmp_path, ttft={}, tpot={}, output_sequence_lengths={})

    assert not [one for one in run.reported if one.metric.startswith(("ttft", "tpot", "output"))]


def test_a_run_that_was_broken_off_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="`duration_ns` is missing"):
        read(tmp_path, duration_ns=None)


@pytest.mark.fuzz
def test_broken_files_are_read_or_refused(tmp_path: Path) -> None:
    assert survives(mlcommons_endpoints, json.dumps(SUMMARY).encode(), tmp_path) > 20
