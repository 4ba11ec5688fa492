from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Metric
from generator.metrics import spread

RATIOS = [spread.ttft_p99_over_p50, spread.itl_p99_over_p50, spread.e2el_p99_over_p50]


@pytest.mark.parametrize("ratio", RATIOS, ids=[metric.key for metric in RATIOS])
def test_a_spread_is_the_tail_over_the_median(ratio: Metric) -> None:
    # Median 2; p99 at rank 0.99 × 2 = 1.98: 2 + 0.98 × (4 − 2) = 3.96
    assert ratio(np.array([1.0, 2.0, 4.0])) == pytest.approx(1.98)


@pytest.mark.parametrize("ratio", RATIOS, ids=[metric.key for metric in RATIOS])
def test_a_spread_of_equal_numbers_is_one(ratio: Metric) -> None:
    assert ratio(np.array([0.5, 0.5, 0.5])) == 1


def test_spreads_are_each_of_their_own_sample() -> None:
    samples = [metric.derivations[0].parameters[0].name for metric in RATIOS]

    assert samples == ["request_ttft", "request_itl", "request_e2el"]


def test_slow_first_tokens_are_above_twice_the_median() -> None:
    # Median 2: of 1, 2, 2, 4 and 5 only 5 is above 4
    assert spread.slow_first_tokens(np.array([1.0, 2.0, 2.0, 4.0, 5.0])) == 0.2


def test_slow_first_tokens_are_none_where_all_are_near_the_median() -> None:
    assert spread.slow_first_tokens(np.array([1.0, 1.5, 1.75])) == 0
