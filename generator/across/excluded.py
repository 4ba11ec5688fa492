"""Levels that a check excluded, as bounds of what is advised: nothing vouches for the loads from there on."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Final

from generator.across.ladders import ladder, rungs, rungs_of
from generator.across.levels import amount
from generator.frame import Analysis
from generator.model import Level, Series
from generator.text import Text
from generator.told.sentence import SectionLink

ANOMALY: Final = SectionLink("anomaly", Text(zh="异常", en="Anomaly"))
"""The chapter that tells of excluded levels."""
NumberOf = Callable[[Level, str], float | None]
"""Returns the number of a level by its metric; None where it is not known."""


def barrier(analysis: Analysis, series: Series) -> Level | None:
    """Return the lowest excluded level above the lowest usable one of the ladder; None where there is none."""
    return _lowest_excluded(
        ladder(analysis, series),
        _excluded(analysis, series),
        lambda level, metric: amount(analysis, metric, (series, level)),
    )


def reachable(analysis: Analysis, series: Series) -> list[Level]:
    """Return the usable levels over the load that a server gets to without passing an excluded one."""
    return below_excluded(
        rungs_of(analysis, series),
        _excluded(analysis, series),
        lambda level, metric: amount(analysis, metric, (series, level)),
    )


def below_excluded(levels: Sequence[Level], excluded: Sequence[Level], number_of: NumberOf) -> list[Level]:
    """Return of the rungs of a ladder, or of one for each kind of load, those below its lowest excluded level.

    Args:
        levels: the usable levels, as ``ladders.rungs`` returns them.
        excluded: the excluded levels of the same series.
        number_of: see ``NumberOf``.
    """
    barred = {
        kind: _lowest_excluded([one for one in levels if one.kind == kind and one.load], excluded, number_of)
        for kind in {level.kind for level in levels}
    }
    return [one for one in levels if (at := barred[one.kind]) is None or one.load < at.load]


def _excluded(analysis: Analysis, series: Series) -> list[Level]:
    return [level for level in series.levels if (series.id, level.id) in analysis.spoilt]


def _lowest_excluded(levels: Sequence[Level], excluded: Sequence[Level], number_of: NumberOf) -> Level | None:
    """Return the lowest excluded level above the lowest one of a ladder.

    A load at which another level of the ladder is usable bars nothing, nor does a level of another length.
    """
    if not levels:
        return None
    usable = {level.load for level in levels}
    barring = (
        level
        for level in excluded
        if level.kind == levels[0].kind
        and level.load > min(usable)
        and level.load not in usable
        and level in rungs((*levels, level), number_of)
    )
    return min(barring, key=lambda level: level.load, default=None)
