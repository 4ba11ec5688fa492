"""Two series side by side: where the lead changes hands, and the prediction with weights counted alike."""

from __future__ import annotations

import math
from typing import Final

import numpy as np

from generator.across.ladders import rungs
from generator.across.levels import numbers_of, usable_on_both
from generator.frame import Analysis
from generator.kinds import WITHOUT_EMBEDDING
from generator.metrics.crossover import crossings
from generator.model import Level
from generator.told.quoting import listed_levels, pair_value
from generator.told.sentence import Quantity, Sentence, say
from generator.values import Address

ALIKE: Final = 0.005
"""Predictions closer than this, as a part of either, read the same in print."""
QUEUED: Final = "queue_dominated"
"""The check that names levels whose latencies are of the queue: they say nothing of the one engine or the other."""


def compared_levels(analysis: Analysis, compared: str) -> list[Level]:
    """Return the levels usable on both sides of a pair at which the throughput ratio is known."""
    return [
        level
        for level in usable_on_both(analysis, compared)
        if analysis.frame.of_pair_level("throughput_ratio", compared, level.id).value is not None
    ]


def queued_levels(analysis: Analysis, compared: str) -> list[Level]:
    """Return of those the ones at which a queue rules the latency of either side: it is not to be compared there."""
    sides = {compared, analysis.round.baseline.id if analysis.round.baseline is not None else None}
    named = [finding for finding in analysis.warnings_of(QUEUED) if finding.series in sides]
    queued = {level for finding in named for level in finding.levels}
    return [level for level in usable_on_both(analysis, compared) if level.id in queued]


def unequal_levels(analysis: Analysis, compared: str) -> list[Level]:
    """Return of the compared levels those whose ratio a check doubts: the two sides did not do the same work there."""
    doubted = {one for finding in analysis.findings for one in finding.doubts}
    return [
        level
        for level in compared_levels(analysis, compared)
        if Address("throughput_ratio", "pair-level", compared, level.id) in doubted
    ]


def first_bracket(analysis: Analysis, compared: str) -> tuple[Level, Level] | None:
    """Return the neighbouring levels between which the throughput ratio first passes 1; None where it never does."""
    crossing = analysis.frame.of_pair("crossover_concurrency", compared)
    ids = [one.address.level for one in crossing.inputs if one.name == "throughput_ratio"]
    if ids:
        low, high = (next(level for level in analysis.shared(compared) if level.id == key) for key in ids)
        return low, high
    levels = _on_ladder(analysis, compared)
    ratios = [analysis.frame.of_pair_level("throughput_ratio", compared, level.id).value for level in levels]
    if None in ratios or 0.0 in ratios:
        return None
    found = crossings(np.array(ratios, dtype=np.float64))
    return (levels[found[0][0]], levels[found[0][1]]) if found else None


def _on_ladder(analysis: Analysis, compared: str) -> list[Level]:
    """Return the compared levels that differ in the load alone: a lead that changes with the length is no crossover."""
    series = analysis.round.series_by_id(compared)
    return rungs(compared_levels(analysis, compared), numbers_of(analysis, series))


def is_provisional(analysis: Analysis, compared: str) -> bool:
    """Say whether where throughputs first meet is an estimate: it lies between levels, or rests on single trials."""
    crossing, baseline = analysis.frame.of_pair("crossover_concurrency", compared), analysis.round.baseline
    bracket = first_bracket(analysis, compared)
    if crossing.value is None or baseline is None or bracket is None:
        return False
    if not any(math.isclose(crossing.value, level.load) for level in bracket):
        return True
    trials = (
        analysis.frame.of_level("output_throughput", s, one.id).n for s in (baseline.id, compared) for one in bracket
    )
    return any((number or 1) == 1 for number in trials)


def rests_on_unequal(analysis: Analysis, compared: str) -> bool:
    """Say whether the lead first changes hands beside a level at which the two sides did not do the same work."""
    bracket = first_bracket(analysis, compared) or ()
    unequal = {level.id for level in unequal_levels(analysis, compared)}
    return any(level.id in unequal for level in bracket)


def no_winner(analysis: Analysis, compared: str) -> Sentence | None:
    """Say at which levels the throughputs name no winner, since they are of unequal work; None where there are none."""
    unequal = unequal_levels(analysis, compared)
    if not unequal:
        return None
    return say(
        zh="{levels} 上两边做的不是同样的活，那里不判谁的吞吐更高。",
        en="At {levels} the two sides did not do the same work, and no winner is named there.",
        levels=listed_levels(compared, (level.id for level in unequal)),
    )


def counted_alike(analysis: Analysis, compared: str) -> Quantity | None:
    """Return the speed-up that the bytes predict without the input embedding; None where it reads the same."""
    usual = analysis.frame.of_pair("predicted_speedup", compared).value
    alike = analysis.frame.of_pair("predicted_speedup", compared, WITHOUT_EMBEDDING).value
    if usual is None or alike is None or math.isclose(usual, alike, rel_tol=ALIKE):
        return None
    return pair_value("predicted_speedup", compared, WITHOUT_EMBEDDING)
