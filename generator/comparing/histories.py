"""One quantity of one level over the rounds of a family: where it moved, and what was changed there."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.comparing.change_points import change_points
from generator.comparing.records import Setting
from generator.comparing.settings import settings_of
from generator.frame import Analysis
from generator.model import Level
from generator.values import Address, Value

FOLLOWED: Final = ("output_throughput", "itl_p50", "ttft_p50")
"""The metrics whose history is told."""
MOST_LEVELS: Final = 4
"""Levels of a series that are followed: those that most rounds have."""
FEWEST: Final = 2
"""Rounds that make a history."""


@dataclass(frozen=True, slots=True)
class Seen:
    """A value in one round of the history."""

    at: int
    analysis: Analysis
    value: Value


@dataclass(frozen=True, slots=True)
class Moved:
    """A move to another level of the values.

    Attributes:
        seen: the first round at the new level.
        change: as a share of the level before.
        changed: the settings that are known to differ from the round before.
        before: the version of the engine in the round before; None where it is not known.
        after: the version from this round on.
    """

    seen: Seen
    change: float
    changed: tuple[Setting, ...]
    before: str | None
    after: str | None


@dataclass(frozen=True, slots=True)
class Track:
    """The history of one metric of one level of one series, in the order of the rounds; spoilt levels are left out."""

    series: str
    level: Level
    metric: str
    seen: tuple[Seen, ...]
    moves: tuple[Moved, ...]


def tracks(rounds: Sequence[Analysis]) -> list[Track]:
    """Return the histories of a family of rounds, given in the order of the list."""
    found = []
    for series in dict.fromkeys(one.id for side in rounds for one in side.round.series):
        for metric in FOLLOWED:
            seen = [(level, tuple(_seen(rounds, metric, series, level.id))) for level in _levels(rounds, series)]
            known = [(level, values) for level, values in seen if len(values) >= FEWEST]
            followed = sorted(known, key=lambda one: -len(one[1]))[:MOST_LEVELS]
            ordered = sorted(followed, key=lambda one: one[0].order)
            found += [Track(series, level, metric, values, _moves(series, values)) for level, values in ordered]
    return found


def version_of(analysis: Analysis, series: str) -> str | None:
    """Return the version of the engine of a series; None where it is not known."""
    machine = analysis.round.machines.get(series)
    return None if machine is None else machine.text("engine.version")


def _levels(rounds: Sequence[Analysis], series: str) -> list[Level]:
    """Return the levels of a series in any round; one that has another load in some round is another level there."""
    found = {
        (level.id, level.order): level
        for side in rounds
        for one in side.round.series
        if one.id == series
        for level in one.levels
    }
    ids = [level.id for level in found.values()]
    return [level for level in found.values() if ids.count(level.id) == 1]


def _seen(rounds: Sequence[Analysis], metric: str, series: str, level: str) -> Iterator[Seen]:
    for at, side in enumerate(rounds):
        value = side.frame.values.get(Address(metric, "level", series, level))
        if value is not None and value.value and (series, level) not in side.spoilt:
            yield Seen(at, side, value)


def _moves(series: str, seen: Sequence[Seen]) -> tuple[Moved, ...]:
    points = change_points([one.value.value for one in seen if one.value.value is not None])
    return tuple(_moved(series, seen[one.index - 1], seen[one.index], one.change) for one in points)


def _moved(series: str, before: Seen, after: Seen, change: float) -> Moved:
    settings = settings_of(before.analysis.round, after.analysis.round, series)
    changed = tuple(one for one in settings if one.status == "different")
    return Moved(after, change, changed, version_of(before.analysis, series), version_of(after.analysis, series))
