from __future__ import annotations

from fractions import Fraction
from math import comb

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.comparing.exact import Failures, is_even, p_value, pooled

counts = st.integers(1, 400).flatmap(lambda sent: st.tuples(st.integers(0, sent), st.just(sent)))


def test_eight_of_320_against_one_of_320_has_the_exact_p() -> None:
    # Of 9 failures among 640, k fall to one side with probability C(320, k) × C(320, 9 − k) ÷ C(640, 9). No likelier
    # than 8 to 1 are 8 to 1, 9 to 0 and their mirror images: 2 × (320 × C(320, 8) + C(320, 9)) ÷ C(640, 9) = 0.0377.
    exact = Fraction(2 * (320 * comb(320, 8) + comb(320, 9)), comb(640, 9))
    assert p_value(Failures(8, 320), Failures(1, 320)) == pytest.approx(float(exact), rel=1e-9)
    assert p_value(Failures(8, 320), Failures(1, 320)) == pytest.approx(0.0377, abs=5e-5)


def test_no_failure_on_either_side_says_nothing() -> None:
    assert p_value(Failures(0, 320), Failures(0, 320)) == 1.0


def test_one_failure_is_no_difference() -> None:
    # One failure falls to either side with the same chance: both splits are as likely, so p = 1.
    assert p_value(Failures(1, 320), Failures(0, 320)) == pytest.approx(1.0)


def test_trials_are_added_up() -> None:
    assert pooled([Failures(1, 100), Failures(2, 110)]) == Failures(3, 210)


def test_a_burst_of_failures_in_one_trial_is_noticed() -> None:
    # 10 of each 100 are expected. 0, 0 and 30 of them: χ² = (10² + 10² + 20²) × (1 ÷ 10 + 1 ÷ 90) = 66.7, where 5.99
    # is rare. 9, 10 and 11: χ² = (1 + 0 + 1) × (1 ÷ 10 + 1 ÷ 90) = 0.22.
    assert not is_even([Failures(0, 100), Failures(0, 100), Failures(30, 100)])
    assert is_even([Failures(9, 100), Failures(10, 100), Failures(11, 100)])


def test_one_trial_or_none_that_failed_is_even() -> None:
    assert is_even([Failures(5, 100)])
    assert is_even([Failures(0, 100), Failures(0, 100)])
    assert is_even([Failures(100, 100), Failures(100, 100)])


@given(base=counts, head=counts)
def test_swapped_sides_have_the_same_p(base: tuple[int, int], head: tuple[int, int]) -> None:
    assert p_value(Failures(*base), Failures(*head)) == p_value(Failures(*head), Failures(*base))
