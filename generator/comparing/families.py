"""Many rows at once: p values that say how often chance alone brings one of them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]


def holm(p: Sequence[float]) -> list[float]:
    """Return p values adjusted by Holm: below 0.05, the chance of one false row or more stays below that, too.

    The k-th smallest of m is multiplied by m − k + 1, and is never below those before it.
    """
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values, kind="stable")
    stepped = np.maximum.accumulate(values[order] * np.arange(len(values), 0, -1))
    adjusted = np.empty_like(values)
    adjusted[order] = np.minimum(stepped, 1.0)
    return [float(one) for one in adjusted]


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Return p values adjusted by Benjamini and Hochberg: of the rows below 0.05, that share is false on average.

    The k-th smallest of m is multiplied by m ÷ k, and is never above those behind it.
    """
    if not p:
        return []
    values = np.asarray(p, dtype=np.float64)
    order = np.argsort(values)
    stepped = values[order] * (len(values) / np.arange(1, len(values) + 1))
    adjusted = np.empty_like(values)
    adjusted[order] = np.clip(np.minimum.accumulate(stepped[::-1])[::-1], 0.0, 1.0)
    return [float(one) for one in adjusted]
