"""A ladder over an engine with so many slots: the knee is where they are full, for each seed and each number."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator.collect.reference.model import FAST
from tests.support.simulated import Load, Simulated, collected, noisy

SEEDS = range(10)
RUNGS = (1, 2, 4, 8, 16, 32)
LOADS = tuple(Load(load, requests=max(20, 4 * load), input_tokens=64, output_tokens=32) for load in RUNGS)


@pytest.mark.parametrize("slots", [4, 8])
@pytest.mark.parametrize("seed", SEEDS)
def test_the_knee_is_within_a_level_of_the_slots(seed: int, slots: int, tmp_path: Path) -> None:
    found = collected(noisy(Simulated(LOADS, replace(FAST, slots=slots)), seed), tmp_path / "r")
    knee = found.of_series("knee_concurrency")
    assert abs(RUNGS.index(round(knee)) - RUNGS.index(slots)) <= 1
