"""Exports of AIPerf: nothing answered, answers a quarter as long as asked, and a clock that was set back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cases.arriving import told

ALL_FAILED: Final = """\
Metric,avg,min,max,sum,p1,p5,p10,p25,p50,p75,p90,p95,p99,std
Error Input Sequence Length (tokens),7.40,5.00,12.00,37.00,5.00,5.00,5.00,6.00,7.00,7.00,10.00,11.00,11.80,2.42

Metric,Value
Error Request Count,5.00
Total Error Input Sequence Length (tokens),37.00


Endpoint,GPU_Index,GPU_Name,GPU_UUID,Metric,avg,min,max,sum,p1,p5,p10,p25,p50,p75,p90,p95,p99,std
"""


def block(unit: str, value: float) -> dict[str, Any]:
    return {"unit": unit, "avg": value, "p50": value, "p99": value}


def record(start_s: float, latency_ms: float) -> str:
    start = 1_772_359_200_000_000_000 + int(start_s * 1e9)
    times = {"request_start_ns": start, "request_end_ns": start + int(latency_ms * 1e6)}
    metrics = {
        "request_latency": {"value": latency_ms, "unit": "ms"},
        "output_sequence_length": {"value": 11, "unit": "tokens"},
    }
    return json.dumps({"metadata": {**times, "benchmark_phase": "profiling"}, "metrics": metrics, "error": None})


def test_where_all_failed_there_is_no_latency_and_no_throughput(tmp_path: Path) -> None:
    found = told(tmp_path, {"profile_export_aiperf.csv": ALL_FAILED})
    [level] = found.round.series[0].levels

    # 5 of 5
    assert found.number("failure_ratio", level.id) == 1
    assert "5 of 5, or 100.0%" in found.said("failed_requests")
    assert [found.number(key, level.id) for key in ("ttft_p50", "e2el_p50", "output_throughput")] == [None] * 3
    assert found.why("ttft_p50", level.id) == "no request was answered"
    assert found.number("gpu_power_mean", level.id) is None  # a table of GPUs without a row tells nothing of watts


def test_output_and_concurrency_fall_short(tmp_path: Path) -> None:
    export = {
        "request_throughput": block("requests/sec", 2.0), "request_count": block("requests", 40.0),
        "request_latency": block("ms", 1160.0), "time_to_first_token": block("ms", 120.0),
        "inter_token_latency": block("ms", 20.0), "output_sequence_length": block("tokens", 53.0),
        "output_token_throughput": block("tokens/sec", 106.0), "benchmark_duration": block("sec", 20.0),
        "output_token_throughput_per_user": block("tokens/sec/user", 50.0),
        "input_config": {
            "endpoint": {"model_names": ["acme/Tiny-8B"], "streaming": True},
            "loadgen": {"concurrency": 4, "request_count": 40},
            "input": {"prompt": {"output_tokens": {"mean": 200}}},
        },
    }  # fmt: skip
    found = told(tmp_path, {"profile_export_aiperf.json": json.dumps(export)})

    # (200 − 53) ÷ 200 = 73.5 %
    assert found.number("output_shortfall", "c4") == pytest.approx(0.735)
    assert "73.5% short" in found.said("output_tokens")
    # (1160 − 120) ÷ (53 − 1); 40 × 53 ÷ 20
    assert found.number("tpot_mean", "c4") == pytest.approx(0.02)
    assert found.finding("latency_identity").status == "pass"
    assert found.number("output_throughput", "c4") == 106
    # 2.0 × 1.16 of 4 asked: 58 %
    assert found.number("mean_concurrency", "c4") == pytest.approx(2.32)
    assert found.finding("concurrency_reached").status == "warn"


def test_a_clock_that_was_set_back_takes_a_record_and_the_throughput(tmp_path: Path) -> None:
    # The second ends an hour before it starts, the third starts an hour back.
    lines = [record(0.0, 500.0), record(1.0, -3_599_500.0), record(-3598.0, 700.0)]
    found = told(tmp_path, {"profile_export.jsonl": "\n".join(lines) + "\n"})
    [level] = found.round.series[0].levels

    # (500 + 700) ÷ 2
    assert found.number("e2el_mean", level.id) == pytest.approx(0.6)
    assert (found.number("e2el_samples", level.id), found.number("requests", level.id)) == (2, 3)
    assert [found.number(key, level.id) for key in ("output_throughput", "request_throughput", "duration")] == [
        None
    ] * 3
    assert [one.status for one in found.findings("clock_steps")] == ["fail", "warn"]
    summary = json.loads((found.folder / f"s/levels/{level.id}/1/level.json").read_text(encoding="utf-8"))["summary"]
    assert (summary["requests_with_impossible_times"], summary["clock_moved_s"]) == (1, -3600)
