"""How long requests wait for their first token: the distribution of the TTFT."""

from __future__ import annotations

from generator.across.distributions import TTFT, ecdf
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.told.figure_model import FigureModel


@figure
def ttft_ecdf(analysis: Analysis) -> FigureModel | Missing:
    """Draw which share of the sample is that small or smaller: a curve for each run of each level."""
    return ecdf("ttft_ecdf", analysis, TTFT)
