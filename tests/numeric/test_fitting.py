"""Polynomials through points."""

from __future__ import annotations

import math

import numpy as np
import pytest

from generator.numeric.fitting import polynomial


def test_a_line_that_misses_its_points_tells_by_how_much() -> None:
    fit = polynomial(np.array([0.0, 1.0, 2.0, 3.0]), np.array([1.0, 3.0, 4.0, 8.0]), 1)

    # means 1.5 and 4; Sxy = 1.5 × 3 + 0.5 × 1 + 0.5 × 0 + 1.5 × 4 = 11, Sxx = 5: b = 2.2, a = 4 − 3.3 = 0.7
    assert fit.coefficients == pytest.approx((0.7, 2.2))
    # without each point in turn a is 0, 27 ÷ 42, 6 ÷ 7 and 7 ÷ 6, and b is 2.5, 31 ÷ 14, 33 ÷ 14 and 1.5
    moved_a = (0.7, 0.7 - 27 / 42, 6 / 7 - 0.7, 7 / 6 - 0.7)
    moved_b = (0.3, 31 / 14 - 2.2, 33 / 14 - 2.2, 0.7)
    assert fit.errors == pytest.approx((math.hypot(*moved_a), math.hypot(*moved_b)))
    # left over 0.3, 0.1, −1.1, 0.7: squares 1.8; the squares about the mean: 9 + 1 + 0 + 16 = 26
    assert fit.r2 == pytest.approx(1 - 1.8 / 26)
    assert fit.at(10) == pytest.approx(22.7)


def test_a_parabola_is_found_exactly_also_where_its_terms_are_far_apart() -> None:
    tokens = np.array([32.0, 512.0, 2048.0, 32768.0, 131072.0])

    fit = polynomial(tokens, 8e-3 + 85e-6 * tokens + 1.5e-9 * tokens**2, 2)

    assert fit.coefficients == pytest.approx((8e-3, 85e-6, 1.5e-9), rel=1e-6)
    assert fit.r2 == pytest.approx(1)


def test_through_as_many_points_as_terms_no_error_is_known() -> None:
    fit = polynomial(np.array([1.0, 2.0]), np.array([3.0, 5.0]), 1)

    assert fit.coefficients == pytest.approx((1, 2))
    assert all(math.isnan(error) for error in fit.errors)


@pytest.mark.parametrize("height", [5.0, 0.1])  # 3 × 0.1 ÷ 3 is not 0.1
def test_of_what_does_not_vary_no_share_can_be_told(height: float) -> None:
    assert math.isnan(polynomial(np.array([1.0, 2.0, 3.0]), np.array([height] * 3), 1).r2)


def test_points_on_a_line_leave_no_error_also_where_one_lies_far_off() -> None:
    points = np.array([21.0, 1.5, 2.0])

    assert polynomial(points, points, 1).errors == (0, 0)


def test_a_point_far_off_leaves_the_errors_their_digits() -> None:
    fit = polynomial(np.array([2.0, 2.375, 3.0, 19.0]), np.array([2.0, 5.0, 3.0, 4.0]), 2)

    # Three points fix a parabola: its last term is how much one slope is above the other, over the width of both.
    # Slopes: 3 ÷ 0.375 = 8, −2 ÷ 0.625 = −3.2, 1 ÷ 16, and −1 ÷ 16.625 and 1 ÷ 1 past a point.
    without = ((1 / 16 + 3.2) / 16.625, (1 / 16 - 1) / 17, (-1 / 16.625 - 8) / 17, (-3.2 - 8) / 1)
    moved = [term - fit.coefficients[2] for term in without]
    assert fit.errors[2] == pytest.approx(math.hypot(*moved), rel=1e-12)


@pytest.mark.parametrize("x", [[1.0, 1.0, 1.0], [0.0, 0.0]])
def test_one_place_fixes_no_line(x: list[float]) -> None:
    with pytest.raises(ValueError, match=r"^$"):
        polynomial(np.array(x), np.arange(float(len(x))), 1)


def test_a_point_on_which_the_curve_stands_leaves_its_error_unknown() -> None:
    # Without the point at 9 there is one place left, which fixes no line.
    fit = polynomial(np.array([1.0, 1.0, 1.0, 9.0]), np.array([2.0, 3.0, 4.0, 8.0]), 1)

    assert fit.coefficients == pytest.approx((3 - 5 / 8, 5 / 8))
    assert all(math.isnan(error) for error in fit.errors)
