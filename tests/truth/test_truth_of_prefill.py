"""A sweep of input lengths on a machine whose prefill is known: the report finds what was configured, for each seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator.collect.reference.model import FAST
from tests.support.simulated import Load, Simulated, collected, noisy

SEEDS = range(10)
LENGTHS = (32, 64, 128, 192, 256, 320, 384, 448, 512)

# 2 × 8e9 ÷ 100e12 s = 160 µs a token, and 50 ms for each step. Weights and KV cache take no time worth mentioning, and
# a prompt is one step, so that a prefill of n tokens is 50 ms + 160 µs × n.
LINE = replace(
    FAST, overhead=0.05, parameters=8e9, compute=100e12, weight_bytes=1.0, attention_flops=0.0, chunk_tokens=1 << 30
)
# 4e8 FLOP for each pair: of n tokens there are n × (n + 1) ÷ 2, so c = 4e8 ÷ 2 ÷ 100e12 = 2 µs, and the same once more
# for each token: b = 160 + 2 µs.
CURVE = replace(LINE, attention_flops=4e8)


@pytest.mark.parametrize("seed", SEEDS)
def test_fixed_cost_and_cost_of_a_token_are_found(seed: int, tmp_path: Path) -> None:
    loads = tuple(Load(1, requests=60, input_tokens=length, output_tokens=2) for length in LENGTHS)
    found = collected(noisy(Simulated(loads, LINE, style="llamacpp"), seed), tmp_path / "r")
    assert found.of_series("prefill_fixed") == pytest.approx(0.05, rel=0.02)
    assert found.of_series("prefill_per_token") == pytest.approx(160e-6, rel=0.02)
    assert found.of_series("prefill_fit_r2") > 0.99


@pytest.mark.parametrize("style", ["vllm", "llamacpp"])
def test_a_cost_of_pairs_of_tokens_is_found(style: str, tmp_path: Path) -> None:
    loads = tuple(Load(1, requests=4, input_tokens=length, output_tokens=2) for length in LENGTHS)
    found = collected(Simulated(loads, CURVE, style="vllm" if style == "vllm" else "llamacpp"), tmp_path / "r")
    assert found.of_series("prefill_per_token_squared") == pytest.approx(2e-6, rel=0.02)
    assert found.of_series("prefill_curve_per_token") == pytest.approx(162e-6, rel=0.02)
    assert found.of_series("prefill_curve_fixed") == pytest.approx(0.05, rel=0.02)
