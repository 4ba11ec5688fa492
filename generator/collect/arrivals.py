"""When requests are to be sent: seconds after the start, rising, the first at 0.

Schedules are absolute: a request that is sent late makes no later one late.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Seconds = NDArray[np.float64]


def constant(rate: float, count: int) -> Seconds:
    """Return arrivals at even distances: t_k = k ÷ rate.

    Args:
        rate: requests a second, above 0.
        count: how many.

    Raises:
        ValueError: a rate that is none; of the other schedules too.
    """
    return np.arange(count, dtype=np.float64) / _positive(rate)


def poisson(rate: float, count: int, seed: int) -> Seconds:
    """Return the arrivals of a Poisson process: independent gaps with mean 1 ÷ rate and CV 1."""
    return gamma(rate, count, 1.0, seed)


def gamma(rate: float, count: int, burstiness: float, seed: int) -> Seconds:
    """Return arrivals with independent gamma gaps: mean 1 ÷ rate, CV = 1 ÷ √burstiness.

    Args:
        rate: requests a second.
        count: how many.
        burstiness: the shape of the gamma distribution; 1 is Poisson, below 1 the arrivals come in bursts.
        seed: of this schedule alone.
    """
    scale = 1 / (_positive(rate) * _positive(burstiness))
    gaps = np.random.default_rng(seed).gamma(burstiness, scale, max(count - 1, 0))
    return np.concatenate((np.zeros(min(count, 1)), np.cumsum(gaps)))


def ramp(first: float, last: float, duration: float) -> Seconds:
    """Return arrivals at a rate that changes evenly from the first to the last over a time.

    The number sent by t is the integral of the rate, N(t) = first·t + (last − first)·t² ÷ 2·duration; request k goes
    where N(t) = k.

    Args:
        first: requests a second at the start, 0 or more.
        last: at the end; not both 0.
        duration: seconds.
    """
    if first < 0 or last < 0 or not np.isfinite(first + last):
        raise ValueError("a rate below 0")
    _positive(first + last)
    total = (first + last) / 2 * _positive(duration)
    numbers = np.arange(int(np.ceil(total - 1e-9)), dtype=np.float64)
    bend = (last - first) / duration
    # The root of bend/2·t² + first·t − k = 0 in the form that holds for bend = 0 as well.
    root = np.sqrt(np.maximum(first * first + 2 * bend * numbers, 0))
    with np.errstate(invalid="ignore"):
        times: Seconds = np.where(numbers == 0, 0.0, 2 * numbers / (first + root))
    return times


def trace(timestamps: Sequence[float] | Seconds, speed: float = 1.0) -> Seconds:
    """Return the arrivals of a trace: its timestamps after the first, in order, at a multiple of their speed.

    Args:
        timestamps: seconds on any clock.
        speed: 2 sends twice as fast.
    """
    times = np.sort(np.asarray(timestamps, dtype=np.float64))
    if not np.isfinite(times).all():
        raise ValueError("a timestamp that is no number")
    return (times - times[:1]) / _positive(speed) if len(times) else times


def _positive(number: float) -> float:
    if not (number > 0 and np.isfinite(number)):
        raise ValueError(f"{number!r} is not above 0")
    return number
