from __future__ import annotations

import pytest

from generator.runs.starts import COLD, WARM, starts_in, state_of
from tests.support.memory_round import address, observation


@pytest.mark.parametrize(
    ("resident", "state"),
    [
        (0.0, "cold"),
        (0.05, "cold"),
        (0.06, "unknown"),
        (0.94, "unknown"),
        (0.95, "warm"),
        (1.0, "warm"),
        (None, "unknown"),
    ],
)
def test_a_start_is_cold_warm_or_neither(resident: float | None, state: str) -> None:
    assert state_of(resident) == state


def test_the_thresholds_are_those_that_the_section_says() -> None:
    assert COLD == 1 / 20
    assert pytest.approx(0.95) == WARM


def test_starts_are_found_by_the_numbers_of_their_sessions() -> None:
    seen = [
        observation(address("cold_start_t1", "series", "b", trial=10), 1.0),
        observation(address("cold_start_t1", "series", "b", trial=2), 1.0),
        observation(address("cold_start_healthy", "series", "b", trial=2), 1.0),
        observation(address("cold_start_t1", "series", "a"), 1.0),  # that of a series as a whole is none of them
        observation(address("completed", "level", "a", "c1", trial=1), 1.0),
    ]
    assert starts_in(seen) == {"b": (2, 10)}
