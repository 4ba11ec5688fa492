"""The report on where the KV pool is full."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from generator.collect.reference.model import FAST, Reserve
from tests.support.cliff_rounds import cliff_round, climbing, preempting
from tests.support.simulated import SERIES, Load, Simulated, collected
from tests.support.telling import analysed, catalogue

LOADS = tuple(Load(concurrency, requests=max(12, 4 * concurrency)) for concurrency in (1, 2, 4, 6, 8))
# 45 blocks of 16 tokens hold 720, and a request takes 128 + 32: 4.5 of them.
POOL = replace(FAST, slots=32, kv_blocks=45, block_tokens=16)


def test_it_is_made_where_a_wall_and_a_ladder_are_known() -> None:
    report = catalogue().report("cliff")

    assert report.page == "cliff.html"
    assert report.lacks(analysed(preempting())) is None


def test_a_round_without_says_how_they_are_recorded() -> None:
    why = catalogue().report("cliff").lacks(analysed(cliff_round({"s": climbing()}, {})))

    assert why is not None
    assert "kv_pool_tokens" in why.en
    assert "kv_pool_tokens" in why.zh


@pytest.mark.parametrize("reserve", ["whole", "grow"])
def test_a_simulated_engine_falls_off_where_its_pool_is_full(reserve: Reserve, tmp_path: Path) -> None:
    found = collected(Simulated(LOADS, machine=replace(POOL, reserve=reserve)), tmp_path / "r")

    assert found.of_series("cliff_predicted") == 4.5
    assert (found.of_series("cliff_observed"), found.of_series("cliff_gap_levels")) == (6, 0)
    preempted = [found.of_level("cliff_preemptions", load) > 0 for load in LOADS]
    # Only an engine that gives out KV as requests grow has to take any back.
    assert preempted == [False, False, False, reserve == "grow", reserve == "grow"]


def test_a_simulated_llama_cpp_with_few_slots_meets_them_first(tmp_path: Path) -> None:
    found = collected(Simulated(LOADS, machine=replace(POOL, slots=2), style="llamacpp"), tmp_path / "r")

    assert (found.of_series("cliff_wall"), found.of_series("cliff_observed")) == (2, 4)
    assert found.analysis.frame.of_series("cliff_gap_levels", SERIES).value == 0
