from __future__ import annotations

import math

import pytest

from generator.collect.measures import Watched, measures_of


def test_several_processes_are_the_busiest_and_all_together() -> None:
    # 0.8 s of 2 s and 0.5 s of 1 s: shares of 0.4 and 0.5.
    found = measures_of([], [Watched(2.0, 0.8, parsed_early=1), Watched(1.0, 0.5, parsed_early=2, clock_steps=1)])
    assert (found.processes, found.wall_s) == (2, 2.0)
    assert (found.cpu_share, found.cpu_total) == pytest.approx((0.5, 0.9))
    assert (found.parsed_early, found.clock_steps) == (3, 1)


def test_lags_are_one_sample_over_all_processes() -> None:
    # 1 … 9 ms of one and 101 ms of the other: the middle of the ten is 5.5 ms, the p99 91 % of the way from 9 to 101.
    calm = Watched(1.0, 0.1, tuple(ms * 1_000_000 for ms in range(1, 10)))
    found = measures_of([], [calm, Watched(1.0, 0.1, (101_000_000,))]).loop_lag
    assert (found.p50, found.p99, found.most) == pytest.approx((0.0055, 0.09272, 0.101))


def test_of_processes_that_all_died_nothing_is_known() -> None:
    found = measures_of([], [Watched(0.0, 0.0)])
    assert math.isnan(found.cpu_share)
    assert math.isnan(found.cpu_total)
