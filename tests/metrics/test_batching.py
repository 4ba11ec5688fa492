from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.kinds import Answer, Picked, Unknown
from generator.metrics import architecture, batching


def cost(steps: list[float], decoded: list[float], lengths: list[float]) -> Answer:
    """Return the marginal step cost of levels, each with its step, the requests decoded together and their length."""
    return batching.marginal_step_cost(np.array(steps), np.array(decoded), np.array(lengths))


def test_marginal_step_cost_is_the_slope_from_the_lowest_to_the_highest_level() -> None:
    # (16 ms − 10 ms) ÷ (13 − 1) = 6 ms ÷ 12; the level between does not count
    slope = cost([0.010, 0.5, 0.016], [1.0, 8.0, 13.0], [320.0] * 3)

    assert isinstance(slope, Picked)
    assert slope.value == pytest.approx(0.0005)
    assert slope.rows == (0, 2)


def test_marginal_step_cost_of_two_levels() -> None:
    # (20 ms − 10 ms) ÷ (6 − 1)
    slope = cost([0.010, 0.020], [1.0, 6.0], [320.0] * 2)

    assert isinstance(slope, Picked)
    assert slope.value == pytest.approx(0.002)
    assert slope.rows == (0, 1)


def test_marginal_step_cost_of_one_level_is_unknown() -> None:
    assert cost([0.010], [1.0], [1.0]) is batching.ONE_LEVEL


def test_marginal_step_cost_is_between_levels_of_one_length() -> None:
    # in157/out64 is 221 tokens, in2077/out256 is 2333: of C=4 and C=4 each has one level of its own kind, and
    # the longest stretch of one kind is from C=1 to C=8: (14 ms − 7 ms) ÷ 7
    slope = cost([0.007, 0.012, 0.019, 0.014], [1.0, 4.0, 4.0, 8.0], [221.0, 221.0, 2333.0, 221.0])

    assert isinstance(slope, Picked)
    assert slope.value == pytest.approx(0.001)
    assert slope.rows == (0, 3)


def test_marginal_step_cost_of_unlike_lengths_is_unknown() -> None:
    answer = cost([0.007, 0.019], [1.0, 4.0], [221.0, 2333.0])

    assert answer is batching.NO_TWO_ALIKE


def test_marginal_step_cost_of_counted_lengths_is_scaled_to_the_first() -> None:
    # (20 ms − 10 ms) ÷ (6 − 1) × 200 ÷ 208, as lengths of 200 and 208 tokens are within 5 %
    slope = cost([0.010, 0.020], [1.0, 6.0], [200.0, 208.0])

    assert isinstance(slope, Picked)
    assert slope.value == pytest.approx(0.002 * 200 / 208)


def test_requests_that_wait_add_nothing_to_a_step() -> None:
    # Four slots: at C=4 and C=12 a step decodes 4. (16 ms − 10 ms) ÷ (4 − 1), not ÷ (12 − 1), which is 0.55 ms.
    slope = cost([0.010, 0.016, 0.016], [1.0, 4.0, 4.0], [320.0] * 3)

    assert isinstance(slope, Picked)
    assert slope.value == pytest.approx(0.002)
    assert slope.rows == (0, 1)


@pytest.mark.parametrize("last", [0.010, 0.008], ids=["level", "falling"])
def test_a_step_that_does_not_rise_has_no_cost(last: float) -> None:
    answer = cost([0.010, last], [1.0, 6.0], [320.0] * 2)

    assert answer is batching.NO_RISE


def test_marginal_floor_is_the_kv_of_one_more_request_over_the_bandwidth() -> None:
    # 1000 × 50 kB ÷ 1 TB/s = 50 MB ÷ 1 TB/s
    assert batching.marginal_floor(np.full(3, 1000 * 50e3), 1e12) == pytest.approx(50e-6)


def test_marginal_floor_of_a_model_with_windows_counts_what_they_reach() -> None:
    # 1,000 tokens of context, 100 B a token of layers that keep all, 500 B of layers that keep 200 tokens:
    # 1000 × 100 + 200 × 500 = 200 kB, ÷ 1 GB/s = 0.2 ms. Without the windows it would be 0.1 ms.
    kept = architecture.kv_bytes_of_sequence(50, 1000, 250, 200, 2, 0)
    assert batching.marginal_floor(np.array([kept, kept]), 1e9) == pytest.approx(0.2e-3)


def test_marginal_floor_is_unknown_where_contexts_differ() -> None:
    answer = batching.marginal_floor(np.array([50e6, 50e6, 100e6]), 1e12)

    assert isinstance(answer, Unknown)
    assert "differ" in answer.reason.en


def test_marginal_cost_over_floor_is_cost_over_floor() -> None:
    # 0.5 ms ÷ 0.1 ms
    assert batching.marginal_cost_over_floor(0.0005, 0.0001) == pytest.approx(5)


@given(factor=st.floats(min_value=1e-3, max_value=1e3))
def test_slower_steps_cost_more_alike(factor: float) -> None:
    slope = cost([0.010 * factor, 0.016 * factor], [1.0, 13.0], [320.0] * 2)

    assert isinstance(slope, Picked)
    assert slope.value == pytest.approx(0.0005 * factor)
