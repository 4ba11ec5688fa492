from __future__ import annotations

import math

import pytest

from generator.comparing.records import Difference, Estimate, Measured, MethodKey
from generator.render.diff.numbers import amount, chance, difference, interval, percent, threshold
from generator.values import Address
from tests.comparing.two_rounds import DECLARED

ITL, FAILED = DECLARED["itl_p50"], DECLARED["failed"]


def row(base: float | None, head: float | None, method: MethodKey = "welch", bound: float | None = None) -> Difference:
    estimate = Estimate(math.log(1.1), math.log(1.05), math.log(1.16))
    where = Address("itl_p50", "level", "a", "c8")
    sides = Measured(base, 3, 3), Measured(head, 3, 3)
    return Difference(where, "lower", *sides, method, False, 0.02, "worse", estimate=estimate, bound=bound)


def test_an_amount_is_printed_in_its_unit_and_a_count_whole() -> None:
    assert amount(0.02102, ITL, "en") == "21.0"  # s → ms, three digits
    assert amount(8.0, FAILED, "en") == "8"
    assert amount(None, ITL, "en") == "—"


def test_a_difference_has_its_sign() -> None:
    assert difference(row(0.010, 0.012), ITL, "en") == "+2.00"
    assert difference(row(0.012, 0.010), ITL, "en") == "−2.00"
    assert difference(row(0.010, 0.010), ITL, "en") == "0"
    assert difference(row(None, 0.010), ITL, "en") == "—"


@pytest.mark.parametrize(
    ("share", "text"), [(1.919, "+191.9%"), (-0.005653, "−0.6%"), (0.0, "0%"), (None, "—"), (math.inf, "—")]
)
def test_a_share_is_printed_in_hundredths_with_its_sign(share: float | None, text: str) -> None:
    assert percent(share, "en") == text


def test_an_interval_is_one_of_changes() -> None:
    assert interval(row(1.0, 1.1), "en") == "+5.0% … +16.0%"


def test_chances_have_three_digits_and_a_floor() -> None:
    assert chance(0.037749, "en") == "0.0377"
    assert chance(0.00001, "zh") == "< 0.0001"
    assert chance(None, "en") == "—"


def test_the_threshold_is_the_bound_of_the_noise_else_the_margin() -> None:
    assert threshold(row(1.0, 1.1), "en") == "±2.0%"
    assert threshold(row(1.0, 1.1, "noise", 0.05), "en") == "±5.0%"
    assert threshold(row(1.0, 1.1, "exact"), "en") == "—"
