from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Answer, Picked
from generator.metrics import saturation
from generator.metrics.saturation import SAME_LOAD, STILL_GROWS, TOO_FEW


def knee(loads: list[float], throughput: list[float], latency: list[float]) -> Answer:
    return saturation.knee_concurrency(*(np.array(rows, dtype=np.float64) for rows in (loads, throughput, latency)))


def test_knee_concurrency_is_where_every_further_step_is_flat() -> None:
    # × 1.9, × 1.04, × 1.03: flat from C=2 on.
    assert knee([1, 2, 4, 8], [100, 190, 197.6, 203.5], [1, 1.1, 2, 4]) == Picked(2, rows=(1, 2))


def test_knee_concurrency_goes_by_doublings() -> None:
    # From 2 to 8 × 1.08 is √1.08 = 1.039 for each of two doublings; from 2 to 4 it is 1.08.
    assert knee([1, 2, 8], [100, 190, 205.2], [1, 1.1, 3]) == Picked(2, rows=(1, 2))
    assert knee([1, 2, 4], [100, 190, 205.2], [1, 1.1, 3]) is STILL_GROWS


@pytest.mark.parametrize(
    ("loads", "throughput", "latency", "why"),
    [
        ([1, 2], [100, 101], [1, 1], STILL_GROWS),  # flat, but nobody waits longer
        ([1, 2, 4], [100, 101, 150], [1, 2, 3], STILL_GROWS),  # flat below, not at the end
        ([2, 2], [100, 101], [1, 2], SAME_LOAD),
        ([1], [100], [1], TOO_FEW),
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
