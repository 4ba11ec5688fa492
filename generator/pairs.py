"""Two series side by side: where the lead changes hands, and the prediction with weights counted alike."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from generator.frame import Analysis
from generator.kinds import WITHOUT_EMBEDDING
from generator.metrics.crossover import crossings
from generator.model import Level
from generator.quoting import pair_value
from generator.sentence import Quantity

ALIKE: Final = 0.005
"""Predictions closer than this, as a part of either, read the same in print."""


def compared_levels(analysis: Analysis, compared: str) -> list[Level]:
    """Return the levels usable on both sides of a pair at which the throughput ratio is known."""
    baseline = analysis.round.baseline
    if baseline is None:
        return []
    usable = {level.id for level in analysis.usable(baseline.id)} & {level.id for level in analysis.usable(compared)}
    return [
        level
        for level in analysis.shared(compared)
        if level.id in usable and analysis.frame.of_pair_level("throughput_ratio", compared, level.id).value is not None
    ]


def first_bracket(analysis: Analysis, compared: str) -> tuple[Level, Level] | None:
    """Return the neighbouring levels between which the throughput ratio first passes 1; None where it never does."""
    crossing = analysis.frame.of_pair("crossover_concurrency", compared)
    ids = [one.address.level for one in crossing.inputs if one.name == "throughput_ratio"]
    if ids:
        low, high = (next(level for level in analysis.shared(compared) if level.id == key) for key in ids)
        return low, high
    levels = compared_levels(analysis, compared)
    ratios = [analysis.frame.of_pair_level("throughput_ratio", compared, level.id).value for level in levels]
    if None in ratios or 0.0 in ratios:
        return None
    found = crossings(np.array(ratios, dtype=np.float64))
    return (levels[found[0][0]], levels[found[0][1]]) if found else None


def counted_alike(analysis: Analysis, compared: str) -> Quantity | None:
    """Return the speed-up that the bytes predict without the input embedding; None where it reads the same."""
    usual = analysis.frame.of_pair("predicted_speedup", compared).value
    alike = analysis.frame.of_pair("predicted_speedup", compared, WITHOUT_EMBEDDING).value
    if usual is None or alike is None or math.isclose(usual, alike, rel_tol=ALIKE):
        return None
    return pair_value("predicted_speedup", compared, WITHOUT_EMBEDDING)
