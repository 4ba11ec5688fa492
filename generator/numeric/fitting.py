"""Polynomials fitted to points by least squares, with what the fit itself says of its uncertainty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]

PILLAR: Final = 1e-9
"""What of a point its curve leaves free, below which the curve stands on it: the others do not fix it."""
ROUNDINGS: Final = 16
"""Roundings that may come together in a sum of a few terms: what is left over within them is nothing."""


@dataclass(frozen=True, slots=True)
class Polynomial:
    """A polynomial fitted to points.

    Attributes:
        coefficients: that of x to the power 0, 1, …
        errors: the standard error of each: the root of the sum of squares of how far it moves as each point in turn
            is left out. NaN where the others would not fix the curve.
        r2: the share of the variance of y that the fit accounts for; NaN where y does not vary.
    """

    coefficients: tuple[float, ...]
    errors: tuple[float, ...]
    r2: float

    def at(self, x: float) -> float:
        """Return its height at a place."""
        return float(sum(one * x**power for power, one in enumerate(self.coefficients)))


def polynomial(x: Numbers, y: Numbers, degree: int) -> Polynomial:
    """Fit a polynomial: ordinary least squares, all points alike.

    The errors are those of MacKinnon and White 1985 ("Some heteroskedasticity-consistent covariance matrix estimators",
    HC3): they hold also where long times scatter more than short ones, as times do.

    Args:
        x: where the points are, (n,); more than ``degree`` different ones.
        y: how high, (n,).
        degree: the highest power of x.

    Raises:
        ValueError: there are too few different x to fix the polynomial.
    """
    if len(np.unique(x)) <= degree:
        raise ValueError
    # Powers of lengths in the tens of thousands would leave the matrix without a usable inverse.
    scale = float(np.abs(x).max()) or 1.0
    matrix = np.vander(x / scale, degree + 1, increasing=True)
    scaled = np.linalg.lstsq(matrix, y, rcond=None)[0].astype(np.float64)
    residual = _left_over(matrix, y, scaled)
    moved = _moved_without_each(matrix, residual)
    units = scale ** np.arange(degree + 1)
    spread = float(((y - y.mean()) ** 2).sum())
    # Equal heights differ from their mean by a rounding, of which the fit would account for all.
    r2 = 1 - float((residual**2).sum()) / spread if np.ptp(y) > 0 else float("nan")
    errors = np.sqrt((moved**2).sum(axis=1)) / units
    return Polynomial(tuple((scaled / units).tolist()), tuple(errors.tolist()), r2)


def _moved_without_each(matrix: Numbers, residual: Numbers) -> Numbers:
    """Return by how much each coefficient moves as each point is left out, (degree + 1, n); NaN for a pillar.

    The others are fitted anew, to what the whole fit leaves over: the shorter way, over what each point leaves free,
    has no digits left where one point lies far from all others.
    """
    free = 1 - np.einsum("ij,ji->i", matrix, np.linalg.pinv(matrix))
    points = np.arange(len(matrix))
    others = np.array([np.delete(points, one) for one in points])
    size = np.linalg.norm(matrix[others], axis=1, keepdims=True)
    moved = (np.linalg.pinv(matrix[others] / size) @ residual[others][..., None])[..., 0] / size[:, 0]
    moved[free <= PILLAR] = np.nan
    return np.asarray(moved.T, dtype=np.float64)


def _left_over(matrix: Numbers, y: Numbers, coefficients: Numbers) -> Numbers:
    """Return what a fit leaves over at each point; nought where it is no more than what rounding makes of the sum."""
    residual = y - matrix @ coefficients
    rounding = ROUNDINGS * np.finfo(np.float64).eps * (np.abs(matrix) @ np.abs(coefficients)).max()
    return np.where(np.abs(residual) > rounding, residual, 0.0)
