from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.traffic.lengths import (
    binned,
    characters_of,
    counted,
    lengths_of,
    lognormal_distance,
    lognormal_fit,
    percentile,
    related,
)

FEW = np.array([3.0, 1.0, 10.0, 2.0, 4.0])


def test_statistics_of_a_few_lengths() -> None:
    found = lengths_of(counted(FEW))

    assert found is not None
    # 20 ÷ 5; √((9 + 4 + 1 + 0 + 36) ÷ 4)
    assert (found.n, found.mean, found.max) == (5, 4.0, 10.0)
    assert found.sd == pytest.approx(math.sqrt(12.5))
    # ranks 0.2, 1, 2, 3, 3.6, 3.8 and 3.96 of 1, 2, 3, 4, 10
    assert (found.p5, found.p25, found.p50, found.p75) == pytest.approx((1.2, 2.0, 3.0, 4.0))
    assert (found.p90, found.p95, found.p99) == pytest.approx((7.6, 8.8, 9.76))


@given(st.lists(st.integers(1, 5000), min_size=1, max_size=80), st.floats(0, 100))
def test_percentiles_are_those_of_numpy(lengths: list[int], percent: float) -> None:
    counts = counted(np.array(lengths, np.float64))

    assert percentile(counts, percent) == pytest.approx(float(np.percentile(lengths, percent)))


def test_what_is_not_known_and_what_is_nought_has_no_length() -> None:
    assert counted(np.array([math.nan, 0.0, 2.0])).tolist() == [0, 0, 1]
    assert lengths_of(counted(np.array([math.nan, 0.0]))) is None
    assert characters_of(counted(np.empty(0))) is None


def test_bins_are_alike_on_a_log_axis_and_leave_nothing_out() -> None:
    bins = binned(counted(np.array([1.0, 2.0, 3.0, 5.0, 8.0])))

    # 2^0, 2^0.5, 2^1, … rounded; 8 lies in the bin that begins with it
    assert list(bins.edges) == [1, 2, 3, 4, 6, 8, 11]
    assert list(bins.counts) == [1, 1, 1, 1, 0, 1]


@given(st.lists(st.integers(1, 100_000), min_size=1, max_size=50))
def test_every_length_is_in_a_bin(lengths: list[int]) -> None:
    bins = binned(counted(np.array(lengths, np.float64)))

    assert sum(bins.counts) == len(lengths)
    assert list(bins.edges) == sorted(set(bins.edges))


def test_a_fit_of_two_lengths() -> None:
    fit = lognormal_fit(counted(np.array([1.0, 100.0])))

    assert fit is not None
    # ln 1 = 0 and ln 100 = 4.60517: the mean is half of that, and so is the deviation
    assert (fit.mu, fit.sigma) == pytest.approx((2.302585, 2.302585))
    # below 100 the curve of the lengths stands at 0.5, and Φ((ln 99.5 − μ) ÷ σ) = Φ(0.99782) = 0.84082
    assert fit.ks == pytest.approx(0.34082, abs=1e-4)


def test_a_fit_finds_what_lengths_were_drawn_from() -> None:
    drawn = np.maximum(1, np.rint(np.random.default_rng(1).lognormal(6, 1, 50_000)))
    fit = lognormal_fit(counted(drawn))

    assert fit is not None
    assert (fit.mu, fit.sigma) == pytest.approx((6, 1), abs=0.02)
    assert fit.ks < 0.01
    assert lognormal_distance(counted(drawn), 7, 1) > 0.3


def test_lengths_that_are_all_alike_have_no_fit() -> None:
    assert lognormal_fit(counted(np.array([7.0, 7.0]))) is None


def test_lengths_that_grow_together() -> None:
    share, plain, of_logs = related(np.array([1.0, 2.0, 3.0, 9.0]), np.array([2.0, 4.0, 6.0, 0.0]))

    # 12 of 18 tokens; the last has no answer
    assert share == pytest.approx(12 / 18)
    assert (plain, of_logs) == pytest.approx((1.0, 1.0))


def test_a_length_that_does_not_vary_correlates_with_nothing() -> None:
    share, plain, _ = related(np.array([1.0, 2.0]), np.array([4.0, 4.0]))

    assert share == pytest.approx(8 / 11)
    assert plain is None
    assert related(np.array([math.nan]), np.array([1.0])) == (None, None, None)


@given(st.lists(st.tuples(st.integers(1, 500), st.integers(1, 500)), min_size=3, max_size=40))
def test_correlations_are_those_of_numpy(pairs: list[tuple[int, int]]) -> None:
    a, b = (np.array(column, np.float64) for column in zip(*pairs, strict=True))
    _, plain, _ = related(a, b)

    if plain is not None:
        assert plain == pytest.approx(float(np.corrcoef(a, b)[0, 1]), abs=1e-9)
