"""Several trials on both sides: Welch's t test on logarithms, with trials as the units.

All functions take and return arrays, so that a thousand comparisons cost as much as one; see docs/statistics.md.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import scipy  # which loads its parts when one is used: the distributions take as long as the rest of a comparison
from numpy.typing import NDArray

from generator.comparing.records import CONFIDENCE, POWER, SIGNIFICANCE, Estimate

Numbers = NDArray[np.float64]


@dataclass(frozen=True, slots=True, eq=False)
class Contrast:
    """The difference of two means of logarithms: its standard error, and the degrees of freedom of that error."""

    log_ratio: Numbers
    error: Numbers
    freedom: Numbers


def contrast(base: Numbers, head: Numbers) -> Contrast:
    """Return the contrast of trials, (…, n_base) and (…, n_head), all positive, at least two on each side.

    The degrees of freedom are those of Welch and Satterthwaite:
    (a + b)² ÷ (a² ÷ (n_base − 1) + b² ÷ (n_head − 1)), with a and b the squared standard errors of both means.
    """
    logs_base, logs_head = np.log(base), np.log(head)
    first, second = _squared_error(logs_base), _squared_error(logs_head)
    total = first + second
    freedom = total**2 / (first**2 / (base.shape[-1] - 1) + second**2 / (head.shape[-1] - 1))
    return Contrast(logs_head.mean(axis=-1) - logs_base.mean(axis=-1), np.sqrt(total), freedom)


def _squared_error(logs: Numbers) -> Numbers:
    squared: Numbers = logs.var(axis=-1, ddof=1) / logs.shape[-1]
    return squared


def p_different(found: Contrast) -> Numbers:
    """Return the two-sided p value of "the ratio is 1"."""
    p: Numbers = 2 * scipy.special.stdtr(found.freedom, -np.abs(found.log_ratio / found.error))
    return p


def half_width(found: Contrast, confidence: float = CONFIDENCE) -> Numbers:
    """Return half the width of the interval of ln ratio."""
    half: Numbers = scipy.special.stdtrit(found.freedom, (1 + confidence) / 2) * found.error
    return half


def p_same(found: Contrast, margin: float) -> Numbers:
    """Return the larger p of TOST: of the tests against ratios of 1 ÷ (1 + margin) or less, and 1 + margin or more."""
    room = math.log1p(margin) - np.abs(found.log_ratio)
    p: Numbers = scipy.special.stdtr(found.freedom, -room / found.error)
    return p


def detectable(found: Contrast) -> Numbers:
    """Return the smallest |ln ratio| that the test finds with probability ``POWER`` at the observed variance.

    The t value is then of the noncentral t distribution; the other tail is left out, it holds next to nothing.
    """
    critical = scipy.special.stdtrit(found.freedom, 1 - SIGNIFICANCE / 2)
    smallest: Numbers = scipy.special.nctdtrinc(found.freedom, 1 - POWER, critical) * found.error
    return smallest


def estimate(base: Numbers, head: Numbers, margin: float) -> Estimate | None:
    """Return what the trials of one metric say, (n,) each; None where no trial differs from another.

    Args:
        base: the values of the trials, positive.
        head: the same of the other side.
        margin: within which share the sides count as the same.
    """
    with np.errstate(invalid="ignore", divide="ignore"):
        found = contrast(base, head)
    if not found.error > 0:
        return None
    ratio, half = float(found.log_ratio), float(half_width(found))
    smallest = float(detectable(found))
    return Estimate(
        ratio, ratio - half, ratio + half, float(p_different(found)),
        smallest if math.isfinite(smallest) else None, float(p_same(found, margin)),
    )  # fmt: skip
