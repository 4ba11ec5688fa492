from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.declared.profiles import MOST_POINTS
from generator.numeric.statistics import peak
from generator.traffic.arriving import (
    course_of,
    gap_fit,
    gaps_of,
    hours_of,
    in_order,
    most_at_once,
    service_of,
    step_of,
    variation,
    window_of,
)

TIMES = np.array([0.0, 0.5, 1.5, 2.5, 2.6, 2.7, 9.5, 10.0])
MOMENTS = st.lists(st.floats(0, 1000, allow_nan=False), min_size=1, max_size=40)


def test_counts_of_windows() -> None:
    found = window_of(TIMES, 1.0)

    assert found is not None
    # 2, 1, 3, 0, 0, 0, 0, 0, 0, 1: the request at 10.0 is in a window that is not whole
    assert (found.n, found.peak) == (10, 3.0)
    assert found.mean == pytest.approx(0.7)
    assert found.peak_over_mean == pytest.approx(3 / 0.7)
    # squares 4 + 1 + 9 + 1 = 15, less 10 × 0.7², over 9, over 0.7
    assert found.dispersion == pytest.approx((15 - 4.9) / 9 / 0.7)


def test_a_rate_is_told_in_a_second_whatever_the_width() -> None:
    found = window_of(np.arange(0, 101, 0.5), 10.0)

    assert found is not None
    assert (found.mean, found.peak, found.peak_over_mean, found.dispersion) == (2.0, 2.0, 1.0, 0.0)


def test_too_few_windows_and_too_many_are_none() -> None:
    assert window_of(TIMES, 1.1) is None
    assert window_of(np.array([0.0, 1e9]), 1.0) is None


def test_arrivals_of_a_poisson_process_have_a_dispersion_of_one() -> None:
    times = np.cumsum(np.random.default_rng(2).exponential(0.1, 100_000))
    found = window_of(times, 1.0)

    assert found is not None
    # 10,000 windows: √(2 ÷ 10,000) = 0.014
    assert found.dispersion == pytest.approx(1.0, abs=0.05)


@given(MOMENTS)
def test_the_course_counts_every_arrival(moments: list[float]) -> None:
    times = np.sort(np.array(moments))
    course = course_of(times) if times[-1] > times[0] else None

    if course is not None:
        assert sum(course.counts) == len(moments)
        assert len(course.counts) <= MOST_POINTS


def test_the_course_of_years_has_no_more_points() -> None:
    course = course_of(np.array([0.0, 4e9]))

    assert len(course.counts) <= MOST_POINTS
    assert sum(course.counts) == 2


def test_hours_of_the_day_are_counted_over_all_days() -> None:
    # From 23:30 on day one to 01:00 on day three: 25.5 h. 23:00 is there for half an hour and then for a whole one
    begin = 23.5 * 3600
    times = np.array([begin, begin + 60, begin + 3600, begin + 25.5 * 3600])
    hours = hours_of(times, from_first=False)

    assert hours[23] == pytest.approx(2 / 5400)
    assert hours[0] == pytest.approx(1 / 7200)  # at 00:30; both nights are there
    assert hours[12] == 0.0
    assert hours[1] == pytest.approx(1 / 3600)  # the last one, at 01:00 sharp


def test_where_the_hour_is_not_known_days_begin_with_the_first_request() -> None:
    begin = 23.5 * 3600
    hours = hours_of(np.array([begin, begin + 86_400 + 10]), from_first=True)

    # 24 h and 10 s: of the first hour 3,610 s
    assert hours[0] == pytest.approx(2 / 3610)


def test_an_hour_that_the_span_does_not_hold_is_not_known() -> None:
    hours = hours_of(np.array([3600.0, 7200.0]), from_first=False)

    assert hours[1] == pytest.approx(1 / 3600)
    assert hours[5] is None


def test_gaps_and_their_spread() -> None:
    gaps = gaps_of(np.array([0.0, 1.0, 4.0]))

    assert gaps.tolist() == [1.0, 3.0]
    # √((1 + 1) ÷ 1) ÷ 2
    assert variation(gaps) == pytest.approx((2.0, math.sqrt(2) / 2))


def test_how_far_gaps_are_from_a_poisson_process() -> None:
    fit = gap_fit(np.array([1.0, 3.0]), 2.0, math.sqrt(2) / 2)

    assert fit is not None
    # 1 − e^−0.5 = 0.39347 stands against 0 just below the first gap
    assert fit.poisson_ks == pytest.approx(0.39347, abs=1e-5)
    assert fit.shape == pytest.approx(2.0)


def test_the_fits_tell_even_arrivals_from_bursts() -> None:
    rng = np.random.default_rng(3)
    for shape, close in ((1.0, "poisson_ks"), (0.25, "gamma_ks")):
        gaps = np.sort(rng.gamma(shape, 1.0 / shape, 20_000))
        fit = gap_fit(gaps, *variation(gaps))
        assert fit is not None
        assert getattr(fit, close) < 0.03
        assert fit.shape == pytest.approx(shape, rel=0.1)


def test_gaps_that_are_all_alike_have_no_fit() -> None:
    assert gap_fit(np.array([1.0, 1.0]), 1.0, 0.0) is None


def test_how_many_were_under_way() -> None:
    # 0–2, 1–3, 2–4, 5–6: at 2 the first makes room for the third
    found = service_of(np.array([5.0, 0.0, 1.0, 2.0]), np.array([1.0, 2.0, 2.0, 2.0]))

    assert found is not None
    assert (found.n, found.mean_s, found.p50_s, found.in_flight_most) == (4, 1.75, 2.0, 2)


def test_without_times_durations_alone_are_known() -> None:
    found = service_of(np.array([math.nan, math.nan]), np.array([1.0, 3.0]))

    assert found is not None
    assert (found.mean_s, found.in_flight_most) == (2.0, None)
    assert service_of(np.array([1.0]), np.array([math.nan])) is None


@given(st.lists(st.tuples(st.floats(0, 50), st.floats(0, 20)), min_size=1, max_size=60))
def test_the_most_at_once_is_that_of_the_whole(spans: list[tuple[float, float]]) -> None:
    starts = np.sort(np.array([begin for begin, _ in spans]))
    ends = np.sort(np.array([begin + took for begin, took in spans]))

    assert most_at_once(starts, ends) == peak(starts, ends)


def test_numbers_are_put_in_order_without_those_that_are_not_known() -> None:
    assert in_order(np.array([3.0, math.nan, 1.0])).tolist() == [1.0, 3.0]


def test_equal_gaps_that_were_rounded_do_not_vary() -> None:
    # 0.1 s since 2023: floats there are 2.4e-7 s apart, which is 2.4e-6 of a gap
    times = 1_700_000_000 + np.arange(50) / 10
    gaps = gaps_of(times)

    assert variation(gaps)[1] > 1e-7
    average, cv = variation(gaps, step_of(times))
    assert average == pytest.approx(0.1)
    assert cv == 0.0
    assert gap_fit(gaps, 0.1, 0.0) is None


def test_a_step_is_of_the_later_end_of_the_times() -> None:
    # floats in [1024, 2048) are 2**-42 apart, and it is eight of them
    assert step_of(np.array([0.0, 1500.0])) == 2**-39
    assert step_of(np.array([-1500.0, 1.0])) == 2**-39


def test_gaps_that_hardly_vary_have_no_shape() -> None:
    gaps = np.array([1.0, 1.0, 1.0 + 1e-12])
    assert gap_fit(gaps, *variation(gaps)) is None
