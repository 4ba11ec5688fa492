"""server.log, of a run, a series or the whole round: what the server itself tells.

A log may be of any length, and so may its lines: it is read in pieces. Of what it says numbers are kept, and the lines
they come from; never its text, for prompts of users may stand in it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np
import pyarrow as pa
from numpy.typing import NDArray

from generator.errors import InputError
from generator.kinds import Engine, Metric
from generator.logs.scan import scan
from generator.logs.tables import MOST, TooManyEventsError
from generator.model import Series, Trial
from generator.places import Place
from generator.runs.log_events import Events, EventTable, Told
from generator.runs.requests import Requests
from generator.runs.server_times import ServerTimes
from generator.store.beside import Beside, Sought, sought
from generator.store.collected import COLD_START, SESSIONS, sessions_of
from generator.store.files import open_file, refuse_outside, shown, unreadable
from generator.store.log_cut import BLURRED, NOTHING, cut
from generator.store.log_moments import times_in
from generator.store.log_runs import LoggedRun, runs_without_log
from generator.store.names import natural
from generator.store.run_window import window_of
from generator.store.runs import SERVER_LOGS, trials_of
from generator.text import Text, same
from generator.values import Address, Observation, Source

PIECE: Final = 2**20
"""Bytes that are read at a time."""
LARGEST: Final = 2**36
"""Bytes that a log may unpack to: some minutes of reading, and a few hundred times the log of a long campaign."""
CITED: Final = 3
"""Lines that are named where a number rests on many."""


@dataclass(frozen=True, slots=True)
class Log:
    """A log that was read: whose it is, what it tells, by the names of the facts, and the events that this rests on."""

    engine: Engine
    told: Mapping[str, Told]
    events: Events


@dataclass(frozen=True, slots=True)
class _Possible:
    """A folder that may hold a log, what the log is of, and whether it is asked only for what holds all the time.

    ``of`` are the series whose runs it may tell of besides; ``start`` is the number of the start that it is the log of,
    and ``is_first`` says whether this is the first of its series.
    """

    folder: Path
    where: Address
    lasting: bool = False
    of: tuple[Series, ...] = ()
    start: int | None = None
    is_first: bool = False

    def places_of(self, one: Sought) -> Iterator[Address]:
        """Yield what a fact is a number of: of a session, what each start has one of its own of is of that start."""
        if not one.metric.of_start or not self.lasting:
            yield self.where
        elif self.start is not None:
            yield self.where._replace(trial=self.start)
            if self.is_first:
                yield self.where


def read_server_logs(
    folder: Path,
    series: Sequence[Series],
    places: Mapping[Place, Metric],
    engines: Mapping[str, Engine],
    requests: Mapping[Trial, Requests] | None = None,
) -> Beside:
    """Take the numbers from each log of the server that a round has.

    Args:
        folder: the round's folder.
        series: the series with their levels.
        places: every place where a number may be written down, and the metric it is of.
        engines: the servers whose logs can be read.
        requests: the requests of the runs that have them: by these a log of several runs may be cut.

    Returns:
        an observation for each fact that a log tells and a metric is read from, none for a log of no known server; and
        why a log of several runs does not tell of one of them.

    Raises:
        InputError: a log cannot be read, is damaged or not a file of the round.
    """
    wanted = sought(places, "log")
    found: dict[Address, Observation] = {}
    unread: dict[Address, Text] = {}
    times: dict[Trial, ServerTimes] = {}
    for possible in _possible(folder, series):
        path = _log_in(possible.folder, folder)
        log = read_log(path, engines.values()) if path is not None else None
        if path is None or log is None:
            continue
        file = path.relative_to(folder).as_posix()
        for observation in _observed(possible, log, file, wanted.get(possible.where.scope, [])):
            found.setdefault(observation.address, observation)
        times |= _times_of_run(possible, log, file, folder)
        runs = list(runs_without_log(folder, possible.of, requests or {}))
        for observation in _of_runs(log, file, runs, wanted.get("level", []), unread, times) if runs else ():
            found.setdefault(observation.address, observation)
    return Beside(
        list(found.values()), {where: why for where, why in unread.items() if where not in found}, times=times
    )


def _possible(folder: Path, series: Sequence[Series]) -> Iterator[_Possible]:
    """Yield every folder that may hold a log; of several that may tell the same, the one that counts comes first."""
    without = tuple(one for one in series if not any((folder / one.id / name).exists() for name in SERVER_LOGS))
    yield _Possible(folder, Address("", "round"), of=without)
    for one in series:
        of_series = Address("", "series", one.id)
        yield _Possible(folder / one.id, of_series, of=(one,))
        yield from _sessions(folder / one.id, of_series)
        for beside, where in trials_of(folder, one):
            yield _Possible(beside, where)


def _sessions(home: Path, of_series: Address) -> Iterator[_Possible]:
    """Yield the sessions of a series: the last comes first, as it tells of the engine as it is now."""
    starts = [path for path in sessions_of(home) if (path / COLD_START).exists()]
    for session in sorted((home / SESSIONS).glob("*"), key=natural, reverse=True):
        number = int(session.name) if session in starts else None
        yield _Possible(session, of_series, lasting=True, start=number, is_first=session in starts[:1])


def _observed(possible: _Possible, log: Log, file: str, wanted: Iterable[Sought]) -> Iterator[Observation]:
    lasting = {fact.name for fact in log.engine.facts if fact.lasting}
    for one in wanted:
        told = log.told.get(one.name)
        if told is not None and (one.name in lasting or not possible.lasting):
            for where in possible.places_of(one):
                yield one.found(where, told.value, "measured", Source(file, _lines(told.lines)))


def _of_runs(
    log: Log,
    file: str,
    runs: Sequence[LoggedRun],
    wanted: Sequence[Sought],
    unread: dict[Address, Text],
    times: dict[Trial, ServerTimes],
) -> Iterator[Observation]:
    """Yield what a log of several runs tells of each of them; note why where it does not, and when things happened."""
    launches = log.told.get("launches")
    parts = cut(log.events, launches.lines if launches is not None else np.zeros(0, np.int64), runs)
    cut_out = {} if isinstance(parts, Text) else {part.run.where: part for part in parts}
    names = {fact.name for fact in log.engine.facts if not fact.lasting}
    of_runs = [one for one in wanted if one.name in names]
    for run in runs:
        part = cut_out.get(run.where)
        why = parts if isinstance(parts, Text) else NOTHING if part is None else BLURRED
        told = _facts(log.engine, part.events) if part is not None else {}
        if part is not None and run.monotonic is not None:
            times |= _times(log.engine, part.events, run.monotonic[0], run.where, file)
        # Of what a log as a whole does not tell, a part tells nothing: that is no fault of the cut.
        for one in (one for one in of_runs if one.name in log.told):
            if one.name in told and part is not None:
                yield one.found(run.where, told[one.name].value, "measured", Source(file, part.how))
            else:
                unread.setdefault(one.at(run.where), why.format(file=same(file)))


def _times_of_run(possible: _Possible, log: Log, file: str, folder: Path) -> dict[Trial, ServerTimes]:
    """Return when things happened in the run that a log lies beside."""
    if possible.where.scope != "level":
        return {}
    span = window_of(possible.folder, folder).monotonic
    return {} if span is None else _times(log.engine, log.events, span[0], possible.where, file)


def _times(engine: Engine, events: Events, begin: float, where: Address, file: str) -> dict[Trial, ServerTimes]:
    times = times_in(engine, events, begin, file)
    return {} if times is None else {(where.series or "", where.level or "", where.trial): times}


def _facts(engine: Engine, events: Events) -> dict[str, Told]:
    """Return what some events tell, by the names of the facts. A part of a log may lack kinds that some need."""
    found: dict[str, Told] = {}
    for fact in engine.facts:
        with suppress(KeyError):
            told = fact.compute(events)
            if told is not None:
                found[fact.name] = told
    return found


def _lines(lines: NDArray[np.int64]) -> str:
    """Name the lines that a number rests on, the first of them where they are many."""
    if not len(lines):
        return "no line of it"
    named = ", ".join(str(line) for line in lines[:CITED].tolist())
    more = f" and {len(lines) - CITED} more" if len(lines) > CITED else ""
    return f"line {named}" if len(lines) == 1 else f"lines {named}{more}"


def _log_in(beside: Path, folder: Path) -> Path | None:
    """Return the log in a folder; None where there is none."""
    found = [path for name in SERVER_LOGS if (path := beside / name).exists() or path.is_symlink()]
    if len(found) > 1:
        raise InputError(shown(found[1]), "", f"stands beside {found[0].name}", "keep one of them")
    for path in found:
        _refuse_unfit(path, folder)
    return found[0] if found else None


def _refuse_unfit(path: Path, folder: Path) -> None:
    try:
        refuse_outside(path, folder)
        if not path.is_file():
            raise InputError(shown(path), "", "is not a regular file", "replace it by one")
    except (OSError, RuntimeError) as error:
        raise unreadable(path, error) from error


def read_log(path: Path, engines: Iterable[Engine]) -> Log | None:
    """Return whose log a file is and what it tells; None where no line is of a server that is known.

    Args:
        path: the log; one whose name ends in ``.zst`` is unpacked on the way.
        engines: those that it may be of; it is of the one that took up most requests, as it tells.

    Raises:
        InputError: the file cannot be read, does not unpack, or tells of more than can be held.
    """
    known = {engine.key: engine for engine in engines}
    kinds = [replace(kind, key=f"{key} {kind.key}") for key, engine in known.items() for kind in engine.events]
    try:
        events = scan(_pieces(path), kinds)
    except TooManyEventsError as error:
        problem, remedy = f"tells of more than {MOST} events", "cut it to the time of the run"
        raise InputError(shown(path), "", problem, remedy) from error
    of_each = {key: _of(key, events) for key in known}
    whose = max(of_each, key=lambda key: _weight(of_each[key]), default=None)
    if whose is None or _weight(of_each[whose]) == (0, 0):
        return None
    return Log(known[whose], _facts(known[whose], of_each[whose]), of_each[whose])


def _of(key: str, events: Events) -> dict[str, EventTable]:
    """Return the events of one server, by their own names."""
    return {name.removeprefix(f"{key} "): table for name, table in events.items() if name.startswith(f"{key} ")}


def _weight(events: Events) -> tuple[int, int]:
    """Return how many requests were taken up; where none were, the events of any kind decide."""
    return len(events["launch"]) if "launch" in events else 0, sum(len(table) for table in events.values())


def _pieces(path: Path) -> Iterator[bytes]:
    total = 0
    try:
        with open_file(path) as raw, _unpacked(raw, path) as file:
            while piece := file.read(PIECE):
                total += len(piece)
                if total > LARGEST:
                    problem = f"unpacks to more than {LARGEST // 2**30} GiB"
                    raise InputError(shown(path), "", problem, "cut it to the time of the run")
                yield piece
    except OSError as error:
        if error.errno is None:  # pyarrow's word for what does not unpack
            raise _not_whole(path) from error
        raise unreadable(path, error) from error


def _unpacked(raw: BinaryIO, path: Path) -> BinaryIO | Any:  # noqa: ANN401 - pyarrow has no types
    if path.suffix != ".zst":
        return raw
    if not os.fstat(raw.fileno()).st_size:  # which pyarrow takes for a whole file
        raise _not_whole(path)
    return pa.input_stream(raw, compression="zstd")


def _not_whole(path: Path) -> InputError:
    return InputError(shown(path), "", "is not a whole zstd file", "pack it again, or unpack it")
