"""Levels that a check excluded, as bounds of what is advised: nothing vouches for the loads from there on."""

from __future__ import annotations

from typing import Final

from generator.across.ladders import ladder, rungs
from generator.across.levels import amount
from generator.frame import Analysis
from generator.model import Level, Series
from generator.text import Text
from generator.told.sentence import SectionLink

ANOMALY: Final = SectionLink("anomaly", Text(zh="异常", en="Anomaly"))
"""The chapter that tells of excluded levels."""


def barrier(analysis: Analysis, series: Series) -> Level | None:
    """Return the lowest excluded level above the lowest usable one of the ladder; None where there is none.

    A load at which another level of the ladder is usable bars nothing, nor does a level of another length.
    """
    levels = ladder(analysis, series)
    if not levels:
        return None
    usable = {level.load for level in levels}
    barring = (
        level
        for level in series.levels
        if (series.id, level.id) in analysis.spoilt
        and level.load > levels[0].load
        and level.load not in usable
        and _is_of(analysis, series, levels, level)
    )
    return min(barring, key=lambda level: level.load, default=None)


def _is_of(analysis: Analysis, series: Series, levels: tuple[Level, ...], level: Level) -> bool:
    """Say whether a level would be on the ladder if it were usable."""
    together = rungs((*levels, level), lambda one, metric: amount(analysis, metric, (series, one)))
    return level.kind == levels[0].kind and level in together
