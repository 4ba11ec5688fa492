"""How long the gaps between chunks are: the distribution of the ITL."""

from __future__ import annotations

from generator.across.distributions import ITL, ecdf
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.told.figure_model import FigureModel


@figure
def itl_ecdf(analysis: Analysis) -> FigureModel | Missing:
    """Draw which share of the sample is that small or smaller: a curve for each run of each level."""
    return ecdf("itl_ecdf", analysis, ITL)
