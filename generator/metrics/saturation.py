"""Saturation: the load beyond which more requests in flight wait longer and get hardly more out of the engine."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from generator.kinds import Column, Picked, Unknown, metric
from generator.text import Text

FLAT: Final = 0.05
"""Growth of throughput for a doubling of the concurrency, below which the engine is full."""
FEWEST: Final = 2
"""Levels that a step of the curve needs."""
TOO_FEW: Final = Unknown(
    Text(zh="可用的闭环档位不足两个，或者吞吐为零", en="fewer than two usable levels of a closed loop deliver anything")
)
SAME_LOAD: Final = Unknown(Text(zh="有几个档位的并发相同", en="several levels have the same concurrency"))
STILL_GROWS: Final = Unknown(
    Text(zh="到最高的档位，吞吐仍在随并发增长", en="throughput still grows with the concurrency at the highest level")
)


def knee(kept_in_flight: Column, throughput: Column, latency: Column) -> Picked | Unknown:
    """Return the concurrency from which on every step to a higher level is flat, and the rows of the first such step.

    A step is flat where throughput grows by less than FLAT for a doubling of the concurrency while the latency, in
    seconds, rises. Levels under a rate, where none are kept in flight, are no points of the curve.
    """
    rows = np.flatnonzero((kept_in_flight > 0) & (throughput > 0))
    if len(rows) < FEWEST:
        return TOO_FEW
    loads = kept_in_flight[rows]
    if (np.diff(loads) <= 0).any():
        return SAME_LOAD
    flat = _flat(loads, throughput[rows], latency[rows])
    if not flat[-1]:
        return STILL_GROWS
    steep = np.flatnonzero(~flat)
    begins = int(steep[-1]) + 1 if len(steep) else 0
    return Picked(float(loads[begins]), rows=(int(rows[begins]), int(rows[begins + 1])))


def _flat(loads: Column, throughput: Column, latency: Column) -> np.ndarray[tuple[int], np.dtype[np.bool_]]:
    """Return which steps from a level to the next are flat, (n − 1,)."""
    doublings = np.diff(np.log(loads)) / math.log(2)
    growth = np.exp(np.diff(np.log(throughput)) / doublings) - 1
    return np.asarray((growth < FLAT) & (np.diff(latency) > 0), dtype=np.bool_)


@metric(
    "knee(kept_in_flight, output_throughput, e2el_p50)",
    scope="series",
    unit="1",
    symbol="C_knee",
    title=Text(zh="饱和点", en="saturation knee"),
    meaning=Text(
        zh="从这个并发起，每升一档，并发每翻一番吞吐只多不到 {flat}，而 E2EL 在变长：多出来的请求只是在等。",
        en="The concurrency from which on each step to a higher level gains less than {flat} of throughput for a doubling of "
        "the concurrency while the E2EL rises: further requests only wait.",
    ).format(flat=f"{FLAT:.0%}"),
)
def knee_concurrency(kept_in_flight: Column, output_throughput: Column, e2el_p50: Column) -> Picked | Unknown:
    """Return the knee by the median E2EL."""
    return knee(kept_in_flight, output_throughput, e2el_p50)


@knee_concurrency.otherwise("knee(kept_in_flight, output_throughput, e2el_mean)")
def knee_concurrency_by_mean(kept_in_flight: Column, output_throughput: Column, e2el_mean: Column) -> Picked | Unknown:
    """Return the knee by the mean E2EL, where there is no median."""
    return knee(kept_in_flight, output_throughput, e2el_mean)
