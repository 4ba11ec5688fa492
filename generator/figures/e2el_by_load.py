"""The time of a whole request over the load: median and p99."""

from __future__ import annotations

from generator.figures import latency_by_load
from generator.frame import Analysis
from generator.kinds import Missing, figure
from generator.text import same
from generator.told.figure_model import FigureModel


@figure
def e2el_by_load(analysis: Analysis) -> FigureModel | Missing:
    """Draw p50 and p99 of each series."""
    return latency_by_load(analysis, "e2el", "ms", same("E2EL"))
