from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Column, Picked, Unknown
from generator.metrics import walls
from generator.places import flags
from tests.support.ladder_rounds import SLOTS, ladder_and_sweep, walled
from tests.support.memory_round import read_typed
from tests.support.telling import analysed


def column(*numbers: float) -> Column:
    return np.array(numbers, dtype=np.float64)


def test_observed_slots_by_flags() -> None:
    assert read_typed("slots_by_flags", flags("slots", "1"), 256) == (256, 256)


def test_wall_memory_of_slots_is_the_pool_over_the_context_of_one() -> None:
    assert walls.wall_memory(16_384, 2048) == 8


HYBRID = {
    "request_tokens": column(224, 224), "engine_block_tokens_of_series": 32, "kv_elements": 1536,
    "kv_window_elements": 7680, "attention_window": 512, "engine_pool_blocks_of_series": 175,
}  # fmt: skip
"""3 layers that keep all and 15 with a window: 6 groups of 3."""


def test_kv_blocks_of_request_counts_those_of_each_group() -> None:
    # 224 tokens are 7 blocks of 32, in 6 groups: 42. 845 tokens are not 175 × 32.
    assert walls.kv_blocks_of_request(**HYBRID, kv_pool_tokens=845) == 42


def test_kv_blocks_of_request_has_those_of_a_window_for_what_it_reaches() -> None:
    # 1024 tokens are 32 blocks in the group that keeps all, 512 are 16 in each of the 5 others.
    longer = HYBRID | {"request_tokens": column(1024)}
    assert walls.kv_blocks_of_request(**longer, kv_pool_tokens=845) == 32 + 5 * 16


@pytest.mark.parametrize("same", [{"kv_window_elements": 0}, {"kv_pool_tokens": 5600}])
def test_kv_blocks_of_request_is_not_known_where_all_layers_keep_alike(same: dict[str, float]) -> None:
    # 175 × 32 = 5600: the engine has one group.
    assert isinstance(walls.kv_blocks_of_request(**HYBRID | {"kv_pool_tokens": 845} | same), Unknown)


def test_wall_memory_in_groups_is_blocks_over_blocks() -> None:
    # 175 ÷ 42
    assert walls.wall_memory_in_groups(175, 42) == pytest.approx(4.1667, abs=1e-4)


def test_wall_memory_in_blocks_rounds_a_request_up() -> None:
    # 1200 tokens are 2.34, so 3, blocks of 512: 1536 tokens; 16384 ÷ 1536 = 10.67
    assert walls.wall_memory_in_blocks(16_384, column(1200, 1200), 512) == pytest.approx(10.6667, abs=1e-4)


def test_wall_memory_in_tokens_takes_input_and_output() -> None:
    # 120064 ÷ (1024 + 256)
    assert walls.wall_memory_in_tokens(120_064, column(1280)) == 93.8


def test_wall_bandwidth_is_where_kv_reads_as_many_bytes_as_weights() -> None:
    # 14.14 GB ÷ (1152 tokens × 57344 B = 66.06 MB); the weights are those read at the highest level.
    found = walls.wall_bandwidth(column(9e9, 14_141_238_272), column(66_060_288, 66_060_288))
    assert isinstance(found, Picked)
    assert found.value == pytest.approx(214.066, abs=1e-3)
    assert found.rows == (1,)


def test_half_of_the_limit_is_reached_at_the_bend() -> None:
    # X(C) = C × BW ÷ (W + C k) → BW ÷ k; at C = W ÷ k it is BW ÷ (2 k).
    weights, kv, bandwidth = 16e9, 144e6, 1e12
    bend = weights / kv
    assert bend * bandwidth / (weights + bend * kv) == pytest.approx(bandwidth / kv / 2)


def test_wall_scheduler_is_what_is_declared() -> None:
    assert walls.wall_scheduler(64) == 64


def test_wall_scheduler_in_log_is_what_the_server_printed() -> None:
    assert walls.wall_scheduler_in_log(8) == 8


def test_wall_scheduler_by_flags_comes_last() -> None:
    assert walls.wall_scheduler_by_flags(32) == 32


@pytest.mark.parametrize(
    ("series", "memory", "scheduler"),
    [("slotted", 8, 8), ("paged", 16_384 / 1536, 32), ("plain", 16_000 / 1200, 16)],
)
def test_walls_are_taken_from_what_is_on_record(series: str, memory: float, scheduler: float) -> None:
    frame = analysed(walled()).frame

    assert frame.of_series("wall_memory", series).value == pytest.approx(memory)
    assert frame.of_series("wall_scheduler", series).value == scheduler
    # 16 GB ÷ (1100 tokens in the middle of an answer × 131072 B)
    assert frame.of_series("wall_bandwidth", series).value == pytest.approx(16e9 / (1100 * 131_072))


def test_prompts_of_a_sweep_leave_the_walls_of_the_ladder_alone() -> None:
    frame = analysed(ladder_and_sweep()).frame

    assert frame.of_series("wall_memory", "a").value == pytest.approx(SLOTS["kv_pool_tokens"] / 1200)
    assert frame.of_series("wall_bandwidth", "a").value == pytest.approx(16e9 / (1100 * 131_072))
