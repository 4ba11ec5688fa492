"""Where an imported run belongs: its series, its level and the number of its trial."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator.imported import Run
from generator.store.level_file import Original

LONGEST_ID: Final = 60
APART: Final = 1.05
"""Mean lengths further apart than this are another workload, not another trial."""

RunKey = tuple[object, ...]


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
class Placed:
    """A run with its place in the round."""

    arrived: Arrived
    series: str
    level: str
    trial: int


def identity(run: Run) -> RunKey:
    """Return what two descriptions of one run share: when it began, its load, and every number of its summary."""
    numbers = sorted((one.metric, round(one.value, 9)) for one in run.reported)
    return run.started, run.concurrency, run.rate, tuple(numbers)


def place(arrived: Sequence[Arrived], series: str | None, taken: Mapping[tuple[str, str], int]) -> list[Placed]:
    """Give every run its series, level and trial, in the order in which they began.

    Args:
        arrived: the runs.
        series: the series they all belong to; None tells them apart by engine, model, label and what was swept.
        taken: (series, level) -> the trials that are there already.
    """
    names = _series_names([one.run for one in arrived]) if series is None else [series] * len(arrived)
    groups: dict[tuple[str, str], list[Arrived]] = defaultdict(list)
    for one, name in zip(arrived, names, strict=True):
        groups[name, load_id(one.run)].append(one)
    placed: list[Placed] = []
    for (name, load), members in groups.items():
        for level, trials in _by_length(load, members).items():
            ordered = sorted(trials, key=lambda one: one.run.started or "")
            first = taken.get((name, level), 0) + 1
            placed += [Placed(one, name, level, first + nth) for nth, one in enumerate(ordered)]
    return placed


def load_id(run: Run) -> str:
    """Return the id of a level by its load: ``c8``, ``r2.5``, ``r10-c8`` or, without any limit, ``all-at-once``."""
    rate = f"r{run.rate:.10g}" if run.rate is not None else ""
    limit = f"c{run.concurrency:.10g}" if run.concurrency is not None else ""
    return "-".join(part for part in (rate, limit) if part) or "all-at-once"


def _by_length(load: str, members: Iterable[Arrived]) -> dict[str, list[Arrived]]:
    """Split runs of one load by their mean lengths: a level has one workload."""
    kinds: list[tuple[tuple[float, float], list[Arrived]]] = []
    for one in members:
        lengths = _lengths(one.run)
        near = next((kind for seen, kind in kinds if _alike(seen, lengths)), None)
        if near is None:
            kinds.append((lengths, [one]))
        else:
            near.append(one)
    if len(kinds) == 1:
        return {load: kinds[0][1]}
    return {f"{load}-in{given:.0f}-out{made:.0f}": kind for (given, made), kind in kinds}


def _lengths(run: Run) -> tuple[float, float]:
    """Return the mean lengths of prompts and answers; 0 where they are not known."""
    said = {one.metric: one.value for one in run.reported}
    completed = said.get("completed", 0.0) or 1.0
    return said.get("input_tokens_counted", 0.0) / completed, said.get("output_tokens_counted", 0.0) / completed


def _alike(one: tuple[float, float], other: tuple[float, float]) -> bool:
    return all(0 in pair or max(pair) <= APART * min(pair) for pair in zip(one, other, strict=True))


def _series_names(runs: Sequence[Run]) -> list[str]:
    """Name each run's series by what tells it from the others: engine first, then model, label, what was swept."""
    traits = [_traits(run) for run in runs]
    keys = list(dict.fromkeys(key for of_run in traits for key in of_run))
    telling = [key for key in keys if len({of_run.get(key) for of_run in traits}) > 1]
    named = telling or ["engine", "model"]
    return [slug("-".join(part for key in named if (part := _part(key, of_run)))) for of_run in traits]


def _traits(run: Run) -> dict[str, str | None]:
    return {"engine": run.engine, "label": run.label, "model": run.model and run.model.rpartition("/")[2], **run.swept}


def _part(key: str, traits: Mapping[str, str | None]) -> str | None:
    value = traits.get(key)
    return value if key in ("engine", "label", "model") or value is None else f"{key}-{value}"


def slug(words: str) -> str:
    """Return an id made of some words; ``series`` where nothing of them is left."""
    clean = re.sub(r"[^a-z0-9._]+", "-", words.lower()).strip("-._")
    return clean[:LONGEST_ID].strip("-._") or "series"
