from __future__ import annotations

import numpy as np
import pytest
from scipy import signal

from generator.comparing import blocks
from generator.comparing.blocks import Means, Ranks, block_length, deviations, weights_of

NOISE = np.random.default_rng(3).normal(size=1000)


def autocorrelated(correlation: float) -> np.ndarray:
    return np.asarray(signal.lfilter([1.0], [1.0, -correlation], NOISE))


def means_of(values: np.ndarray) -> Means:
    return Means(values, np.ones(len(values)))


def ranks_of(values: np.ndarray) -> Ranks:
    """Return values that are each a unit, and each a bin of its own."""
    order = np.argsort(values)
    counts = np.zeros((len(values), len(values)), dtype=np.float32)
    counts[order, np.arange(len(values))] = 1
    return Ranks(means_of(values), counts, values[order])


def test_blocks_of_what_does_not_hang_together_are_short() -> None:
    # 1000 ^ ⅓ = 10 units at least.
    assert block_length(NOISE) == 10


def test_blocks_grow_with_what_hangs_together() -> None:
    lengths = [block_length(autocorrelated(correlation)) for correlation in (0.3, 0.6, 0.9)]
    assert 10 <= lengths[0] < lengths[1] < lengths[2] <= 333


def test_waves_of_requests_stay_together() -> None:
    # 16 requests in flight wait alike: a block holds more than a wave of them.
    waves = np.repeat(np.random.default_rng(1).normal(size=60), 16) + 0.2 * NOISE[:960]
    assert block_length(waves) > 16


def test_what_never_varies_takes_no_longer_blocks() -> None:
    assert block_length(np.ones(1000)) == 10


def test_each_replicate_is_made_of_whole_blocks() -> None:
    # 10 units in blocks of 3: three blocks fit, nine units.
    weights = weights_of(10, 3, seed=1)
    assert weights.shape == (blocks.REPLICATES, 10)
    assert set(weights.sum(axis=1)) == {9.0}
    # Every unit is as likely as any other, those at the ends too: 999 × 9 ÷ 10 = 899 times, give or take.
    assert weights.sum(axis=0) == pytest.approx(np.full(10, 899.1), rel=0.15)


def test_weights_are_drawn_alike_from_the_same_seed() -> None:
    assert np.array_equal(weights_of(50, 5, seed=7), weights_of(50, 5, seed=7))
    assert not np.array_equal(weights_of(50, 5, seed=7), weights_of(50, 5, seed=8))


def test_statistics_count_each_value_as_often_as_its_unit() -> None:
    ranks = ranks_of(np.array([30.0, 10.0, 20.0]))
    # Once each: 10, 20, 30. The first twice, the second not at all: 20, 30, 30. The second three times: 10, 10, 10.
    weights = np.array([[1.0, 1.0, 1.0], [2.0, 0.0, 1.0], [0.0, 3.0, 0.0]])
    assert ranks.of(weights)["p50"].tolist() == [20.0, 30.0, 10.0]
    assert ranks.of(weights)["p99"].tolist() == [30.0, 30.0, 10.0]
    assert ranks.of(weights)["mean"] == pytest.approx([20.0, 80 / 3, 10.0])


def test_units_above_a_mean_pull_it_up() -> None:
    # 2, 4 and 6 over one value each: 4 on average.
    assert means_of(np.array([2.0, 4.0, 6.0])).influence().tolist() == [-2.0, 0.0, 2.0]


def test_the_spread_of_a_mean_is_the_one_of_the_textbook() -> None:
    # Values around 10 with σ = 1, none like its neighbour: the mean varies by 1 ÷ √1000 = 0.0316, or 0.316 %.
    assert float(deviations(means_of(10 + NOISE))["mean"].std()) == pytest.approx(0.00316, rel=0.15)


def test_the_spread_of_a_median_is_the_one_of_the_textbook() -> None:
    # Of normal values, √(π ÷ 2) = 1.253 times that of the mean: 0.396 %.
    assert float(deviations(ranks_of(10 + NOISE))["p50"].std()) == pytest.approx(0.00396, rel=0.25)


def test_what_hangs_together_spreads_wider() -> None:
    # An autocorrelation of 0.8 makes σ 1 ÷ √(1 − 0.64) and the mean √((1 + 0.8) ÷ (1 − 0.8)) times as uncertain: five
    # times in all, of which blocks of finite length see the most.
    alone, together = deviations(means_of(100 + NOISE)), deviations(means_of(100 + autocorrelated(0.8)))
    assert 3.5 < float(together["mean"].std() / alone["mean"].std()) < 5.5


def test_swapped_sides_mirror_the_interval_to_the_last_bit() -> None:
    base, head = deviations(ranks_of(10 + NOISE[:500]))["p90"], deviations(ranks_of(11 + NOISE[500:]))["p90"]
    there, back = blocks.estimate(0.1, base, head), blocks.estimate(-0.1, head, base)
    assert there.log_low is not None
    assert there.log_high is not None
    assert there.log_low < 0.1 < there.log_high
    assert (back.log_low, back.log_high) == (-there.log_high, -there.log_low)


def test_no_p_value_is_made_up() -> None:
    spread = deviations(means_of(10 + NOISE))["mean"]
    found = blocks.estimate(0.0, spread, spread[::-1])
    assert (found.p, found.detectable) == (None, None)


def test_of_a_short_run_or_of_nought_there_is_no_interval() -> None:
    assert deviations(means_of(np.arange(1.0, 20.0))) == {}
    assert list(deviations(means_of(np.arange(1.0, 21.0)))) == ["mean"]
    assert deviations(means_of(np.zeros(100))) == {}
