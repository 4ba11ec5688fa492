"""One run as two versions of a client write it: in seconds without a word, and in milliseconds that say so."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest

from tests.cases.arriving import told

COUNTS: Final[dict[str, Any]] = {
    "model_id": "acme/Tiny-8B", "num_prompts": 10, "request_rate": "inf", "max_concurrency": 4, "duration": 20.0,
    "completed": 10, "total_input_tokens": 1000, "total_output_tokens": 500, "request_throughput": 0.5,
    "output_throughput": 25.0,
}  # fmt: skip
SECONDS: Final = {"median_ttft": 0.5, "p99_ttft": 0.9, "median_tpot": 0.04, "p99_tpot": 0.05, "median_e2el": 2.46}


@pytest.mark.parametrize(
    "latencies",
    [SECONDS, {f"{key}_ms": value * 1000 for key, value in SECONDS.items()}],
    ids=["seconds", "milliseconds"],
)
def test_both_are_the_same_run(tmp_path: Path, latencies: dict[str, float]) -> None:
    found = told(tmp_path, {"result.json": json.dumps(COUNTS | latencies)})

    known = [found.number(key, "c4") for key in ("ttft_p50", "ttft_p99", "tpot_p50", "e2el_p50")]
    assert known == pytest.approx([0.5, 0.9, 0.04, 2.46])
    # 500 + (500 ÷ 10 − 1) × 40 = 2460 ms
    assert found.number("e2el_closure", "c4") == pytest.approx(0)
    assert found.finding("latency_identity").status == "pass"
