from __future__ import annotations

import math

import numpy as np
import pytest

from generator.comparing.change_points import ChangePoint, change_points

NOISE = np.random.default_rng(1).normal(size=200) * 0.01


def steps(*lengths_and_levels: tuple[int, float]) -> list[float]:
    levels = np.concatenate([np.full(length, level) for length, level in lengths_and_levels])
    return [float(one) for one in levels * np.exp(NOISE[: len(levels)])]


def test_a_step_is_found_with_its_size() -> None:
    # 30 rounds at 100 and 20 at 90: −10 %, give or take the noise of both means, 1 % ÷ √30 and 1 % ÷ √20.
    (found,) = change_points(steps((30, 100.0), (20, 90.0)))
    assert found.index == 30
    assert found.change == pytest.approx(-0.1, abs=0.01)


def test_several_steps_are_found_in_order() -> None:
    found = change_points(steps((20, 100.0), (20, 110.0), (20, 95.0)))
    assert [one.index for one in found] == [20, 40]
    assert [one.change > 0 for one in found] == [True, False]


def test_without_a_step_nothing_is_found() -> None:
    assert change_points(steps((200, 100.0))) == []
    assert change_points([100.0] * 50) == []


def test_one_odd_round_is_no_new_level() -> None:
    values = steps((40, 100.0))
    values[20] *= 1.1
    assert change_points(values) == []


def test_rounded_numbers_do_not_make_every_digit_a_step() -> None:
    # Most neighbours are equal, so the median difference is nought; steps of 0.1 % still are no news.
    assert change_points([1000.0] * 10 + [1001.0] * 10 + [1000.0] * 10) == []
    assert [one.index for one in change_points([1000.0] * 10 + [1100.0] * 10)] == [10]


def test_too_few_rounds_have_no_history() -> None:
    assert change_points([100.0, 100.0, 200.0, 200.0, 200.0]) == []
    assert [one.index for one in change_points([100.0] * 3 + [200.0] * 3)] == [3]


def test_a_change_is_the_ratio_of_both_levels() -> None:
    assert ChangePoint(3, math.log(1.5)).change == pytest.approx(0.5)


def test_the_split_is_the_cheapest_of_all() -> None:
    # All splits of twelve rounds into one or two stretches of three and more, by hand.
    values = steps((5, 100.0), (7, 108.0))
    logs = np.log(values)

    def cost(start: int, end: int) -> float:
        return float(((logs[start:end] - logs[start:end].mean()) ** 2).sum())

    best = min(range(3, 10), key=lambda at: cost(0, at) + cost(at, 12))
    assert [one.index for one in change_points(values)] == [best]
