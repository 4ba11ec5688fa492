"""Where an imported run belongs: its series, its level and the number of its trial."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from generator.intake.naming import free_id, load_id, slug
from generator.runs.imported import Run
from generator.store.level_file import Original
from generator.store.runs import LEVELS

APART: Final = 1.05
"""Mean lengths further apart than this are another workload, not another trial."""

RunKey = tuple[object, ...]
LevelKey = tuple[str, str]
"""A series and one of its levels."""
Traits = frozenset[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class Arrived:
    """A run, and the file that it came in."""

    run: Run
    original: Original
    path: Path

    @property
    def name(self) -> str:
        """Return what an error line calls it."""
        return f"{self.original.file}, {self.original.place}" if self.original.place else self.original.file


@dataclass(frozen=True, slots=True)
class There:
    """A run that the round has already."""

    run: Run
    series: str
    level: str
    trial: str

    @property
    def folder(self) -> str:
        """Return where it lies in the round."""
        return f"{self.series}/{LEVELS}/{self.level}/{self.trial}"


@dataclass(frozen=True, slots=True)
class Standing:
    """A round as an import finds it.

    Attributes:
        there: its runs.
        last: (series, level) -> the highest number of a trial, whether it can be read or not.
        tables: series that are tables of results.
        declared: the series of round.toml; None where there is no such file.
        folders: every folder of the round, whose names no series may repeat in other letters.
    """

    there: tuple[There, ...] = ()
    last: Mapping[LevelKey, int] = field(default_factory=dict)
    tables: tuple[str, ...] = ()
    declared: tuple[str, ...] | None = None
    folders: tuple[str, ...] = ()

    @property
    def names(self) -> list[str]:
        """Return every name that a series could be confused with."""
        return list(dict.fromkeys((*self.folders, *(self.declared or ()))))


@dataclass(frozen=True, slots=True)
class Placed:
    """A run with its place in the round."""

    arrived: Arrived
    series: str
    level: str
    trial: int

    @property
    def folder(self) -> str:
        """Return where the run lies in the round."""
        return f"{self.series}/{LEVELS}/{self.level}/{self.trial}"


def identity(run: Run) -> RunKey:
    """Return what two descriptions of one run share: when it began, its load, and every number of its summary."""
    numbers = sorted((one.metric, round(one.value, 9)) for one in run.reported)
    return run.started, run.concurrency, run.rate, run.test, tuple(numbers)


def place(arrived: Sequence[Arrived], series: str | None, standing: Standing) -> list[Placed]:
    """Give every run its series, level and trial, in the order in which they began.

    Runs go together, and apart, in the same way whether they are imported at once or one after another.

    Args:
        arrived: the runs.
        series: the series they all belong to; None tells them apart by engine, model, label, tool and what was swept.
        standing: what the round has already.
    """
    names = _series_ids([one.run for one in arrived], standing) if series is None else [series] * len(arrived)
    groups: dict[tuple[str, str], list[Arrived]] = defaultdict(list)
    for one, name in zip(arrived, names, strict=True):
        groups[name, load_id(one.run)].append(one)
    placed: list[Placed] = []
    for (name, load), members in groups.items():
        there = [one for one in standing.there if one.series == name]
        for level, trials in _by_length(load, members, there).items():
            ordered = sorted(trials, key=lambda one: one.run.started or "")
            first = standing.last.get((name, level), 0) + 1
            placed += [Placed(one, name, level, first + nth) for nth, one in enumerate(ordered)]
    return placed


def _by_length(load: str, members: Iterable[Arrived], there: Sequence[There]) -> dict[str, list[Arrived]]:
    """Split runs of one load by their mean lengths: a level has one workload, also with the runs that are there."""
    kinds: list[tuple[str | None, tuple[float, float], list[Arrived]]] = [
        (one.level, mean_lengths(one.run), []) for one in there if load_id(one.run) == load
    ]
    for one in members:
        lengths = mean_lengths(one.run)
        near = next((runs for _, seen, runs in kinds if _alike(seen, lengths)), None)
        if near is None:
            kinds.append((None, lengths, [one]))
        else:
            near.append(one)
    levels: dict[str, list[Arrived]] = {}
    taken = {one.level for one in there}
    for level, (given, made), runs in kinds:
        wanted = load if len(kinds) == 1 else f"{load}-in{given:.0f}-out{made:.0f}"
        name = level or free_id(wanted, {*taken, *levels})
        levels.setdefault(name, []).extend(runs)
    return {level: runs for level, runs in levels.items() if runs}


def mean_lengths(run: Run) -> tuple[float, float]:
    """Return the mean lengths of prompts and answers, in tokens: as counted, else as asked; 0 for neither."""
    said = {one.metric: one.value for one in run.reported}
    completed = said.get("completed", 0.0) or 1.0
    given = said.get("input_tokens_counted", 0.0) / completed or said.get("asked_input_tokens", 0.0)
    made = said.get("output_tokens_counted", 0.0) / completed or said.get("output_tokens_mean", 0.0)
    return given, made or said.get("asked_output_tokens", 0.0)


def _alike(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(0 in pair or max(pair) <= APART * min(pair) for pair in zip(one, other, strict=True))


def _series_ids(runs: Sequence[Run], standing: Standing) -> list[str]:
    """Name each run's series by what tells it from the others, also from those that are there."""
    ids: dict[Traits, str] = {}
    for one in standing.there:
        ids.setdefault(frozenset(_traits(one.run).items()), one.series)
    told = [_traits(run) for run in runs]
    telling = _telling([*told, *(_traits(one.run) for one in standing.there)])
    taken = {*ids.values(), *standing.tables}
    for traits in told:
        key = frozenset(traits.items())
        if key not in ids:
            wanted = slug("-".join(_part(name, traits[name]) for name in telling if name in traits))
            ids[key] = free_id(wanted, taken, standing.names)
            taken.add(ids[key])
    return [ids[frozenset(traits.items())] for traits in told]


def _telling(told: Sequence[Mapping[str, str]]) -> list[str]:
    """Return the traits that not all runs share: engine first, then label, model, tool, what was swept."""
    names = list(dict.fromkeys(name for traits in told for name in traits))
    return [name for name in names if len({traits.get(name) for traits in told}) > 1] or ["engine", "model"]


def _traits(run: Run) -> dict[str, str]:
    model = run.model and run.model.rpartition("/")[2]
    traits = {"engine": run.engine, "label": run.label, "model": model, "tool": run.tool, **run.swept}
    return {name: value for name, value in traits.items() if value}


def _part(name: str, value: str) -> str:
    return value if name in ("engine", "label", "model", "tool") else f"{name}-{value}"
