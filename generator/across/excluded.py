"""Levels that a check excluded, as bounds of what is advised: nothing vouches for the loads from there on."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

from generator.across.ladders import ladder, rungs, rungs_of
from generator.across.levels import NumberOf, numbers_of
from generator.frame import Analysis
from generator.model import Level, Series
from generator.text import Text
from generator.told.sentence import LevelName, SectionLink, Sentence, SeriesName, say

ANOMALY: Final = SectionLink("anomaly", Text(zh="异常", en="Anomaly"))
"""The chapter that tells of excluded levels."""


def barrier(analysis: Analysis, series: Series) -> Level | None:
    """Return the lowest excluded level above the lowest usable one of the ladder; None where there is none."""
    return _lowest_excluded(ladder(analysis, series), analysis.excluded(series.id), numbers_of(analysis, series))


def reachable(analysis: Analysis, series: Series) -> list[Level]:
    """Return the usable levels over the load that a server gets to without passing an excluded one."""
    return below_excluded(rungs_of(analysis, series), analysis.excluded(series.id), numbers_of(analysis, series))


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


def tell_barred(analysis: Analysis, series: Series) -> Iterator[Sentence]:
    """Say of which levels alone a series is judged, where one is excluded."""
    barred = barrier(analysis, series)
    if barred is not None:
        yield Sentence(BARRED, {"s": SeriesName(series.id), "l": LevelName(series.id, barred.id), "anomaly": ANOMALY})


def tell_past(analysis: Analysis, series: Series, level: Level) -> Iterator[Sentence]:
    """Say of a level beyond the excluded one of its series that it is told of and not advised."""
    barred = barrier(analysis, series)
    if barred is not None and level.load > barred.load:
        names = {"l": LevelName(series.id, level.id), "x": LevelName(series.id, barred.id)}
        yield Sentence(PAST, {"s": SeriesName(series.id), **names, "anomaly": ANOMALY})


def name_of_most(analysis: Analysis, series: Series) -> Sentence:
    """Return what the highest throughput is called that advice rests on: below an excluded level where there is one."""
    barred = barrier(analysis, series)
    if barred is None:
        return Sentence(MOST)
    return Sentence(MOST_BELOW, {"x": LevelName(series.id, barred.id)})


def name_at(analysis: Analysis, series: Series, level: Level) -> Sentence:
    """Return where a number of a level is, with the excluded level that it lies beyond."""
    barred, name = barrier(analysis, series), LevelName(series.id, level.id)
    if barred is None or level.load < barred.load:
        return say(zh="在 {l}", en="at {l}", l=name)
    excluded = LevelName(series.id, barred.id)
    return say(zh="在 {l}，已排除的 {x} 之上", en="at {l}, beyond the excluded {x}", l=name, x=excluded)


BARRED: Final = Text(
    zh="{s} 只算 {l} 之下的档位：这一档已排除（见“{anomaly}”），更高的负载要先经过它。",
    en="Of {s}, only levels below {l} count: that one is excluded (see {anomaly}), and any higher load passes "
    "through it.",
)
PAST: Final = Text(
    zh="{s} 的 {l} 在已排除的 {x} 之上（见“{anomaly}”）：数是测到的，但不建议把 {s} 用到那里。",
    en="{l} of {s} lies beyond {x}, which is excluded (see {anomaly}): the number was measured, but {s} is not "
    "advised there.",
)
MOST: Final = Text(zh="最高吞吐", en="highest throughput")
MOST_BELOW: Final = Text(zh="已排除的 {x} 之下的最高吞吐", en="highest throughput below the excluded {x}")


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
