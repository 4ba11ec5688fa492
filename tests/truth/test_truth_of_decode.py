"""A ladder over a machine whose decode waits for memory alone: what a slot costs is found, and what a step does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator.collect.reference.model import FAST
from tests.support.simulated import Load, Simulated, collected, noisy

SEEDS = range(10)
HEADS = (64, 32, 128)
# 4 ms for the weights and 2 ms besides; each of 320 tokens of context takes a MiB ÷ 1e12 B/s, so that a slot costs
# 0.336 ms. Arithmetic takes next to nothing, so that prompts do not disturb.
MACHINE = replace(
    FAST, overhead=0.002, weight_bytes=4e9, kv_bytes=2 * 64 * 32 * 128 * 2, parameters=1e3, attention_flops=0.0,
    slots=64, kv_blocks=1 << 16, chunk_tokens=1 << 30,
)  # fmt: skip
LOADS = tuple(Load(load, requests=max(8, 3 * load), input_tokens=256, output_tokens=128) for load in (1, 4, 16))


@pytest.mark.parametrize("seed", SEEDS)
def test_what_a_slot_costs_and_what_a_step_costs_besides_are_found(seed: int, tmp_path: Path) -> None:
    found = collected(noisy(Simulated(LOADS, MACHINE, HEADS), seed), tmp_path / "r")
    assert found.of_series("marginal_step_cost") == pytest.approx(320 * 1048576 / 1e12, rel=0.02)
    assert found.of_series("marginal_cost_over_floor") == pytest.approx(1.0, rel=0.02)
    for load in LOADS:
        step = found.of_level("itl_p50", load)
        assert step - found.of_level("decode_floor", load) == pytest.approx(MACHINE.overhead, abs=0.02 * step)
