"""The runs that a log above them may tell of: when each was, and how many requests it sent."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC
from pathlib import Path
from typing import Final

from generator.model import Series, Trial
from generator.runs.requests import Requests
from generator.store.level_file import LEVEL_FILE, LevelFile, read_level_file
from generator.store.run_window import begin_in, duration_in, window_in
from generator.store.runs import SERVER_LOGS, trials_of
from generator.telemetry.statistics import Span
from generator.values import Address

LATEST: Final = 1e11
"""Seconds since 1970 beyond which a time is none."""


@dataclass(frozen=True, slots=True)
class LoggedRun:
    """A run that the log of a series or a round may tell of.

    Attributes:
        where: what is found is a number of this run; the metric is not named yet.
        sent: its requests; ``answered`` those that were answered. None where the run does not tell.
        monotonic: begin and end on CLOCK_MONOTONIC, in s.
        wall: begin and end in s since 1970, by UTC where ``has_zone``, else as its own clock showed them.
        started: what runs of one kind of clock are ordered by.
    """

    where: Address
    sent: int | None = None
    answered: int | None = None
    monotonic: Span | None = None
    wall: Span | None = None
    has_zone: bool = True
    started: float | None = None


def runs_without_log(folder: Path, series: Iterable[Series], requests: Mapping[Trial, Requests]) -> Iterator[LoggedRun]:
    """Yield the runs of some series that have no log of their own.

    Raises:
        InputError: a level.json is not one that Rounds wrote.
    """
    for one in series:
        for trial, where in trials_of(folder, one):
            if not any((trial / name).exists() for name in SERVER_LOGS):
                yield _run(trial, where, folder, requests.get((one.id, where.level or "", where.trial)))


def _run(trial: Path, where: Address, folder: Path, requests: Requests | None) -> LoggedRun:
    file = read_level_file(trial, folder) if (trial / LEVEL_FILE).exists() else None
    sent, answered = _counts(file, requests)
    if file is None:
        return LoggedRun(where, sent, answered)
    window, local = window_in(file), _local_begin(file)
    if local is None:
        return LoggedRun(where, sent, answered, window.monotonic, window.utc, True, window.started)
    return LoggedRun(where, sent, answered, window.monotonic, _lasting(local, file), False, local)


def _local_begin(file: LevelFile) -> float | None:
    """Return when a run began by a clock without zone, as if that were UTC; None where it has a zone or no time."""
    found = begin_in(file)
    return found.replace(tzinfo=UTC).timestamp() if found is not None and found.tzinfo is None else None


def _lasting(begin: float, file: LevelFile) -> Span | None:
    duration = duration_in(file)
    return (begin, begin + duration) if duration is not None and 0 < begin < LATEST else None


def _counts(file: LevelFile | None, requests: Requests | None) -> tuple[int | None, int | None]:
    """Return how many requests a run sent, and how many were answered."""
    if requests is not None:
        return len(requests.answered), int(requests.answered.sum())
    told = {one.metric: round(one.value) for one in file.reported} if file is not None else {}
    answered, failed = told.get("completed"), told.get("failed")
    together = answered + failed if answered is not None and failed is not None else None
    return told.get("requests", together), answered
