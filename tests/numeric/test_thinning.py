from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.numeric.thinning import LARGEST_KEPT, cloud_rows, distribution, path_rows, quantile_rows


def test_a_small_sample_is_kept_whole() -> None:
    assert quantile_rows(5, 500).tolist() == [0, 1, 2, 3, 4]


def test_a_million_values_are_five_hundred_with_the_largest_as_they_are() -> None:
    rows = quantile_rows(1_000_000, 500)

    assert len(rows) <= 500
    assert rows[0] == 0
    assert rows[-LARGEST_KEPT:].tolist() == list(range(999_980, 1_000_000))
    # 360 rows over a million: none is farther from the next than a 359th, 2786
    assert np.diff(rows).max() <= 1_000_000 / 359 + 1


def test_the_tail_has_rows_of_its_own() -> None:
    # 120 rows over the upper 2 %, and 7 of the 360 that are spread over all: far more than 2 % of 500
    rows = quantile_rows(1_000_000, 500)

    assert (rows >= 980_000).sum() > 120


def test_equal_values_are_one_point_that_counts_them_all() -> None:
    values, shares = distribution(np.array([1.0, 2.0, 2.0, 3.0]), 500)

    assert values.tolist() == [1, 2, 3]
    # 1 of 4; 3 of 4; 4 of 4
    assert shares.tolist() == [0.25, 0.75, 1]


@given(st.lists(st.integers(0, 50), min_size=1, max_size=300), st.integers(60, 400))
def test_each_point_says_how_much_of_the_sample_is_no_larger(numbers: list[int], most: int) -> None:
    ordered = np.sort(np.array(numbers, dtype=np.float64))
    values, shares = distribution(ordered, most)

    assert len(values) <= most
    for value, share in zip(values, shares, strict=True):
        assert share == pytest.approx((ordered <= value).mean())


def test_a_small_cloud_is_put_in_order() -> None:
    assert cloud_rows(np.array([3.0, 1.0, 2.0]), np.zeros(3), 500).tolist() == [1, 2, 0]


def test_no_spike_of_a_large_cloud_is_lost() -> None:
    x = np.arange(100_000.0)
    y = np.sin(x)
    y[[123, 45_678, 99_998]] = 50, -50, 70
    rows = cloud_rows(x, y, 500)

    assert len(rows) <= 500
    assert {123, 45_678, 99_998} <= set(rows.tolist())
    assert (rows[0], rows[-1]) == (0, 99_999)
    assert rows.tolist() == sorted(rows.tolist())


@given(st.integers(0, 3000))
def test_a_cloud_is_never_more_than_asked(count: int) -> None:
    rows = cloud_rows(np.arange(float(count)), np.arange(float(count)) % 7, 400)

    assert len(rows) == len(set(rows.tolist())) <= 400
    assert len(rows) == count or count > 400


def test_a_straight_path_needs_its_ends_alone() -> None:
    x = np.arange(10.0)

    assert path_rows(x, 2 * x, 80, 0.1).tolist() == [0, 9]


def test_a_corner_is_kept() -> None:
    assert path_rows(np.array([0.0, 5, 10]), np.array([0.0, 4, 0]), 80, 0.1).tolist() == [0, 1, 2]


def test_what_is_left_out_is_off_by_no_more_than_allowed() -> None:
    x = np.linspace(0, 100, 1000)
    y = 40 * np.sin(x / 15)
    rows = path_rows(x, y, 80, 0.3)

    assert len(rows) < 80
    assert np.abs(np.interp(x, x[rows], y[rows]) - y).max() < 1


def test_of_a_rough_path_the_worst_corners_are_kept_first() -> None:
    y = np.zeros(101)
    y[[20, 50, 80]] = 3, 90, 30
    rows = path_rows(np.arange(101.0), y, 5, 0.1)

    assert len(rows) == 5
    assert 50 in rows.tolist()


def test_a_path_that_returns_to_where_it_began_is_no_point() -> None:
    assert path_rows(np.array([0.0, 3, 0]), np.array([0.0, 4, 0]), 80, 0.1).tolist() == [0, 1, 2]
