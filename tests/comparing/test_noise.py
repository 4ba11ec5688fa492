from __future__ import annotations

import math

import pytest

from generator.comparing.noise import bound_of


def test_the_bound_is_the_outer_fence_of_past_changes() -> None:
    # Ten changes, of 1 % to 10 % in logarithms: quartiles at 3.25 % and 7.75 %, the fence at 7.75 + 3 × 4.5 = 21.25 %.
    values = [1.0]
    for percent in range(1, 11):
        values.append(values[-1] * math.exp((-1) ** percent * percent / 100))
    assert bound_of([values]) == pytest.approx(0.2125)


def test_of_few_rounds_no_bound_is_taken() -> None:
    assert bound_of([[100.0] * 10]) is None
    assert bound_of([[100.0] * 11]) == 0.0
    assert bound_of([]) is None


def test_changes_of_two_settings_count_together_but_not_the_step_between_them() -> None:
    assert bound_of([[100.0] * 6, [200.0] * 6]) == 0.0


def test_a_round_without_a_ratio_is_left_out() -> None:
    assert bound_of([[100.0, 0.0] * 11]) == 0.0
