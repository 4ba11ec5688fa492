from __future__ import annotations

import pytest

from generator.metrics import server_counts
from generator.places import record
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "name", "unit"),
    [
        ("warm_up_requests", "requests", "1"),
        ("warm_up_input_tokens", "input_tokens", "tok"),
        ("warm_up_output_tokens", "output_tokens", "tok"),
    ],
)
def test_observed_before_the_clock(key: str, name: str, unit: str) -> None:
    assert read_typed(key, record("warm-up/*/requests.parquet", name, unit), 96) == (96, 96)


def test_observed_among_the_counters_of_the_server() -> None:
    key = "server_cached_prompt_tokens"

    assert read_typed(key, record("level.json", "summary.server_cached_prompt_tokens", "tok"), 128) == (128, 128)


def test_server_output_token_surplus_is_what_the_client_did_not_count() -> None:
    # 360 − 320 − 32
    assert server_counts.server_output_token_surplus(360, 320, 32) == 8


def test_server_prompt_token_surplus_is_negative_where_the_server_counts_fewer() -> None:
    # 600 − 640 − 64
    assert server_counts.server_prompt_token_surplus(600, 640, 64) == -104
