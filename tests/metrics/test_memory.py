from __future__ import annotations

import pytest

from generator.metrics import memory
from generator.places import Place, fact, setting
from tests.support.memory_round import read_typed

GIB = 2**30


@pytest.mark.parametrize(
    ("key", "place", "typed", "base", "reported"),
    [
        ("memory_capacity", setting("hardware.memory_gib", "GiB"), 24, 24 * GIB, 24),
        ("kv_pool_tokens", setting("series.kv_pool_tokens", "tok"), 120_064, 120_064, 120_064),
        ("slots", setting("series.slots", "1"), 64, 64, 64),
        ("weights_loaded", fact("memory.weights_gib", "GiB"), 14.5, 14.5 * GIB, 14.5),
        ("kv_pool_bytes", fact("memory.kv_pool_gib", "GiB"), 6.5, 6.5 * GIB, 6.5),
        # 19 456 MiB = 19 × 1024 MiB
        ("device_memory_used", fact("memory.device_used_mib", "MiB"), 19_456, 19 * GIB, 19),
    ],
)
def test_observed(key: str, place: Place, typed: float, base: float, reported: float) -> None:
    assert read_typed(key, place, typed) == (base, reported)


def test_weights_loaded_from_bytes_takes_what_a_step_reads() -> None:
    assert memory.weights_loaded_from_bytes(4.68e9) == 4.68e9


def test_kv_pool_bytes_in_log_are_those_that_the_server_printed() -> None:
    assert memory.kv_pool_bytes_in_log(37_748_736) == 37_748_736


def test_kv_pool_bytes_from_tokens_is_tokens_times_bytes_each() -> None:
    # 262 144 × 56 KiB = 2¹⁸ × 56 × 2¹⁰ = 14 × 2³⁰
    assert memory.kv_pool_bytes_from_tokens(262_144, 57_344) == 14 * GIB


def test_device_memory_residual_is_the_unexplained_share() -> None:
    # (20 − 14 − 4) ÷ 20
    assert memory.device_memory_residual(20 * GIB, 14 * GIB, 4 * GIB) == 0.1


def test_device_memory_residual_is_negative_where_more_is_explained_than_used() -> None:
    # (16 − 14 − 4) ÷ 16
    assert memory.device_memory_residual(16 * GIB, 14 * GIB, 4 * GIB) == -0.125


def test_kv_pool_ratio_is_compared_over_baseline() -> None:
    # 262 144 ÷ 131 072
    assert memory.kv_pool_ratio(262_144, 131_072) == 2


def test_kv_pool_share_is_of_requests_at_full_length() -> None:
    # 32 × (1024 + 256) ÷ 262 144 = 40 960 ÷ 262 144
    assert memory.kv_pool_share(32, 1024, 256, 262_144) == 0.15625


def test_weights_saved_is_baseline_less_compared() -> None:
    # 14.5 − 4.5 GiB
    assert memory.weights_saved(14.5 * GIB, 4.5 * GIB) == 10 * GIB


def test_kv_pool_bytes_per_token_is_bytes_over_tokens() -> None:
    # 14 GiB ÷ 262 144 = 56 KiB
    assert memory.kv_pool_bytes_per_token(14 * GIB, 262_144) == 57_344


def test_kv_pool_tokens_in_log_are_those_that_the_server_printed() -> None:
    assert memory.kv_pool_tokens_in_log(19_200.0) == 19_200


def test_kv_pool_tokens_in_blocks_are_blocks_times_their_size() -> None:
    assert memory.kv_pool_tokens_in_blocks(1200.0, 16.0) == 19_200  # 1200 × 16
