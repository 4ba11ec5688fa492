"""A decode step shorter than reading the weights once takes."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cases.arriving import told, vllm


def test_faster_than_the_roofline_is_a_failure_with_its_causes(tmp_path: Path) -> None:
    result = vllm(
        num_prompts=1, completed=1, max_concurrency=1, duration=2.2, total_input_tokens=512, total_output_tokens=101,
        output_throughput=101 / 2.2, mean_ttft_ms=100.0, median_ttft_ms=100.0, mean_tpot_ms=20.0, median_tpot_ms=20.0,
        mean_itl_ms=20.0, median_itl_ms=20.0, mean_e2el_ms=2100.0, median_e2el_ms=2100.0,
    )  # fmt: skip
    shape = "layers = 1\nkv_heads = 1\nhead_dim = 1\nkv_dtype_bytes = 1 #"  # a KV cache that weighs next to nothing
    found = told(tmp_path, {"result.json": result}, keys={
        "# memory_bandwidth_gb_s = …": "memory_bandwidth_gb_s = 273 #", "# weight_bytes = …": "weight_bytes = 8.0e9 #",
        "# layers = …": shape, "# input_tokens = 512": "input_tokens = 512",
        "# output_tokens = 101": "output_tokens = 101",
    })  # fmt: skip

    # 8.0e9 ÷ 273e9 = 29.30 ms; 29.30 ÷ 20 = 146.5 %
    assert found.number("decode_floor", "c1") == pytest.approx(0.029304, abs=1e-6)
    assert found.number("floor_ratio", "c1") == pytest.approx(1.465, abs=1e-3)
    # (2100 − 100) ÷ (101 − 1)
    assert found.number("tpot_implied", "c1") == pytest.approx(0.02)
    finding = found.finding("faster_than_the_floor")
    assert finding.status == "fail"
    text = found.said("faster_than_the_floor")
    assert "20.0 ms with a floor of 29.30 ms, floor ÷ step 146.5%" in text
    assert all(cause in text for cause in ("Bandwidth or weight bytes are wrong", "several tokens", "speculative"))
