"""How long whole answers take: the distribution of the E2EL."""

from __future__ import annotations

from generator.across.distributions import E2EL, ecdf
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.told.figure_model import FigureModel


@figure
def e2el_ecdf(analysis: Analysis) -> FigureModel | Missing:
    """Draw which share of the sample is that small or smaller: a curve for each run of each level."""
    return ecdf("e2el_ecdf", analysis, E2EL)
