from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from generator.collect.arrivals import Seconds, constant, gamma, poisson, ramp, trace

MANY = 40_000


def test_constant_is_even() -> None:
    assert constant(4, 5).tolist() == [0, 0.25, 0.5, 0.75, 1.0]


def test_constant_does_not_drift() -> None:
    # Request 30 000 at 3 req/s goes out at 10 000 s, to the bit: times are divided, gaps not added.
    assert constant(3, 30_001)[-1] == 10_000.0


def test_poisson_has_the_mean_and_cv_of_one() -> None:
    gaps = np.diff(poisson(5, MANY, seed=1))
    # Standard errors: mean 0.2 ÷ √40000 = 0.001; CV about 1 ÷ √40000 = 0.005.
    assert gaps.mean() == pytest.approx(0.2, abs=0.004)
    assert gaps.std() / gaps.mean() == pytest.approx(1, abs=0.03)


@pytest.mark.parametrize("burstiness", [0.25, 4.0])
def test_gamma_keeps_the_rate_and_has_the_cv_of_its_burstiness(burstiness: float) -> None:
    gaps = np.diff(gamma(5, MANY, burstiness, seed=2))
    # CV = 1 ÷ √burstiness: 2 and 0.5.
    assert gaps.mean() == pytest.approx(0.2, rel=0.04)
    assert gaps.std() / gaps.mean() == pytest.approx(1 / math.sqrt(burstiness), rel=0.05)


def test_a_seed_gives_one_schedule() -> None:
    assert poisson(5, 100, seed=3).tolist() == poisson(5, 100, seed=3).tolist()
    assert poisson(5, 100, seed=3).tolist() != poisson(5, 100, seed=4).tolist()


@pytest.mark.parametrize("schedule", [constant(2, 0), poisson(2, 0, 1), trace([])])
def test_nothing_to_send(schedule: np.ndarray) -> None:
    assert len(schedule) == 0


def test_the_first_is_sent_at_once() -> None:
    assert poisson(5, 3, 1)[0] == gamma(5, 3, 0.5, 1)[0] == ramp(1, 5, 10)[0] == 0


def test_ramp_follows_the_integral_of_its_rate() -> None:
    # From 0 to 10 req/s in 10 s: N(t) = t² ÷ 2, so request k goes at √(2k), and 50 in all.
    times = ramp(0, 10, 10)
    assert len(times) == 50
    assert times[[1, 2, 8, 32]] == pytest.approx([math.sqrt(2), 2, 4, 8])


def test_ramp_down() -> None:
    # From 10 to 0 in 10 s: N(t) = 10t − t² ÷ 2; N(t) = 18 at t = 2 and N(t) = 32 at t = 4.
    times = ramp(10, 0, 10)
    assert len(times) == 50
    assert times[[18, 32]] == pytest.approx([2, 4])
    assert (np.diff(times) > 0).all()


def test_a_ramp_without_a_slope_is_constant() -> None:
    assert ramp(4, 4, 2).tolist() == pytest.approx(constant(4, 8).tolist())


def test_a_trace_begins_at_0_and_is_put_in_order() -> None:
    assert trace([103.0, 100.0, 101.5]).tolist() == [0, 1.5, 3]
    assert trace([103.0, 100.0, 101.5], speed=2).tolist() == [0, 0.75, 1.5]


@pytest.mark.parametrize(
    "call",
    [
        lambda: constant(0, 3),
        lambda: poisson(-1, 3, 1),
        lambda: gamma(1, 3, 0, 1),
        lambda: constant(math.nan, 3),
        lambda: ramp(0, 0, 3),
        lambda: ramp(-1, 3, 3),
        lambda: ramp(1, 2, 0),
        lambda: trace([1, math.nan]),
        lambda: trace([1, 2], speed=0),
    ],
)
def test_rates_that_are_none(call: Callable[[], Seconds]) -> None:
    with pytest.raises(ValueError, match=r"above 0|below 0|no number"):
        call()
