from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.render.wording.rounding import exact, half_up, usual_decimals, written
from generator.told.sentence import Style


@pytest.mark.parametrize(
    ("number", "decimals", "text"),
    [
        (681.5, 0, "682"),  # a half goes up, though 682 is even and 681.5 is exact
        (680.5, 0, "681"),  # half to even would give 680
        (0.005, 2, "0.01"),  # the double lies above 0.005 by 1e-19, but what was typed is a half
        (1.005, 2, "1.01"),  # the double lies below 1.005; as typed it is a half
        (-0.5, 0, "−1"),  # away from zero
        (-0.001, 2, "0.00"),  # no negative zero
        (12345.0, 0, "12,345"),
        (63.4, 2, "63.40"),
    ],
)
def test_a_number_is_rounded_half_up_as_it_was_typed(number: float, decimals: int, text: str) -> None:
    assert written(exact(number), decimals, "en") == text


@pytest.mark.parametrize(
    ("number", "style", "digits", "decimals"),
    [
        ("12345", "plain", 3, 0),  # integer digits are never cut
        ("0.47", "plain", 3, 3),  # 0.470
        ("5.84", "plain", 3, 2),
        ("9.996", "plain", 3, 1),  # rounds to 10.0, which has three digits with one decimal
        ("0", "plain", 3, 0),
        ("81.04", "percent", 3, 1),
        ("105.4", "percent", 3, 1),
        ("1234.5", "percent", 3, 0),
        ("0.0751", "percent", 3, 2),  # 0.08 %
        ("0.0042", "percent", 3, 3),  # 0.004 %: two decimals would say 0.00
        ("2.7106", "times", 3, 2),
        ("105.4", "times", 3, 0),
        ("0.0042", "times", 3, 3),
    ],
)
def test_how_many_decimals_a_number_gets(number: str, style: Style, digits: int, decimals: int) -> None:
    assert usual_decimals(Decimal(number), style, digits) == decimals


@pytest.mark.parametrize(
    ("number", "text"),
    [(1e-4, "0.00010"), (9.9e-5, "9.90 × 10⁻⁵"), (1e15, "1.00 × 10¹⁵"), (1.5e300, "1.50 × 10³⁰⁰")],
)
def test_far_from_one_a_number_is_written_as_a_power_of_ten(number: float, text: str) -> None:
    assert written(exact(number), 5, "zh") == text


def test_typed_decimals_beyond_any_double_are_cut() -> None:
    assert written(exact(1.5), 400, "en") == "1.5" + "0" * 19


@given(st.floats(-1e14, 1e14), st.integers(0, 6))
def test_rounding_moves_a_number_by_half_a_step_at_most(number: float, decimals: int) -> None:
    moved = half_up(exact(number), decimals) - exact(number)
    assert abs(moved) <= Decimal(5).scaleb(-decimals - 1)


@given(st.integers(-(10**9), 10**9), st.integers(0, 4))
def test_a_half_always_goes_away_from_zero(whole: int, decimals: int) -> None:
    half = (Decimal(abs(whole)) + Decimal("0.5")).scaleb(-decimals)
    assert half_up(half, decimals) == (Decimal(abs(whole)) + 1).scaleb(-decimals)
    assert half_up(-half, decimals) == -(Decimal(abs(whole)) + 1).scaleb(-decimals)


@given(st.floats(allow_nan=False, allow_infinity=False), st.sampled_from(["plain", "percent", "times"]))
def test_every_double_can_be_written(number: float, style: Style) -> None:
    shown = exact(number)
    assert written(shown, usual_decimals(shown, style, 3), "en").strip("−")[0].isdigit()
