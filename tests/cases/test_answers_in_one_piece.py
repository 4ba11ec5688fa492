"""inference-perf without streaming: latencies of whole answers, and a client that sent late."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.cases.arriving import Told, told


def spread(mean: float, median: float, p99: float) -> dict[str, float]:
    return {"mean": mean, "median": median, "p99": p99}


@pytest.fixture
def found(tmp_path: Path) -> Told:
    latency: dict[str, Any] = {
        "request_latency": spread(1.5, 1.5, 2.0), "normalized_time_per_output_token": spread(0.03, 0.03, 0.04),
        "time_per_output_token": None, "time_to_first_token": None, "inter_token_latency": None,
    }  # fmt: skip
    rates = {"input_tokens_per_sec": 100.0, "output_tokens_per_sec": 50.0, "total_tokens_per_sec": 150.0}
    summary = {
        "load_summary": {"count": 4, "schedule_delay": spread(0.8, 0.7, 2.0) | {"min": 0.0, "max": 2.0}},
        "successes": {
            "count": 3, "latency": latency, "throughput": rates | {"requests_per_sec": 1.0},
            "output_len": {"mean": 50.0},
        },
        "failures": {"count": 1},
    }  # fmt: skip
    return told(tmp_path, {"summary_lifecycle_metrics.json": json.dumps(summary)})


def level(found: Told) -> str:
    [only] = found.round.series[0].levels
    return only.id


@pytest.mark.parametrize("key", ["ttft_mean", "tpot_mean", "itl_mean", "ttft_p99"])
def test_what_needs_a_stream_was_not_measured(found: Told, key: str) -> None:
    assert found.number(key, level(found)) is None
    assert found.why(key, level(found)).startswith("not measured (not streaming)")


def test_the_time_of_an_answer_over_its_tokens_is_no_tpot(found: Told) -> None:
    # 1.5 s ÷ 50 = 30 ms holds the prefill
    assert found.number("e2el_mean", level(found)) == 1.5
    assert found.number("tpot_mean", level(found)) is None


def test_one_of_four_failed(found: Told) -> None:
    assert found.number("failure_ratio", level(found)) == 0.25
    assert "1 of 4, or 25.0%" in found.said("failed_requests")


def test_a_client_that_sent_later_than_an_answer_takes_is_a_failure(found: Told) -> None:
    # 0.8 s late on average, 53 % of 1.5 s; 2 s at the worst, more than an answer takes
    assert found.number("client_schedule_lag_mean", level(found)) == 0.8
    assert found.finding("client_fidelity").status == "fail"
    assert "by up to 2,000 ms" in found.said("client_fidelity")
