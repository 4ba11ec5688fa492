"""A report of GuideLLM: latencies in seconds beside milliseconds, and a TPOT that divides by all tokens."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cases.arriving import Told, told


def block(value: float) -> dict[str, Any]:
    return {"successful": {"mean": value, "median": value, "count": 2, "percentiles": {"p99": value}}}


@pytest.fixture
def found(tmp_path: Path) -> Told:
    metrics = {
        "request_latency": block(2.0), "time_to_first_token_ms": block(480.0), "time_per_output_token_ms": block(76.0),
        "inter_token_latency_ms": block(80.0), "output_token_count": block(20.0),
    }  # fmt: skip
    made = {"successful": 2, "errored": 0, "incomplete": 3, "total": 5}
    benchmark = {
        "type_": "generative_benchmark",
        "args": {"strategy": {"type_": "concurrent", "streams": 2}, "max_duration": 10.0},
        "run_stats": {"start_time": 1000.0, "end_time": 1010.0, "requests_made": made},
        "metrics": metrics,
        "duration": 10.0,
    }
    return told(tmp_path, {"benchmarks.json": json.dumps({"benchmarks": [benchmark]})})


def test_each_latency_is_in_its_own_unit(found: Told) -> None:
    assert [found.number(key, "c2") for key in ("e2el_mean", "ttft_mean")] == [2.0, 0.48]


def test_its_tpot_is_none_of_ours(found: Told) -> None:
    # (2000 − 480) ÷ (20 − 1) = 80 ms, which it calls inter-token latency; 1520 ÷ 20 = 76 ms keeps its own name.
    assert found.number("tpot_mean", "c2") == pytest.approx(0.08)
    assert found.number("e2el_closure", "c2") == pytest.approx(0)
    assert 76.0 not in [one.value * 1000 for one in found.round.observations]


def test_requests_that_were_not_complete_failed(found: Told) -> None:
    # 3 of 5; 2 ÷ 10 s
    assert found.finding("failed_requests").status == "warn"
    assert "3 of 5, or 60.0%" in found.said("failed_requests")
    assert found.number("request_throughput", "c2") == pytest.approx(0.2)
    assert "rest on 2 requests" in found.said("tail_percentiles")
