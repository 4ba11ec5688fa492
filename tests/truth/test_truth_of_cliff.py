"""A pool that holds so many requests: walls and cliff are predicted where they were put, and seen within a level."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator.collect.reference.model import FAST, Reserve
from tests.support.simulated import Load, Simulated, collected, noisy

SEEDS = range(10)
RUNGS = (1, 4, 8, 16, 32)
LOADS = tuple(Load(load, requests=max(16, 4 * load), input_tokens=96, output_tokens=60) for load in RUNGS)
# 156 tokens take ten blocks of 16, so that 64 blocks hold six such requests and a bit; there are slots for 32. Weights
# take 1e9 B, as many as the KV of 1e9 ÷ (8192 × 126) = 969 sequences of mean length.
SMALL = replace(FAST, slots=32, kv_blocks=64, context=512)


@pytest.mark.parametrize("reserve", ["whole", "grow"])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_cliff_is_predicted_and_seen(seed: int, reserve: Reserve, tmp_path: Path) -> None:
    simulated = Simulated(LOADS, replace(SMALL, reserve=reserve), sample_every_s=0.1)
    found = collected(noisy(simulated, seed), tmp_path / "r")
    assert found.of_series("cliff_predicted") == pytest.approx(6.4)
    assert found.of_series("cliff_wall") == pytest.approx(6.4)
    assert found.of_series("wall_scheduler") == 32
    assert found.of_series("wall_bandwidth") == pytest.approx(969, rel=0.01)
    # The first rung above it is 8. With four requests a slot its last wave is not full, which may cost the twentieth by
    # which a step of the curve is judged.
    assert found.of_series("knee_concurrency") in {4, 8, 16}
    assert abs(RUNGS.index(round(found.of_series("cliff_observed"))) - RUNGS.index(8)) <= 1
    assert abs(found.of_series("cliff_gap_levels")) <= 1
    assert (found.engine.totals.preemptions > 0) == (reserve == "grow")


def test_a_pool_that_holds_all_has_no_cliff(tmp_path: Path) -> None:
    found = collected(Simulated(LOADS, replace(SMALL, kv_blocks=1024), sample_every_s=0.1), tmp_path / "r")
    assert found.of_series("cliff_predicted") == pytest.approx(102.4)
    assert found.analysis.frame.of_series("cliff_observed", "simulated").value is None


@pytest.mark.parametrize("slots", [3, 6])
def test_slots_may_run_out_before_the_pool(slots: int, tmp_path: Path) -> None:
    found = collected(Simulated(LOADS, replace(FAST, slots=slots), sample_every_s=0.1), tmp_path / "r")
    assert found.of_series("cliff_wall") == slots
    assert found.of_series("cliff_observed") == next(rung for rung in RUNGS if rung > slots)
