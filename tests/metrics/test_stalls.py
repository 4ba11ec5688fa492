from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.metrics import stalls
from generator.places import column
from tests.support.memory_round import read_typed

SECONDS = st.floats(min_value=1e-4, max_value=10)


def test_observed_stall_share_as_published() -> None:
    assert read_typed("stall_share", column("stall_share_as_published", "ratio"), 1.054) == (1.054, 1.054)


def test_itl_mean_over_p50_is_one_where_all_steps_are_alike() -> None:
    # 20 ms ÷ 20 ms
    assert stalls.itl_mean_over_p50(0.02, 0.02) == 1


def test_itl_mean_over_p50_is_mean_over_median() -> None:
    # 30 ms ÷ 20 ms
    assert stalls.itl_mean_over_p50(0.03, 0.02) == 1.5


def test_tpot_mean_over_p50_stands_in() -> None:
    # 50 ms ÷ 20 ms
    assert stalls.tpot_mean_over_p50(0.05, 0.02) == 2.5


def test_stall_overhead_is_relative_to_the_median() -> None:
    # 30 ms ÷ 20 ms − 1
    assert stalls.stall_overhead(0.03, 0.02) == 0.5


def test_stall_overhead_from_tpot_can_pass_one() -> None:
    # 50 ms ÷ 20 ms − 1
    assert stalls.stall_overhead_from_tpot(0.05, 0.02) == 1.5


def test_stall_share_is_relative_to_the_mean() -> None:
    # 1 − 30 ms ÷ 40 ms
    assert stalls.stall_share(0.04, 0.03) == 0.25


def test_stall_share_from_tpot_is_relative_to_its_mean() -> None:
    # 1 − 10 ms ÷ 40 ms
    assert stalls.stall_share_from_tpot(0.04, 0.01) == 0.75


def test_stall_share__as_published_is_an_overhead() -> None:
    # 50 ms ÷ 20 ms − 1
    assert stalls.stall_share__as_published(0.05, 0.02) == 1.5


@given(mean=SECONDS, median=SECONDS)
def test_share_and_overhead_tell_the_same_stall(mean: float, median: float) -> None:
    # share = overhead ÷ (1 + overhead), where 1 + overhead = mean ÷ median
    overhead, over_median = stalls.stall_overhead(mean, median), stalls.itl_mean_over_p50(mean, median)
    assert isinstance(overhead, float)
    assert isinstance(over_median, float)
    assert stalls.stall_share(mean, median) == pytest.approx(overhead / over_median, abs=1e-9)


def test_tpot_mean_implied__as_published_undoes_the_share() -> None:
    # 20 ms × (1 + 0.5)
    assert stalls.tpot_mean_implied__as_published(0.02, 0.5) == pytest.approx(0.03)


def test_longest_gap_is_the_last_of_the_ordered_ones() -> None:
    assert stalls.longest_gap(np.array([0.01, 0.02, 0.5])) == 0.5
