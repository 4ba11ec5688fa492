from __future__ import annotations

import pytest

from generator.kinds import record
from generator.metrics import cold_start
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("cold_start_t1", "port_s"),
        ("cold_start_first_token", "first_token_s"),
        ("cold_start_first_completion", "first_completion_s"),
    ],
)
def test_observed_in_the_record_of_the_start(key: str, name: str) -> None:
    assert read_typed(key, record("cold_start.json", name, "s"), 12.5) == (12.5, 12.5)


def test_observed_starts_are_counted_in_the_sessions() -> None:
    key = "cold_starts"

    assert read_typed(key, record("sessions/*", "cold_start.json", "1"), 2) == (2, 2)


def test_cold_start_t2_is_from_the_port_to_the_first_token() -> None:
    # 61.5 s after the spawn, 20 of them before the port
    assert cold_start.cold_start_t2(cold_start_first_token=61.5, cold_start_t1=20) == 41.5


def test_cold_start_t3_is_from_the_port_to_the_first_completion() -> None:
    # 64.25 s after the spawn, 20 of them before the port
    assert cold_start.cold_start_t3(cold_start_first_completion=64.25, cold_start_t1=20) == 44.25
