"""Totals of SGLang's bench_serving: a rate without limit, tokens counted twice, and a stream that was not read."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cases.arriving import told

RETOKENIZED: Final[dict[str, Any]] = {
    "tag": "toy", "backend": "sglang", "dataset_name": "random", "request_rate": float("inf"), "max_concurrency": None,
    "random_input_len": 20, "random_output_len": 20, "random_range_ratio": 1.0, "duration": 3.0, "completed": 3,
    "total_input_tokens": 60, "total_output_tokens": 60, "total_output_tokens_retokenized": 57,
    "request_throughput": 1.0, "output_throughput": 20.0, "mean_e2e_latency_ms": 1000.0, "mean_ttft_ms": 100.0,
    "mean_tpot_ms": 47.368421, "mean_itl_ms": 47.368421, "concurrency": 1.0, "accept_length": None,
}  # fmt: skip
UNREAD: Final[dict[str, Any]] = {
    "backend": "sglang-oai-chat", "dataset_name": "random", "request_rate": "inf", "max_concurrency": 8,
    "duration": 40.0, "completed": 16, "total_input_tokens": 800, "total_output_tokens": 4220,
    "total_output_tokens_retokenized": 0, "request_throughput": 0.4, "output_throughput": 105.5,
    "mean_e2e_latency_ms": 19000.0, "mean_ttft_ms": 0.0, "median_ttft_ms": 0.0, "mean_tpot_ms": 0.0,
    "mean_itl_ms": 0.0, "median_itl_ms": 0.0, "max_output_tokens_per_s": 1.0, "concurrency": 7.6,
}  # fmt: skip


def test_tokens_of_a_text_tokenized_again_are_not_those_of_the_server(tmp_path: Path) -> None:
    found = told(tmp_path, {"result.jsonl": json.dumps(RETOKENIZED)})
    [level] = found.round.series[0].levels

    assert (level.rate, level.concurrency) == (None, None)  # an infinite rate and no cap: all at once
    # 60 ÷ 3 s stays; (57 − 60) ÷ 60 = −5 % is told
    assert found.number("output_throughput", level.id) == 20
    assert found.finding("retokenized_output").status == "warn"
    assert "a difference of −5.0%" in found.said("retokenized_output")
    # (1000 − 100) ÷ (20 − 1) ms; 3 × 1 s ÷ 3 s
    assert found.number("tpot_mean", level.id) == pytest.approx(0.047368, abs=1e-6)
    assert found.number("mean_concurrency", level.id) == pytest.approx(1)


def test_zeros_of_a_stream_that_was_not_read_are_no_latencies(tmp_path: Path) -> None:
    found = told(tmp_path, {"result.jsonl": json.dumps(UNREAD)})

    for key in ("ttft_mean", "ttft_p50", "tpot_mean", "itl_mean", "itl_p50"):
        assert found.number(key, "c8") is None
        assert "it did not read their stream" in found.why(key, "c8")
    # 4220 ÷ 40 s; 16 × 19 s ÷ 40 s. The peak of 1 tok/s is below that mean, and nothing of ours.
    assert found.number("output_throughput", "c8") == 105.5
    assert found.number("mean_concurrency", "c8") == pytest.approx(7.6)
