"""An engine whose KV pool fills with the tokens in flight: the report finds what a token takes, for each seed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator.collect.reference.model import FAST
from tests.support.simulated import Load, Simulated, collected, noisy

SEEDS = range(10)
HEADS = (32, 8, 128)
GROWING = replace(FAST, slots=16, reserve="grow", overhead=0.02, kv_bytes=2 * 32 * 8 * 128 * 2)
"""131,072 B a token; 16,384 tokens are 2 GiB, which the log prints without rounding."""
LOADS = tuple(Load(load, requests=4 * load, input_tokens=160, output_tokens=64) for load in (2, 4, 8, 12))
UNEVEN = 'lengths = "uniform"\nlength_spread = 0.5'


@pytest.mark.parametrize("seed", SEEDS)
def test_the_bytes_of_a_token_are_found(seed: int, tmp_path: Path) -> None:
    simulated = Simulated(LOADS, GROWING, HEADS, sample_every_s=0.1, workload=UNEVEN)
    found = collected(noisy(simulated, seed), tmp_path / "r")
    assert found.of_series("kv_bytes_measured") == pytest.approx(GROWING.kv_bytes, rel=0.01)
    assert found.of_series("kv_bytes_over_formula") == pytest.approx(1.0, rel=0.01)
    # 1024 blocks of 16 tokens
    assert found.of_series("kv_slope") == pytest.approx(1 / 16384, rel=0.01)
    assert found.of_series("kv_block_rounding") == 7.5
    assert found.engine.totals.preemptions == 0


@pytest.mark.parametrize("seed", range(3))
def test_the_tokens_in_slots_tell_it_too(seed: int, tmp_path: Path) -> None:
    simulated = Simulated(LOADS, GROWING, HEADS, style="llamacpp", sample_every_s=0.1, workload=UNEVEN)
    found = collected(noisy(simulated, seed), tmp_path / "r")
    # the pool's size is that of its cells: one slot may take a quarter of them at most
    assert found.of_series("kv_pool_tokens") == 16384
    assert found.of_series("kv_bytes_measured") == pytest.approx(GROWING.kv_bytes, rel=0.01)


@pytest.mark.parametrize("block", [1, 16, 64])
def test_whatever_the_size_of_a_block(block: int, tmp_path: Path) -> None:
    machine = replace(GROWING, block_tokens=block, kv_blocks=16384 // block)
    found = collected(noisy(Simulated(LOADS, machine, HEADS, sample_every_s=0.1, workload=UNEVEN), 1), tmp_path / "r")
    assert found.of_series("kv_bytes_measured") == pytest.approx(GROWING.kv_bytes, rel=0.01)
    assert found.of_series("kv_block_rounding") == (block - 1) / 2
