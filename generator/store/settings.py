"""Numbers of round.toml that metrics are read from, each for the series and levels it speaks of."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from generator.declared.round_tables import LevelTable, RoundFile
from generator.declared.table_types import Strict
from generator.errors import InputError
from generator.kinds import Metric
from generator.model import Series
from generator.places import Place
from generator.store.economics import is_economic, scenario_numbers
from generator.store.numbers import decimals_of
from generator.store.round_file import ROUND_FILE
from generator.units import to_base
from generator.values import Address, Observation, Source


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A table of the file, how a source names it, and the series and level that it speaks of."""

    table: Strict
    label: str
    series: Sequence[Series]
    level: str | None = None


def declared(
    file: RoundFile, shown: str, series: Sequence[Series], places: Mapping[Place, Metric]
) -> tuple[Observation, ...]:
    """Return the numbers that round.toml declares.

    Args:
        file: the checked file.
        shown: its name for error lines.
        series: the series with the levels that their data gave them.
        places: every place where a number may be written down, and the metric it is of.

    Raises:
        InputError: a ``[[level]]`` speaks of a series or a level that is not there, or of one twice. Where the runs
            themselves are kept, or are still to be collected, a level without data is a plan and no error.
    """
    _refuse_strays(file.level, shown, series)
    settings = [(at, metric) for at, metric in places.items() if at.kind == "setting" and not is_economic(at)]
    found = (
        observation
        for place, metric in settings
        for spoken in _tables(file, place.name.partition(".")[0], series)
        for observation in _observations(place, metric, spoken)
    )
    return *found, *scenario_numbers(file, series, places)


def _tables(file: RoundFile, name: str, series: Sequence[Series]) -> Iterator[_Spoken]:
    if name == "series":
        yield from (_Spoken(one.table, f"[[series]] {one.id},", [one]) for one in series)
    elif name == "level":
        for entry in file.level:
            yield _Spoken(entry, f"[[level]] {entry.id},", _spoken_of(entry, series), entry.id)
    else:
        yield _Spoken(getattr(file, name), f"[{name}]", series)


def _observations(place: Place, metric: Metric, spoken: _Spoken) -> Iterator[Observation]:
    key = place.name.partition(".")[2]
    found: float | None = getattr(spoken.table, key)
    if found is None:
        return
    for address in _addresses(metric, spoken):
        yield Observation(
            address=address,
            value=to_base(found, place.unit),
            origin="declared",
            source=Source(ROUND_FILE, f"{spoken.label} {key}"),
            decimals=decimals_of(found),
            priority=metric.places.index(place),
        )


def _addresses(metric: Metric, spoken: _Spoken) -> Iterator[Address]:
    if metric.scope == "round":
        yield Address(metric.key, "round", basis=metric.basis)
    elif metric.scope == "series":
        yield from (Address(metric.key, "series", one.id, basis=metric.basis) for one in spoken.series)
    else:
        for one in spoken.series:
            for level in one.levels:
                if spoken.level in (None, level.id):
                    yield Address(metric.key, "level", one.id, level.id, metric.basis)


def _spoken_of(entry: LevelTable, series: Sequence[Series]) -> list[Series]:
    return [one for one in series if entry.speaks_of(one.id)]


def _refuse_strays(entries: Iterable[LevelTable], shown: str, series: Sequence[Series]) -> None:
    taken: set[tuple[str, str]] = set()
    for entry in entries:
        place = f"[[level]] {entry.id}"
        missing = set(entry.series or ()) - {one.id for one in series}
        if missing:
            problem = f"there is no series {min(missing)}"
            raise InputError(shown, place, problem, f"name one of {', '.join(one.id for one in series)}")
        having = [one.id for one in _spoken_of(entry, series) if _may_have(one, entry.id)]
        if not having:
            problem = "no series that it speaks of has this level"
            raise InputError(shown, place, problem, "add it to the data of the series, or remove the entry")
        twice = taken & {(one, entry.id) for one in having}
        if twice:
            problem = f"says again what an earlier entry says of {min(twice)[0]}"
            raise InputError(shown, place, problem, "keep one of them")
        _refuse_contradiction(entry, shown, [one for one in series if one.id in having])
        taken |= {(one, entry.id) for one in having}


def _may_have(series: Series, level: str) -> bool:
    """Say whether a series has a level, or may still get it: one of runs grows, a table is whole."""
    return all(one.from_runs for one in series.levels) or level in {one.id for one in series.levels}


def _refuse_contradiction(entry: LevelTable, shown: str, series: Sequence[Series]) -> None:
    """Refuse an entry that plans another load for a level than its table has."""
    levels = [(one.id, level) for one in series for level in one.levels if level.id == entry.id]
    for name in ("concurrency", "rate"):
        planned = getattr(entry, name)
        for owner, level in levels:
            found = getattr(level, name)
            if None not in (planned, found) and planned != found:
                problem = f"{name} is {planned:.15g} here and {found:.15g} in the data of {owner}"
                raise InputError(shown, f"[[level]] {entry.id}", problem, "correct one of them")
