"""Counts of failures: Fisher's exact test. A share of few failures has no useful ratio, but an exact p."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
import scipy  # which loads its parts when one is used: the tests take half a second, and most rounds have no failures

EVEN: Final = 0.05
"""p value below which the trials of one side do not share one rate of failure."""


class Failures(NamedTuple):
    """How many requests of a run failed, and how many were sent."""

    failed: int
    sent: int


def pooled(trials: Sequence[Failures]) -> Failures:
    """Return the sums over trials."""
    return Failures(sum(one.failed for one in trials), sum(one.sent for one in trials))


def p_value(base: Failures, head: Failures) -> float:
    """Return the two-sided exact p value of "both sides fail as often"; the same when the sides are swapped."""
    table = np.array(sorted((one.failed, one.sent - one.failed) for one in (base, head)))
    return float(scipy.stats.fisher_exact(table).pvalue) if table.sum(axis=0).all() else 1.0


def is_even(trials: Sequence[Failures]) -> bool:
    """Say whether the trials of one side may share one rate of failure, which the exact test takes for granted.

    Where failures come in bursts, as when one run lost its server, they do not, and p would be far too small.
    """
    table = np.array([(one.failed, one.sent - one.failed) for one in trials])
    if len(trials) == 1 or not table.sum(axis=0).all():
        return True
    return bool(scipy.stats.chi2_contingency(table, correction=False).pvalue >= EVEN)
