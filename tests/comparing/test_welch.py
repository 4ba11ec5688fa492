from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from generator.comparing import welch
from generator.comparing.records import DEFAULT_MARGIN

BASE = np.exp([0.00, 0.02, 0.04])
HEAD = np.exp([0.10, 0.12, 0.14])
numbers = st.lists(st.floats(1.0, 1e6), min_size=2, max_size=6)


def test_the_contrast_is_the_one_of_the_textbook() -> None:
    # Logs 0, 0.02, 0.04 and 0.10, 0.12, 0.14: means 0.02 and 0.12, each variance 0.0004, and 0.0004 ÷ 3 of its mean.
    # Error √(2 × 0.0004 ÷ 3) = 0.016330; with alike variances of three trials there are 2 + 2 = 4 degrees of freedom.
    found = welch.contrast(BASE, HEAD)
    assert found.log_ratio == pytest.approx(0.1)
    assert found.error == pytest.approx(0.0163299, rel=1e-5)
    assert found.freedom == pytest.approx(4.0)


def test_interval_and_p_follow_from_it() -> None:
    # t = 0.1 ÷ 0.016330 = 6.1237; t(4) at 97.5 % is 2.7764, so the interval is 0.1 ± 0.045340; both tails: p = 0.0036.
    found = welch.estimate(BASE, HEAD, DEFAULT_MARGIN)
    assert found is not None
    assert found.interval == pytest.approx((math.exp(0.1 - 0.0453396), math.exp(0.1 + 0.0453396)), rel=1e-5)
    assert found.p == pytest.approx(0.00360, abs=5e-5)
    assert found.ratio == pytest.approx(math.exp(0.1))


def test_scipy_says_the_same_of_unlike_sides() -> None:
    base, head = np.array([100.0, 103.0, 99.0, 104.0]), np.array([110.0, 118.0, 104.0])
    theirs = stats.ttest_ind(np.log(head), np.log(base), equal_var=False)
    found = welch.estimate(base, head, DEFAULT_MARGIN)
    assert found is not None
    assert found.p == pytest.approx(float(theirs.pvalue))
    limits = theirs.confidence_interval(0.95)
    assert (found.log_low, found.log_high) == pytest.approx((limits.low, limits.high))


def test_the_sides_are_shown_to_be_the_same_when_both_limits_of_the_margin_are_excluded() -> None:
    # Apart by 0.1, twice the margin: nothing suggests that they are the same. t = (ln 1.05 − 0.1) ÷ 0.01633 = −3.136.
    far = welch.p_same(welch.contrast(BASE, HEAD), 0.05)
    assert far == pytest.approx(float(stats.t.cdf(3.1360, 4)), abs=1e-4)
    # Not apart at all: t = ln 1.05 ÷ 0.01633 = 2.988 on either side; the upper tail of t(4) is 0.0202.
    assert welch.p_same(welch.contrast(BASE, BASE), 0.05) == pytest.approx(0.0202, abs=1e-4)
    # The usual way to say it: the 90 % interval, ± 2.1318 × 0.01633 = ± 0.03481, lies within ± ln 1.05 = ± 0.04879.
    assert welch.half_width(welch.contrast(BASE, BASE), 0.9) == pytest.approx(0.034812, rel=1e-4)


def test_a_difference_of_the_detectable_size_is_found_four_times_of_five() -> None:
    found = welch.contrast(BASE, HEAD)
    shift = float(welch.detectable(found) / found.error)
    critical = float(stats.t.ppf(0.975, 4))
    assert 1 - float(stats.nct.cdf(critical, 4, shift)) == pytest.approx(0.8, abs=1e-6)
    assert welch.estimate(BASE, HEAD, 0.05).detectable == pytest.approx(math.expm1(shift * 0.0163299), rel=1e-4)  # type: ignore[union-attr]


def test_trials_without_any_spread_have_no_noise_to_hold_a_difference_against() -> None:
    assert welch.estimate(np.array([100.0, 100.0]), np.array([101.0, 101.0]), DEFAULT_MARGIN) is None


def test_many_comparisons_are_one_computation() -> None:
    found = welch.contrast(np.stack([BASE, HEAD]), np.stack([HEAD, HEAD]))
    assert welch.p_different(found) == pytest.approx([0.00360, 1.0], abs=5e-5)


@given(base=numbers, head=numbers)
def test_swapped_sides_change_signs_and_nothing_else(base: list[float], head: list[float]) -> None:
    there = welch.estimate(np.array(base), np.array(head), DEFAULT_MARGIN)
    back = welch.estimate(np.array(head), np.array(base), DEFAULT_MARGIN)
    if there is None or back is None:
        assert there is back
        return
    assert there.log_low is not None
    assert there.log_high is not None
    assert (back.log_ratio, back.log_low, back.log_high) == (-there.log_ratio, -there.log_high, -there.log_low)
    assert (back.p, back.p_same, back.log_detectable) == (there.p, there.p_same, there.log_detectable)
