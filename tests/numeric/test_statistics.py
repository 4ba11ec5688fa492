from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.numeric.statistics import (
    Numbers,
    count_below,
    count_between,
    counted_order,
    dealt_out,
    formula,
    longest_quiet,
    mean,
    overlapped,
    peak,
    percentile,
    statistic,
)

AMOUNTS = st.floats(min_value=0, max_value=1e6)
SAMPLES = st.lists(AMOUNTS, min_size=1, max_size=40).map(lambda amounts: np.array(sorted(amounts)))
FEW_MOMENTS = st.integers(0, 6).map(float)
"""Moments so few that many fall together."""
INTERVALS = st.lists(st.tuples(FEW_MOMENTS, FEW_MOMENTS).map(sorted), min_size=1, max_size=12)


def numbers(*amounts: float) -> Numbers:
    return np.array(amounts, dtype=np.float64)


def test_mean_is_arithmetic() -> None:
    # (1 + 2 + 6) ÷ 3
    assert mean(numbers(1, 2, 6)) == 3


# Percentiles


@pytest.mark.parametrize(
    ("percent", "expected"),
    [
        (0, 100),
        (50, 1050),  # rank 0.5 × 19 = 9.5: half way from 1000 to 1100
        (90, 1810),  # rank 17.1: 1800 + 0.1 × 100
        (99, 1981),  # rank 18.81: 1900 + 0.81 × 100
        (100, 2000),
    ],
)
def test_percentile_lies_between_the_two_nearest_ranks(percent: float, expected: float) -> None:
    twenty = numbers(*range(100, 2100, 100))

    assert percentile(twenty, percent) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("percent", [0, 50, 99, 100])
def test_every_percentile_of_one_number_is_that_number(percent: float) -> None:
    assert percentile(numbers(7), percent) == 7


@given(SAMPLES, st.floats(0, 100))
def test_percentile_is_that_of_numpy(ordered: Numbers, percent: float) -> None:
    expected = np.percentile(ordered, percent, method="linear")

    assert percentile(ordered, percent) == pytest.approx(expected, rel=1e-12, abs=1e-9)


def test_a_statistic_is_taken_and_written_by_its_name() -> None:
    sample = numbers(1, 2, 6)

    assert (statistic("mean", sample), formula("mean", "x")) == (3, "mean(x)")
    # rank 0.9 × 2 = 1.8: 2 + 0.8 × (6 − 2)
    assert statistic("p90", sample) == pytest.approx(5.2)
    assert formula("p90", "x") == "percentile(x, 90)"


# Counts


def test_count_between_leaves_out_where_it_begins_and_takes_in_where_it_ends() -> None:
    assert count_between(numbers(1, 2, 2, 3, 4), 2, 4) == 2
    assert count_between(numbers(1, 2, 2, 3, 4), 1, 2) == 2


def test_count_below_leaves_out_the_limit() -> None:
    assert count_below(numbers(1, 2, 2, 3), 2) == 1
    assert count_below(numbers(1, 2, 2, 3), 2.5) == 3


@given(SAMPLES, AMOUNTS, AMOUNTS)
def test_counts_are_those_of_a_loop(ordered: Numbers, one: float, other: float) -> None:
    begins, ends = sorted((one, other))

    assert count_between(ordered, begins, ends) == sum(begins < amount <= ends for amount in ordered)
    assert count_below(ordered, one) == sum(amount < one for amount in ordered)


@given(SAMPLES)
def test_counts_at_the_numbers_themselves(ordered: Numbers) -> None:
    first, last = float(ordered[0]), float(ordered[-1])

    assert count_below(ordered, first) == 0
    assert count_between(ordered, first, last) == sum(amount > first for amount in ordered)


# The most at once


def peak_of(*intervals: tuple[float, float]) -> int:
    starts, ends = (numbers(*sorted(side)) for side in zip(*intervals, strict=True))
    return peak(starts, ends)


def test_what_ends_makes_room_for_what_starts_at_that_moment() -> None:
    assert peak_of((0, 0.5), (0, 0.5), (0.5, 1), (0.5, 1)) == 2


def test_overlaps_are_counted_at_their_largest() -> None:
    # At 2: the first, the second and the third; the fourth begins when two of them have ended.
    assert peak_of((0, 5), (1, 3), (2, 3), (4, 6)) == 3


def test_one_alone_is_one() -> None:
    assert peak_of((3, 4)) == 1


def test_what_ends_as_it_starts_was_never_under_way() -> None:
    assert peak_of((3, 3)) == 0


@given(INTERVALS)
def test_peak_is_the_largest_overlap_at_any_start(intervals: list[list[float]]) -> None:
    moments = [begin for begin, _ in intervals]
    most = max(sum(begin <= moment < end for begin, end in intervals) for moment in moments)

    assert peak_of(*((begin, end) for begin, end in intervals)) == most


@given(INTERVALS)
def test_peak_is_the_largest_overlap_at_any_moment_at_all(intervals: list[list[float]]) -> None:
    halves = [half / 2 for half in range(14)]  # between the moments nothing changes
    most = max(sum(begin <= moment < end for begin, end in intervals) for moment in halves)

    assert peak_of(*((begin, end) for begin, end in intervals)) == most


def test_peak_of_many_is_found_without_looking_at_all_pairs() -> None:
    # Each of a million lasts three steps: three are under way from the third on.
    starts = np.arange(1_000_000, dtype=np.float64)

    assert peak(starts, starts + 3) == 3


def test_the_longest_quiet_is_while_something_is_under_way() -> None:
    # Something came at 1, 2 and 9, from 0 to 2 and from 8 to 9 something was under way: 1 s each, the first counts.
    came, starts, ends = np.array([1.0, 2.0, 9.0]), np.array([0.0, 8.0]), np.array([2.0, 9.0])

    assert longest_quiet(came, starts, ends) == (0.0, 1.0)


def test_quiet_lasts_on_where_another_is_still_under_way() -> None:
    # The second, from 1 to 9, is under way when the first ends at 2: nothing came from 2 to 9.
    came, starts, ends = np.array([1.0, 2.0, 9.0]), np.array([0.0, 1.0]), np.array([2.0, 9.0])

    assert longest_quiet(came, starts, ends) == (2.0, 7.0)


def test_spans_overlap_others_by_more_than_an_end() -> None:
    # Others from 1 to 2 and from 4 to 6. From 0 to 1 and from 2 to 4 they only touch.
    begins, ends = np.array([0.0, 0.5, 2.0, 4.5, 6.0]), np.array([1.0, 3.0, 4.0, 5.0, 7.0])

    assert overlapped(begins, ends, np.array([1.0, 4.0]), np.array([2.0, 6.0])).tolist() == [
        False,
        True,
        False,
        True,
        False,
    ]


def test_whole_amounts_are_dealt_out_as_equally_as_they_can_be() -> None:
    # 5 in 2 shares: units 0, 1, 2 fall into share ⌊2 × n ÷ 5⌋ = 0, units 3 and 4 into 1; 2 in 3: into 0 and 1.
    assert dealt_out(np.array([5, 2]), np.array([2, 3])).tolist() == [3, 2, 1, 1, 0]


def test_numbers_are_ordered_by_counting_also_where_some_are_large() -> None:
    assert counted_order(np.array([3, 900_000, 1, 3], dtype=np.int32)).tolist() == [1, 3, 3, 900_000]


def test_spans_that_overlap_by_no_more_than_rounding_do_not() -> None:
    # From 0 to 1 beside 0.9 to 2: by 0.1
    one = (np.array([0.0]), np.array([1.0]), np.array([0.9]), np.array([2.0]))

    assert [bool(overlapped(*one, by)[0]) for by in (0.0, 0.05, 0.1, 0.2)] == [True, True, False, False]
