"""Summaries alone: how far apart two rounds may be by noise, from the rounds before them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

ENOUGH: Final = 10
"""Changes from one round to the next that a bound can be taken from."""
REACH: Final = 3.0
"""Interquartile ranges above the upper quartile at which a change is out of the ordinary."""


def bound_of(histories: Sequence[Sequence[float]]) -> float | None:
    """Return the largest |ln ratio| that is ordinary from one round to the next; None where too few rounds are known.

    It is the outer fence of the past changes: upper quartile + 3 × interquartile range of |ln(x_i ÷ x_{i−1})|.

    Args:
        histories: the values of earlier rounds, a list for each setting, in the order of time; what is not positive
            is left out.
    """
    changes = np.concatenate([_changes(history) for history in histories] or [np.array([])])
    if len(changes) < ENOUGH:
        return None
    lower, upper = np.percentile(changes, [25, 75])
    return float(upper + REACH * (upper - lower))


def _changes(history: Sequence[float]) -> Numbers:
    """Return |ln(x_i ÷ x_{i−1})| of a history."""
    known = np.array([value for value in history if value > 0], dtype=np.float64)
    changes: Numbers = np.abs(np.diff(np.log(known)))
    return changes
