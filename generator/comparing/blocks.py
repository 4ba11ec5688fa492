"""One run on each side: a bootstrap over blocks of what came one after the other.

Requests of one run are not independent: those of a wave wait together. Blocks keep neighbours together, so that the
interval is as wide as that makes it. What it cannot know is how another run of the same setting would have come out.
"""

from __future__ import annotations

import hashlib
import math
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.comparing.records import CONFIDENCE, Estimate

Numbers = NDArray[np.float64]

REPLICATES: Final = 999
OUTER: Final = round((1 - CONFIDENCE) / 2 * (REPLICATES + 1))
"""Replicates that lie outside at each end: the ends are themselves replicates, and mirror exactly."""
PERCENTS: Final = (50, 90, 95, 99)
FEWEST: Final = 20
"""Units of a run below which blocks of them say nothing."""


@dataclass(frozen=True, slots=True, eq=False)
class Means:
    """A mean over units in the order of time: Σ sums ÷ Σ counts, (n,) each."""

    sums: Numbers
    counts: Numbers

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self.sums)

    def of(self, weights: Numbers) -> dict[str, Numbers]:
        """Return the mean with the units taken as often as each row of (r, n) says, by its name."""
        return {"mean": (weights @ self.sums) / (weights @ self.counts)}

    def influence(self) -> Numbers:
        """Return how much each unit pulls at the mean."""
        centre = self.sums.sum() / self.counts.sum()
        pull: Numbers = self.sums - centre * self.counts
        return pull


@dataclass(frozen=True, slots=True, eq=False)
class Ranks:
    """Values that belong to units in the order of time: their mean and their percentiles.

    Attributes:
        means: the sums of the values of each unit, and how many these are.
        counts: how many values of each unit fall into each bin, (n, k).
        values: the largest value of each bin, rising, (k,).
    """

    means: Means
    counts: NDArray[np.float32]
    values: Numbers

    def __len__(self) -> int:
        """Return the number of units."""
        return len(self.counts)

    def of(self, weights: Numbers) -> dict[str, Numbers]:
        """Return mean and percentiles with the units taken as often as each row of (r, n) says, by name."""
        reached = np.cumsum(weights.astype(np.float32) @ self.counts, axis=1, dtype=np.float64)
        ranks = {f"p{percent}": percent / 100 * reached[:, -1:] for percent in PERCENTS}
        found = {name: self.values[np.argmax(reached >= rank, axis=1)] for name, rank in ranks.items()}
        return {**self.means.of(weights), **found}

    def influence(self) -> Numbers:
        """Return how much each unit pulls at the mean."""
        return self.means.influence()


Statistics = Means | Ranks


def block_length(series: Numbers) -> int:
    """Return how many units a block holds, by Politis and White (2004, corrected 2009) for blocks that wrap around.

    b = ⌈(1.5 × G² ÷ g² × n)^⅓⌉ with G = Σ λ(k ÷ M) |k| R(k), g = Σ λ(k ÷ M) R(k), autocovariances R and a trapezoid λ;
    M is twice the lag beyond which no autocorrelation stands out. At least n^⅓, at most a third of the units.
    """
    n = len(series)
    least, most = math.ceil(math.cbrt(n)), max(1, n // 3)
    covariances = _autocovariances(series, min(n - 1, math.ceil(3 * math.sqrt(n))))
    if not covariances[0] > 0:
        return min(least, most)
    lags = np.arange(1, min(2 * _last_lag(covariances / covariances[0], n), len(covariances) - 1) + 1)
    weight = np.clip(2 * (1 - lags / (lags[-1] if len(lags) else 1)), 0, 1)
    spread = covariances[0] + 2 * float(weight @ covariances[lags])
    bend = 2 * float((weight * lags) @ covariances[lags])
    wanted = math.cbrt(1.5 * (bend / spread) ** 2 * n) if spread > 0 else most
    return min(max(math.ceil(wanted), least), most)


def _autocovariances(series: Numbers, most: int) -> Numbers:
    centred = series - series.mean()
    size = 1 << (2 * len(series)).bit_length()
    spectrum = np.abs(np.fft.rfft(centred, size)) ** 2
    covariances: Numbers = np.fft.irfft(spectrum, size)[: most + 1] / len(series)
    return covariances


def _last_lag(correlations: Numbers, n: int) -> int:
    """Return the last lag that stands out before several in a row that do not."""
    quiet = max(5, math.ceil(math.sqrt(math.log10(n))))
    outstanding = np.abs(correlations[1:]) > 2 * math.sqrt(math.log10(n) / n)
    last = 0
    for lag, stands_out in enumerate(outstanding, start=1):
        if stands_out:
            last = lag
        elif lag - last >= quiet:
            break
    return last


def weights_of(n: int, length: int, seed: int) -> Numbers:
    """Return how often each replicate takes each unit, (REPLICATES, n): as many whole blocks as fit, wrapped around."""
    drawn = np.random.default_rng(seed).integers(0, n, (REPLICATES, n // length))
    rows = n * np.arange(REPLICATES)[:, np.newaxis]
    starts = np.bincount((drawn + rows).ravel(), minlength=n * REPLICATES).reshape(REPLICATES, n)
    reached = np.cumsum(np.concatenate([starts[:, n - length :], starts], axis=1), axis=1, dtype=np.float64)
    weights: Numbers = reached[:, length:] - reached[:, :-length]
    return weights


def seed_of(statistics: Statistics) -> int:
    """Return a seed that is fixed by the data: the same run always gives the same replicates, on either side."""
    means = statistics if isinstance(statistics, Means) else statistics.means
    digest = hashlib.sha256(means.sums.tobytes() + means.counts.tobytes())
    return int.from_bytes(digest.digest()[:8], "big")


def deviations(statistics: Statistics) -> dict[str, Numbers]:
    """Return ln(replicate ÷ statistic) of each replicate, for each statistic by its name.

    None of a run that is too short; none of a statistic that is not positive, or of which a replicate is not.
    """
    if len(statistics) < FEWEST:
        return {}
    weights = weights_of(len(statistics), block_length(statistics.influence()), seed_of(statistics))
    wholes = statistics.of(np.ones((1, len(statistics))))
    found = {name: (replicates, float(wholes[name][0])) for name, replicates in statistics.of(weights).items()}
    return {
        name: np.log(replicates) - math.log(whole)
        for name, (replicates, whole) in found.items()
        if whole > 0 and np.all(replicates > 0)
    }


def estimate(log_ratio: float, base: Numbers, head: Numbers) -> Estimate:
    """Return a ratio with its interval within the two runs; no p value, for the runs are one of each kind.

    Args:
        log_ratio: ln(head ÷ base).
        base: the deviations of the statistic of the base run, (REPLICATES,).
        head: those of the head run.
    """
    apart = np.sort(head - base)
    return Estimate(log_ratio, log_ratio + float(apart[OUTER - 1]), log_ratio + float(apart[-OUTER]))
