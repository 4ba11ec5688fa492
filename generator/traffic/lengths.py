"""How long requests are: exact statistics of whole numbers, from how often each of them comes."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Final

import numpy as np
from numpy.typing import NDArray
from scipy.special import ndtr

from generator.declared.profiles import Bins, Characters, LengthFit, Lengths
from generator.numeric.spilled import Any1d, pieces

Numbers = NDArray[np.float64]
Counts = NDArray[np.int64]

PERCENTS: Final = (5, 25, 50, 75, 90, 95, 99)
BINS_AN_OCTAVE: Final = 2
LONGEST_TEXT: Final = 2**24
"""Characters beyond which a text counts as one of so many."""


def counted(lengths: Any1d) -> Counts:
    """Return how often each length comes, by length; 0, and what is not known, is left out."""
    counts = np.zeros(1, np.int64)
    for piece in pieces(lengths):
        known = piece[piece > 0]
        found = np.bincount(np.minimum(known, LONGEST_TEXT).astype(np.int64), minlength=len(counts))
        found[: len(counts)] += counts
        counts = found
    return counts


def lengths_of(counts: Counts) -> Lengths | None:
    """Return the statistics of lengths; None where there are none."""
    if not counts.sum():
        return None
    p5, p25, p50, p75, p90, p95, p99 = (percentile(counts, percent) for percent in PERCENTS)
    mean, deviation = moments(counts)
    return Lengths(
        n=int(counts.sum()), mean=mean, sd=deviation, max=float(len(counts) - 1), histogram=binned(counts),
        p5=p5, p25=p25, p50=p50, p75=p75, p90=p90, p95=p95, p99=p99,
    )  # fmt: skip


def characters_of(counts: Counts) -> Characters | None:
    """Return the statistics of texts; None where there are none."""
    if not counts.sum():
        return None
    middle, high = (percentile(counts, percent) for percent in (50, 95))
    return Characters(n=int(counts.sum()), mean=moments(counts)[0], p50=middle, p95=high, max=float(len(counts) - 1))


def moments(counts: Counts) -> tuple[float, float]:
    """Return mean and standard deviation (n − 1 below the variance; 0 of one number)."""
    n, values = int(counts.sum()), np.arange(len(counts))
    mean = float((counts * values).sum()) / n
    return mean, math.sqrt(float((counts * (values - mean) ** 2).sum()) / max(n - 1, 1))


def percentile(counts: Counts, percent: float) -> float:
    """Return a percentile between the two nearest ranks (numpy's ``linear``)."""
    upto = np.cumsum(counts)
    rank = percent / 100 * (int(upto[-1]) - 1)
    below = math.floor(rank)
    low, high = np.searchsorted(upto, [below, min(below + 1, int(upto[-1]) - 1)], side="right")
    return float(low + (rank - below) * (high - low))


def binned(counts: Counts) -> Bins:
    """Return a histogram in bins that are alike on a log axis: two an octave, of whole numbers."""
    least = int(np.flatnonzero(counts)[0])
    first = math.floor(math.log2(least) * BINS_AN_OCTAVE)
    last = math.ceil(math.log2(len(counts)) * BINS_AN_OCTAVE)
    edges = sorted({round(2 ** (n / BINS_AN_OCTAVE)) for n in range(first, max(last, first + 1) + 1)})
    within = tuple(int(counts[low:high].sum()) for low, high in pairwise(edges))
    return Bins(edges=tuple(float(edge) for edge in edges), counts=within)


def lognormal_fit(counts: Counts) -> LengthFit | None:
    """Fit a lognormal distribution by likelihood; None where all lengths are alike.

    The distance to the lengths is Kolmogorov's and Smirnov's, of the model as lengths are drawn from it, rounded to
    whole tokens: P(length ≤ k) = Φ((ln(k + ½) − μ) ÷ σ).
    """
    there = np.flatnonzero(counts)
    if len(there) < 2:  # noqa: PLR2004 - one length has no spread
        return None
    weights, logs = counts[there], np.log(there)
    mu = float(np.average(logs, weights=weights))
    sigma = math.sqrt(float(np.average((logs - mu) ** 2, weights=weights)))
    return LengthFit(mu=mu, sigma=sigma, mean=math.exp(mu + sigma**2 / 2), ks=lognormal_distance(counts, mu, sigma))


def lognormal_distance(counts: Counts, mu: float, sigma: float) -> float:
    """Return the largest distance of a lognormal distribution, rounded to whole numbers, from lengths."""
    there = np.flatnonzero(counts)
    seen = np.cumsum(counts[there]) / counts.sum()
    before = np.concatenate([[0.0], seen[:-1]])
    upto, below = (ndtr((np.log(there + side) - mu) / sigma) for side in (0.5, -0.5))
    return float(max(np.abs(seen - upto).max(), np.abs(before - below).max()))


def related(given: Any1d, made: Any1d) -> tuple[float | None, float | None, float | None]:
    """Return the share of output in all tokens, and the correlations of input and output and of their logarithms.

    Of the requests of which both are known and above 0. None where there are none, or where one side does not vary.
    """
    n, sums, low, high = 0, np.zeros(4), np.full(2, np.inf), np.zeros(2)
    for a, b in _pairs(given, made):
        n += len(a)
        sums += [a.sum(), b.sum(), np.log(a).sum(), np.log(b).sum()]
        low = np.minimum(low, [a.min(initial=np.inf), b.min(initial=np.inf)])
        high = np.maximum(high, [a.max(initial=0), b.max(initial=0)])
    if not n:
        return None, None, None
    share = float(sums[1] / (sums[0] + sums[1]))
    if (low == high).any():
        return share, None, None
    means, squares = sums / n, np.zeros((2, 3))
    for a, b in _pairs(given, made):
        squares[0] += _products(a - means[0], b - means[1])
        squares[1] += _products(np.log(a) - means[2], np.log(b) - means[3])
    plain, of_logs = (_correlation(*row) for row in squares.tolist())
    return share, plain, of_logs


def _pairs(given: Any1d, made: Any1d) -> list[tuple[Numbers, Numbers]] | map[tuple[Numbers, Numbers]]:
    def both(pair: tuple[Numbers, Numbers]) -> tuple[Numbers, Numbers]:
        a, b = pair
        known = (a > 0) & (b > 0)
        return a[known], b[known]

    return map(both, zip(pieces(given), pieces(made), strict=True))


def _products(a: Numbers, b: Numbers) -> list[float]:
    return [float((a * b).sum()), float((a * a).sum()), float((b * b).sum())]


def _correlation(product: float, square: float, other: float) -> float:
    return max(-1.0, min(1.0, product / math.sqrt(square * other)))
