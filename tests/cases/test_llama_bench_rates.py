"""llama-bench: prompts, answers, and a test of both whose rate is neither."""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.cases.arriving import Told, told


def one_test(prompt: int, made: int, rates: Sequence[float]) -> dict[str, Any]:
    """Write the record of a test; each repetition took all tokens ÷ its rate."""
    return {
        "build_commit": "abc1234", "build_number": 9000, "cpu_info": "Toy CPU", "gpu_info": "Toy GPU",
        "backends": "CUDA", "model_filename": "tiny-8b-q8.gguf", "model_type": "tiny 8B Q8_0",
        "model_size": 8_500_000_000, "model_n_params": 8_000_000_000, "n_batch": 2048, "n_ubatch": 512,
        "n_gpu_layers": 99, "flash_attn": True, "n_prompt": prompt, "n_gen": made, "n_depth": 0,
        "test_time": "2026-03-01T10:00:00Z", "avg_ts": sum(rates) / len(rates), "samples_ts": list(rates),
        "samples_ns": [round((prompt + made) / rate * 1e9) for rate in rates],
    }  # fmt: skip


@pytest.fixture
def found(tmp_path: Path) -> Told:
    tests = [
        one_test(512, 0, (990, 1010, 1000)),
        one_test(0, 128, (49, 51, 50)),
        one_test(512, 128, (207.9, 208.1, 208)),
    ]
    return told(tmp_path, {"bench.json": json.dumps(tests)})


def test_repetitions_are_trials_with_their_range(found: Told) -> None:
    prompt, made = found.value("prompt_throughput", "pp512"), found.value("generation_throughput", "tg128")

    assert (prompt.value, prompt.low, prompt.high, prompt.n) == (1000, 990, 1010, 3)
    assert (made.value, made.low, made.high) == (50, 49, 51)
    # 1 ÷ 50 s; 512 ÷ 1000 s
    assert found.number("time_per_generated_token", "tg128") == pytest.approx(0.02)
    assert found.number("duration", "pp512") == pytest.approx(0.512)


def test_a_test_of_both_is_on_neither_axis(found: Told) -> None:
    # (512 + 128) ÷ (512 ÷ 1000 + 128 ÷ 50) = 208.33, near what was measured
    assert found.number("mixed_throughput", "pp512-tg128") == 208
    for key in ("prompt_throughput", "generation_throughput", "output_throughput", "time_per_generated_token"):
        assert found.number(key, "pp512-tg128") is None


def test_without_a_bandwidth_there_is_no_floor(found: Told) -> None:
    assert found.number("decode_floor", "tg128") is None
    assert found.finding("faster_than_the_floor").status == "unknown"
