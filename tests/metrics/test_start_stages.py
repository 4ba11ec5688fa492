from __future__ import annotations

import pytest

from generator.metrics import start_stages
from generator.places import log
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    "key",
    [
        "log_stage_engine_of_series", "log_stage_weights_of_series", "log_stage_compile_of_series",
        "log_stage_graphs_of_series", "log_stage_setup_of_series", "log_stages_told_of_series",
        "log_start_clock_of_series", "log_ready_clock_of_series",
    ],
)  # fmt: skip
def test_observed_in_the_log_of_the_start(key: str) -> None:
    fact = key.removeprefix("log_").removesuffix("_of_series")
    assert read_typed(key, log(fact, "s", "series"), 12.5) == (12.5, 12.5)


def test_start_imports_are_from_the_spawn_to_the_first_stage() -> None:
    # Spawned at 18 557.2 s, begun at 18 603.5 s.
    assert start_stages.start_imports(log_start_clock_of_series=18603.5, cold_start_spawn_clock=18557.25) == 46.25


def test_start_told_adds_the_stages() -> None:
    assert start_stages.start_told(start_imports=46.25, log_stages_told_of_series=236.5) == 282.75


def test_start_untold_is_what_is_left_over() -> None:
    assert start_stages.start_untold(cold_start_healthy=326.5, start_told=282.75) == 43.75


def test_start_ready_counts_from_the_spawn() -> None:
    assert start_stages.start_ready(log_ready_clock_of_series=18559.5, cold_start_spawn_clock=18557.25) == 2.25


def test_start_ready_gap_is_how_much_later_it_was_seen() -> None:
    assert start_stages.start_ready_gap(cold_start_healthy=2.5, start_ready=2.25) == 0.25
