"""The plan of a round: which runs of which levels of which series, each with a seed of its own."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from hashlib import blake2b
from typing import Final

from generator.declared.round_tables import LevelTable, RoundFile, SeriesTable
from generator.errors import InputError

FEWEST_REQUESTS: Final = 20
REQUESTS_A_SLOT: Final = 10
"""Requests of a level that names none, for each in flight: filling up and running empty then matter little."""


@dataclass(frozen=True, slots=True)
class PlannedRun:
    """One run of one level of one series: what is asked, and the seed of its prompts and arrivals.

    ``offset`` counts the requests of runs that stand before it in the plan: where it begins to draw from a dataset.
    ``processes`` is how many processes the client has for it.
    """

    series: str
    level: str
    trial: int
    concurrency: int | None
    rate: float | None
    requests: int
    input_tokens: int
    output_tokens: int
    cold: int
    warm: int
    seed: int
    offset: int = 0
    processes: int = 1

    @property
    def in_all(self) -> int:
        """Return how many requests are sent, those before the clock included."""
        return self.cold + self.warm + self.requests

    @property
    def place(self) -> str:
        """Return where the run lies in the folder of its series."""
        return f"levels/{self.level}/{self.trial}"


def planned_series(file: RoundFile) -> tuple[SeriesTable, ...]:
    """Return the series that can be collected: those with a command, an address, or the server of Rounds."""
    return tuple(one for one in file.series if one.is_collectable)


def planned_runs(file: RoundFile, series: SeriesTable, shown: str) -> tuple[PlannedRun, ...]:
    """Return the runs of a series, trial by trial: every level once, before any is repeated.

    Neighbouring trials of one level would share whatever the machine does at that moment.

    Args:
        file: round.toml.
        series: one of its series.
        shown: the name of the file for error lines.

    Raises:
        InputError: a level has neither concurrency nor rate, or stands there twice; its lengths are nowhere; or the
            arrivals of a trace are asked for without one.
    """
    levels = [entry for entry in file.level if entry.speaks_of(series.id)]
    if not levels:
        problem = f"plans no level for {series.id}"
        raise InputError(shown, "[[level]]", problem, 'add entries such as id = "c8", concurrency = 8')
    _refuse_unfit(file, levels, shown)
    most = max(_whole(entry.trials or 1, entry, "trials", shown) for entry in levels)
    offsets = _offsets(file)
    return tuple(
        replace(_run(file, series, entry, trial, shown), offset=offsets[entry, trial])
        for trial in range(1, most + 1)
        for entry in sorted(levels, key=_load)
        if trial <= (entry.trials or 1)
    )


def _refuse_unfit(file: RoundFile, levels: Sequence[LevelTable], shown: str) -> None:
    twice = next((one for one, times in Counter(entry.id for entry in levels).items() if times > 1), None)
    if twice is not None:
        raise InputError(shown, f"[[level]] {twice}", "stands there twice", "give each level an id of its own")
    if file.workload.arrival == "trace" and file.workload.dataset_file is None:
        problem = "is a trace, and no file gives one"
        raise InputError(shown, "[workload] arrival", problem, "name it in dataset_file")


def _offsets(file: RoundFile) -> dict[tuple[LevelTable, int], int]:
    """Return how many requests come before each trial of each entry.

    They are counted in the order of the file, over all series alike: who adds an entry at its end changes none.
    """
    found: dict[tuple[LevelTable, int], int] = {}
    before = 0
    ahead = file.workload.cold_requests + file.workload.warm_requests
    for entry in file.level:
        for trial in range(1, int(entry.trials or 1) + 1):
            found[entry, trial] = before
            before += ahead + int(entry.requests or _enough(entry.concurrency))
    return found


def _enough(concurrency: float | None) -> int:
    return max(FEWEST_REQUESTS, REQUESTS_A_SLOT * int(concurrency or 1))


def _load(entry: LevelTable) -> tuple[float, float]:
    return entry.concurrency or math.inf, entry.rate or 0.0


def _run(file: RoundFile, series: SeriesTable, entry: LevelTable, trial: int, shown: str) -> PlannedRun:
    load = file.workload
    if entry.concurrency is None and entry.rate is None:
        raise InputError(shown, f"[[level]] {entry.id}", "has neither concurrency nor rate", "add one of them")
    concurrency = None if entry.concurrency is None else _whole(entry.concurrency, entry, "concurrency", shown)
    return PlannedRun(
        series=series.id,
        level=entry.id,
        trial=trial,
        concurrency=concurrency,
        rate=entry.rate,
        requests=_whole(entry.requests or _enough(concurrency), entry, "requests", shown),
        input_tokens=_length(entry.input_tokens or load.input_tokens, entry, "input_tokens", shown),
        output_tokens=_length(entry.output_tokens or load.output_tokens, entry, "output_tokens", shown),
        cold=load.cold_requests,
        warm=load.warm_requests,
        seed=seed_of(load.seed, entry.id, trial),
    )


def _length(tokens: float | None, entry: LevelTable, key: str, shown: str) -> int:
    if tokens is None:
        problem = f"says no {key}, nor does [workload]"
        raise InputError(shown, f"[[level]] {entry.id}", problem, f"add {key} to [workload]")
    return _whole(tokens, entry, key, shown)


def _whole(number: float, entry: LevelTable, key: str, shown: str) -> int:
    if number != int(number):
        problem = f"expected a whole number, found {number:g}"
        raise InputError(shown, f"[[level]] {entry.id}, {key}", problem, "round it")
    return int(number)


def seed_of(seed: int, level: str, trial: int) -> int:
    """Return a seed that no other level and trial has: prompts of one never hit a cache that another has filled.

    All series share it, so that they are asked the same.
    """
    digest = blake2b(f"{seed}/{level}/{trial}".encode(), digest_size=8).digest()
    return int.from_bytes(digest, "big") >> 1


def requests_in_all(runs: Iterable[PlannedRun]) -> int:
    """Count the requests of some runs, those before the clock included."""
    return sum(run.in_all for run in runs)
