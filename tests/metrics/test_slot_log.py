from __future__ import annotations

import numpy as np
import pytest

from generator.metrics import slot_log
from generator.places import log
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "fact", "unit"),
    [
        ("log_releases", "releases", "1"),
        ("log_prompt_tokens_computed", "prompt_tokens_computed", "tok"),
        ("log_output_tokens", "output_tokens", "tok"),
        ("log_cached_tokens", "cached_tokens", "tok"),
        ("log_truncated", "truncated", "1"),
        ("log_cancelled", "cancelled", "1"),
        ("log_engine_errors", "engine_errors", "1"),
        ("log_draft_tokens", "draft_tokens", "tok"),
        ("log_draft_accepted", "draft_accepted", "tok"),
        ("log_slot_tokens_most", "slot_tokens_most", "tok"),
    ],
)
def test_observed_in_the_log_of_a_run(key: str, fact: str, unit: str) -> None:
    assert read_typed(key, log(fact, unit), 15640) == (15640, 15640)


@pytest.mark.parametrize(
    ("key", "fact", "unit"),
    [
        ("log_truncated_of_series", "truncated", "1"),
        ("log_cancelled_of_series", "cancelled", "1"),
        ("log_engine_errors_of_series", "engine_errors", "1"),
        ("log_releases_of_series", "releases", "1"),
        ("log_slot_tokens_most_of_series", "slot_tokens_most", "tok"),
        ("log_slots_of_series", "slots", "1"),
        ("log_slot_context_of_series", "slot_context", "tok"),
        ("log_kv_pool_bytes_of_series", "kv_pool_bytes", "B"),
        ("log_state_bytes_of_series", "state_bytes", "B"),
        ("log_weights_bytes_of_series", "weights_bytes", "B"),
        ("log_compute_buffer_bytes_of_series", "compute_buffer_bytes", "B"),
    ],
)
def test_observed_in_the_log_of_a_series(key: str, fact: str, unit: str) -> None:
    assert read_typed(key, log(fact, unit, "series"), 4096) == (4096, 4096)


def test_log_releases_of_levels_add_up() -> None:
    # 16 + 24
    assert slot_log.log_releases_of_levels(np.array([16.0, 24.0])) == 40


def test_log_truncated_of_levels_add_up() -> None:
    # 0 + 3 + 2
    assert slot_log.log_truncated_of_levels(np.array([0.0, 3.0, 2.0])) == 5


def test_log_cancelled_of_levels_add_up() -> None:
    assert slot_log.log_cancelled_of_levels(np.array([1.0, 0.0, 4.0])) == 5


def test_log_engine_errors_of_levels_add_up() -> None:
    assert slot_log.log_engine_errors_of_levels(np.array([2.0, 2.0])) == 4
