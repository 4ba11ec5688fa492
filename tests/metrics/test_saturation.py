from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Answer, Column, Picked, Unknown
from generator.metrics import saturation
from generator.metrics.saturation import (
    ALL_SERVED,
    ENDS_TOO_SOON,
    NONE_SERVED,
    SAME_LOAD,
    SAME_RATE,
    STILL_GROWS,
    TOO_FEW,
    TOO_FEW_DUE,
)
from tests.support.ladder_rounds import by_rates, ladder_and_sweep
from tests.support.telling import analysed


def knee(loads: list[float], throughput: list[float], latency: list[float]) -> Answer:
    return saturation.knee_concurrency(*(np.array(rows, dtype=np.float64) for rows in (loads, throughput, latency)))


def test_knee_concurrency_is_where_every_further_step_is_flat() -> None:
    # × 1.9, × 1.04, × 1.03: flat from C=2 on.
    assert knee([1, 2, 4, 8], [100, 190, 197.6, 203.5], [1, 1.1, 2, 4]) == Picked(2, rows=(0, 1, 2, 3))


def test_knee_concurrency_goes_by_doublings() -> None:
    # From 2 to 8 × 1.08 is √1.08 = 1.039 for each of two doublings; from 2 to 4 it is 1.08.
    assert knee([1, 2, 8], [100, 190, 205.2], [1, 1.1, 3]) == Picked(2, rows=(0, 1, 2))
    assert knee([1, 2, 4], [100, 190, 205.2], [1, 1.1, 3]) is STILL_GROWS


def test_knee_concurrency_is_not_moved_by_a_dip() -> None:
    # Full at C=4. C=8 fell to 150 by chance, and from there to C=16 is × 1.33: no growth, for 200 there were before.
    assert knee([1, 2, 4, 8, 16], [100, 170, 200, 150, 199], [1, 2, 3, 4, 5]) == Picked(4, rows=(0, 1, 2, 3, 4))


def test_knee_concurrency_is_not_moved_by_noise_between_near_levels() -> None:
    # From 32 to 40 is × 1.03, 1.095 for a doubling; but from 32 to 64 it is × 1.02.
    loads, latency = [8.0, 16, 32, 40, 64], [1.0, 1.1, 1.5, 2, 4]
    assert knee(loads, [100, 190, 300, 309, 306], latency) == Picked(32, rows=(0, 1, 2, 3, 4))


def test_slow_growth_in_small_steps_is_growth() -> None:
    # × 1.04 a step, seven steps a doubling: × 1.32 from 10 to 20.
    loads = [10 * 1.1041**step for step in range(9)]
    found = knee(loads, [100 * 1.04**step for step in range(9)], [1 + step for step in range(9)])

    assert found is ENDS_TOO_SOON


def test_of_noisy_curves_the_knee_is_found_within_a_level() -> None:
    # 2 % of noise on a curve that is full at C=16: C × 60 up to 960.
    loads = [1.0, 2, 4, 8, 16, 32, 64, 128]
    for seed in range(100):
        noise = np.random.default_rng(seed).normal(1, 0.02, len(loads))
        delivered = [min(load, 16) * 60 * one for load, one in zip(loads, noise.tolist(), strict=True)]
        found = knee(loads, delivered, [max(load, 16) / 16 for load in loads])
        assert isinstance(found, Picked)
        assert found.value in (16, 32), seed


@pytest.mark.parametrize(
    ("loads", "throughput", "latency", "why"),
    [
        ([1, 2], [100, 101], [1, 1], STILL_GROWS),  # flat, but nobody waits longer
        ([1, 2, 4], [100, 101, 150], [1, 2, 3], STILL_GROWS),  # flat below, not at the end
        ([2, 2], [100, 101], [1, 2], SAME_LOAD),
        ([1], [100], [1], TOO_FEW),
        ([1, 2, 3], [100, 200, 202], [1, 2, 3], ENDS_TOO_SOON),  # 3 is not twice 2
        ([0, 0, 4], [100, 101, 102], [1, 2, 3], TOO_FEW),  # two under rates
    ],
)
def test_knee_concurrency_may_not_be_there(
    loads: list[float], throughput: list[float], latency: list[float], why: Answer
) -> None:
    assert knee(loads, throughput, latency) is why


def test_levels_under_a_rate_are_no_points_of_the_curve() -> None:
    assert knee([1, 0, 2], [100, 900, 101], [1, 9, 2]) == Picked(1, rows=(0, 2))


def test_knee_concurrency_by_mean_takes_the_mean_for_the_median() -> None:
    rows = [np.array(one, dtype=np.float64) for one in ([1, 2], [100, 101], [1, 2])]

    assert saturation.knee_concurrency_by_mean(*rows) == Picked(1, rows=(0, 1))


def column(*numbers: float) -> Column:
    return np.array(numbers, dtype=np.float64)


def test_served_share_is_answers_over_requests_due() -> None:
    # Answers end every 0.25 s, 4 a second; from 10 s to 20 s 40 of 50 that were due at 5 req/s.
    ends = np.arange(1, 100) * 0.25
    assert saturation.served_share(ends, 10, 20, 5) == 0.8
    assert isinstance(saturation.served_share(ends, 20, 20, 5), Unknown)


def test_served_share_of_table_leaves_out_the_last_latency() -> None:
    # 400 requests in 102 s, the last of which took 2 s: 4 a second, of 5 due.
    assert saturation.served_share_of_table(400, 5, 102, 2) == 0.8
    assert isinstance(saturation.served_share_of_table(400, 5, 2, 2), Unknown)


def test_requests_due_are_rate_times_time() -> None:
    assert saturation.requests_due(5, 10, 20) == 50
    assert isinstance(saturation.requests_due(5, 20, 10), Unknown)


def test_requests_due_of_table_are_those_sent() -> None:
    assert saturation.requests_due_of_table(5, 400) == 400


@pytest.mark.parametrize(
    ("shares", "due", "answer"),
    [
        # Of 400 due, 1 − 0.05 − 2 ÷ √400 = 0.85 must be served.
        ((1.0, 0.86, 0.84), 400, Picked(2, rows=(0, 1, 2))),
        ((1.0, 0.84, 1.0), 400, Picked(1, rows=(0, 1))),  # what lies above a rate that is not served does not count
        ((0.84, 1.0, 1.0), 400, NONE_SERVED),
        ((1.0, 0.9, 0.86), 400, ALL_SERVED),
        ((1.0, 0.9, 0.1), 19, TOO_FEW_DUE),
    ],
)
def test_knee_rate_is_the_highest_that_is_served(shares: tuple[float, ...], due: float, answer: Answer) -> None:
    assert saturation.knee_rate(column(1, 2, 4), column(*shares), column(due, due, due)) == answer


def test_knee_rate_wants_one_level_a_rate() -> None:
    assert saturation.knee_rate(column(2, 2), column(1, 1), column(99, 99)) is SAME_RATE


def test_rates_are_served_up_to_what_the_engine_can() -> None:
    # a by its table: 400 ÷ (8 × (82 − 2)) = 0.625 at 8 req/s; b by its requests, of which it answers 4 a second.
    frame = analysed(by_rates()).frame

    assert frame.of_series("knee_rate", "a").value == 4
    assert frame.of_level("served_share", "a", "r8").value == 0.625
    assert frame.of_series("knee_rate", "b").value == 4
    assert frame.of_level("served_share", "b", "r8").value == pytest.approx(4 / 8, abs=0.005)


def test_a_sweep_beside_a_ladder_leaves_its_knee_alone() -> None:
    # 640 at C=16; 660 and 665 are less than × 1.05 and × 1.1025.
    assert analysed(ladder_and_sweep()).frame.of_series("knee_concurrency", "a").value == 16
