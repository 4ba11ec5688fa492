"""Which levels of a series belong together: those that differ in nothing but the load, or in nothing but the length."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from operator import itemgetter
from typing import Final

from generator.across.levels import NumberOf, known_at, numbers_of, of_one_length
from generator.frame import Analysis
from generator.model import Level, LoadKind, Series
from generator.text import Text
from generator.values import Address, Value

LENGTHS: Final = 3
"""Different lengths that make a sweep."""


def ladder(analysis: Analysis, series: Series, kind: LoadKind | None = None) -> tuple[Level, ...]:
    """Return the usable levels of a series that differ in the load alone, by rising load.

    Of several lengths, or limits beside a rate, they are of the one with most loads, the first of several. ``kind`` is
    of their load; where it is not given, that of most levels of the round.
    """
    wanted = kind or analysis.round.load_kinds[0]
    return tuple(level for level in rungs_of(analysis, series) if level.load and level.kind == wanted)


def rungs_of(analysis: Analysis, series: Series) -> list[Level]:
    """Return the usable levels of a series that conclusions over the load rest on: its ladder of each kind of load."""
    return rungs(analysis.usable(series.id), numbers_of(analysis, series))


def rungs(levels: Iterable[Level], number_of: NumberOf) -> list[Level]:
    """Return of some levels those that make a ladder, of each kind of load; all, where none has a load.

    Args:
        levels: in their order.
        number_of: see ``NumberOf``.
    """
    loaded: dict[LoadKind, list[Level]] = {}
    for level in levels:
        if level.load:
            loaded.setdefault(level.kind, []).append(level)
    kept = {level for same_kind in loaded.values() for level in _widest(same_kind, number_of)}
    return [level for level in levels if level in kept] if kept else list(levels)


def _widest(levels: Iterable[Level], number_of: NumberOf) -> list[Level]:
    """Return of levels of one kind of load those of one limit and one length that have most loads."""
    by_limit: dict[float | None, list[Level]] = {}
    for level in levels:
        by_limit.setdefault(limit_of(level), []).append(level)
    groups = (group for same_limit in by_limit.values() for group in of_one_length(same_limit, number_of))
    return max(groups, key=lambda group: (len({level.load for level in group}), len(group)))


def limit_of(level: Level) -> float | None:
    """Return the limit that stands beside a rate; None where there is none."""
    return level.concurrency if level.kind == "rate" else None


def sweep(analysis: Analysis, series: Series) -> tuple[Level, ...]:
    """Return the usable levels of one load whose prompts have different lengths, by rising length.

    They are of one kind, load and limit, and have three asked input lengths at least; of several such loads the lowest
    counts. Empty where there is none.
    """
    loads: dict[tuple[object, ...], list[tuple[float, Level]]] = {}
    for length, level in known_at(analysis, "asked_input_tokens", series, analysis.usable(series.id)):
        loads.setdefault(level.order, []).append((length, level))
    swept = [levels for levels in loads.values() if len({length for length, _ in levels}) >= LENGTHS]
    lowest = min(swept, key=lambda levels: levels[0][1].order, default=[])
    return tuple(level for _, level in sorted(lowest, key=itemgetter(0)))


def is_curved(analysis: Analysis, series: str) -> bool:
    """Say whether the quadratic term can be told from zero: it is more than twice its standard error away."""
    term, error = (
        analysis.frame.of_series(key, series).value
        for key in ("prefill_per_token_squared", "prefill_per_token_squared_error")
    )
    return term is not None and error is not None and abs(term) > 2 * error


def bend_is_known(analysis: Analysis, series: str) -> bool:
    """Say whether there is a parabola of the prefill by length, so that a straight line can be told from a bent one."""
    return analysis.frame.of_series("prefill_per_token_squared", series).value is not None


WALLS: Final[Mapping[str, Text]] = {
    "wall_memory": Text(zh="显存墙", en="memory wall"),
    "wall_bandwidth": Text(zh="带宽拐点", en="bandwidth bend"),
    "wall_scheduler": Text(zh="调度墙", en="scheduler wall"),
}
"""Bounds of the concurrency of a series, each a metric of it, and what a reader calls them."""


def walls(analysis: Analysis, series: Series) -> list[tuple[float, str]]:
    """Return the bounds of a series that are known, each a concurrency and its metric, the lowest first."""
    found = ((analysis.frame.of_series(key, series.id).value, key) for key in WALLS)
    return sorted((at, key) for at, key in found if at is not None)


def wall_inputs(wall: Value) -> list[Address]:
    """Return what a bound was computed from; of a column, the first stands for all: they are alike."""
    first = {one.name: one.address for one in reversed(wall.inputs)}
    return [address for address in reversed(first.values()) if address.metric != wall.address.metric]


def most_in_flight(analysis: Analysis, series: Series) -> tuple[float, Level] | None:
    """Return the level of the ladder with most requests in flight, and how many; None where that is not known."""
    found = known_at(analysis, "in_flight", series, ladder(analysis, series))
    return max(found, key=itemgetter(0), default=None)
