"""One quantity of one level over the rounds of a family: where it moved, and what was changed there."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
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

    @property
    def series(self) -> str:
        """Return the id that the series has in this round."""
        return self.value.address.series or ""


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
    """The history of one metric of one level of one series, in the order of the rounds; spoilt levels are left out.

    ``series`` is the id that it had first (see ``ids_of``).
    """

    series: str
    level: Level
    metric: str
    seen: tuple[Seen, ...]
    moves: tuple[Moved, ...]


def tracks(rounds: Sequence[Analysis]) -> list[Track]:
    """Return the histories of a family of rounds, given in the order of the list."""
    ids = ids_of(rounds)
    named = dict.fromkeys(name for one in ids for name in one)
    return [track for name in named for metric in FOLLOWED for track in _tracks(name, metric, rounds, ids)]


def ids_of(rounds: Sequence[Analysis]) -> list[dict[str, str]]:
    """Return for each round, by the id that a series had first, the one that it has there.

    A series keeps its name where a round says in ``[round] pairs`` what it was called in an earlier one; without that,
    another id is another series.
    """
    first: dict[str, str] = {}
    found = []
    for one in rounds:
        before = {own: other for other, own in one.round.file.round.pairs.items() if other in first}
        now: dict[str, str] = {}
        for series in sorted((each.id for each in one.round.series), key=lambda id_: id_ not in before):
            name = first.get(before.get(series, series), series)
            now[series if name in now else name] = series
        first |= {series: name for name, series in now.items()}
        found.append(now)
    return found


def _tracks(name: str, metric: str, rounds: Sequence[Analysis], ids: Sequence[Mapping[str, str]]) -> Iterator[Track]:
    """Yield the histories of a metric at the levels that most rounds have, by rising load."""
    levels = _levels(rounds, [one.get(name) for one in ids])
    seen = [(level, tuple(_seen(rounds, ids, Address(metric, "level", name, level.id)))) for level in levels]
    known = [(level, values) for level, values in seen if len(values) >= FEWEST]
    followed = sorted(known, key=lambda one: -len(one[1]))[:MOST_LEVELS]
    for level, values in sorted(followed, key=lambda one: one[0].order):
        yield Track(name, level, metric, values, _moves(values))


def version_of(analysis: Analysis, series: str) -> str | None:
    """Return the version of the engine of a series; None where it is not known."""
    machine = analysis.round.machines.get(series)
    return None if machine is None else machine.text("engine.version")


def _levels(rounds: Sequence[Analysis], ids: Sequence[str | None]) -> list[Level]:
    """Return the levels of a series in any round; one that has another load in some round is another level there."""
    found = {
        (level.id, level.order): level
        for side, series in zip(rounds, ids, strict=True)
        for one in side.round.series
        if one.id == series
        for level in one.levels
    }
    ids = [level.id for level in found.values()]
    return [level for level in found.values() if ids.count(level.id) == 1]


def _seen(rounds: Sequence[Analysis], ids: Sequence[Mapping[str, str]], address: Address) -> Iterator[Seen]:
    """Yield the values at an address, whose series is named as it was first."""
    for at, (side, names) in enumerate(zip(rounds, ids, strict=True)):
        series, level = names.get(address.series or ""), address.level or ""
        value = None if series is None else side.frame.values.get(address._replace(series=series))
        if series is not None and value is not None and value.value and (series, level) not in side.spoilt:
            yield Seen(at, side, value)


def _moves(seen: Sequence[Seen]) -> tuple[Moved, ...]:
    points = change_points([one.value.value for one in seen if one.value.value is not None])
    return tuple(_moved(seen[one.index - 1], seen[one.index], one.change) for one in points)


def _moved(before: Seen, after: Seen, change: float) -> Moved:
    settings = settings_of(before.analysis.round, after.analysis.round, after.series, before.series)
    changed = tuple(one for one in settings if one.status == "different" and not one.is_counting)
    versions = (version_of(one.analysis, one.series) for one in (before, after))
    return Moved(after, change, changed, *versions)
