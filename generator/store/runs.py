"""runs/<round>/<series>/levels/<level>/<trial>/ to levels, observations and requests."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from generator.declared.round_tables import LevelTable
from generator.declared.table_types import ID_PATTERN
from generator.errors import InputError, quote
from generator.kinds import REPORTED, Importer, Metric
from generator.model import Level, Series, Trial
from generator.places import Place
from generator.runs.imported import Description, Reported, Run, description
from generator.runs.requests import Requests
from generator.store.files import leads_out, shown, unreadable
from generator.store.level_file import LEVEL_FILE, OURS, read_level_file
from generator.store.looks import unknown_format
from generator.store.names import natural
from generator.store.published import PUBLISHED_CSV
from generator.store.recognition import recognise
from generator.store.request_columns import REQUESTS_FILE, unpack
from generator.telemetry.files import lies_beside
from generator.units import base_unit, to_base
from generator.values import Address, Observation, Origin, Source

LEVELS: Final = "levels"
PACKED_LOG: Final = "server.log.zst"
SERVER_LOGS: Final = ("server.log", PACKED_LOG)
"""What may lie beside the result of a run; it is read for itself."""
MOST_LEVELS: Final = 200
MOST_TRIALS: Final = 100
RESULT_SUFFIXES: Final = frozenset({".json", ".jsonl"})
"""Of files that are taken for a result out of place; notes may quote one."""

Importers = Mapping[str, Importer]


@dataclass(frozen=True, slots=True)
class Ran:
    """What the runs of a series give: levels by rising load, and every number found."""

    levels: tuple[Level, ...]
    observations: tuple[Observation, ...]
    requests: Mapping[Trial, Requests]
    described: Mapping[Trial, Description]


@dataclass(frozen=True, slots=True)
class _Found:
    """One run, the file it was read from as the round names it, and where it belongs."""

    run: Run
    source: str
    folder: Path


def has_runs(folder: Path, series: str) -> bool:
    """Say whether a series keeps its runs, not a table of results."""
    return (folder / series / LEVELS).is_dir()


def read_runs(
    folder: Path, series: str, places: Mapping[Place, Metric], importers: Importers, entries: Iterable[LevelTable] = ()
) -> Ran:
    """Read the runs of a series.

    Args:
        folder: the round's folder.
        series: the id of the series, which is the name of its folder.
        places: every place where a number may be written down, and the metric it is of.
        importers: readers of the files that other tools write.
        entries: what round.toml says of levels: the load of those whose files do not tell it.

    Raises:
        InputError: a folder is none of a level or trial, or a file in it cannot be read.
    """
    known = {metric.key: metric for place, metric in places.items() if place.kind == "column"}
    planned = {entry.id: entry for entry in entries if entry.speaks_of(series)}
    levels: list[Level] = []
    observations: list[Observation] = []
    requests: dict[Trial, Requests] = {}
    described: dict[Trial, Description] = {}
    for path in _folders(folder / series / LEVELS, folder, MOST_LEVELS, "levels"):
        trials = [_read_trial(trial, folder, importers) for trial in _folders(path, folder, MOST_TRIALS, "trials")]
        if not trials and path.name in planned:
            continue  # a collector that was stopped had made room for it
        if not trials:
            raise InputError(shown(path), "", "has no trial", f"put the run into {path.name}/1/, or remove the folder")
        level = _level(path, trials, planned.get(path.name))
        levels.append(level)
        for number, found in zip(level.runs, trials, strict=True):
            of_trial = Address("", "level", series, level.id, trial=number)
            observations += _observations(found, of_trial, known)
            described[series, level.id, number] = description(found.run)
            if found.run.requests is not None:
                requests[series, level.id, number] = found.run.requests
    return Ran(tuple(sorted(levels, key=lambda level: level.order)), tuple(observations), requests, described)


def trials_of(folder: Path, series: Series) -> Iterator[tuple[Path, Address]]:
    """Yield the folder of each run of a series, and what is found there is of; the metric is not named yet.

    Raises:
        InputError: something else lies among them.
    """
    for level in series.levels:
        if level.from_runs:
            trials = _folders(folder / series.id / LEVELS / level.id, folder, MOST_TRIALS, "trials")
            for number, path in zip(level.runs, trials, strict=True):
                yield path, Address("", "level", series.id, level.id, trial=number)


def _folders(parent: Path, within: Path, most: int, what: str) -> list[Path]:
    try:
        found = sorted((path for path in parent.iterdir() if not path.name.startswith(".")), key=natural)
        for path in found:
            if not path.is_dir() or leads_out(path, within):
                raise InputError(shown(path), "", f"is not a folder of {what}", "move it into the folder of a trial")
            if not re.fullmatch(ID_PATTERN, path.name):
                problem = f"the name {quote(path.name)} cannot be an id"
                raise InputError(shown(path), "", problem, "rename it: letters, digits, dots, dashes and underscores")
    except (OSError, RuntimeError) as error:
        raise unreadable(parent, error) from error
    if len(found) > most:
        raise InputError(shown(parent), "", f"has {len(found)} {what}, more than {most}", "split the round")
    return found


def _level(path: Path, trials: list[_Found], planned: LevelTable | None) -> Level:
    loads = {(found.run.concurrency, found.run.rate) for found in trials}
    if len(loads) > 1:
        problem = f"the trials have different loads: {' and '.join(sorted(map(_named, loads)))}"
        raise InputError(shown(path), "", problem, "give each load a level of its own")
    concurrency, rate = loads.pop()
    if planned is not None:
        concurrency, rate = concurrency or planned.concurrency, rate or planned.rate
    return Level(path.name, concurrency, rate, len(trials), from_runs=True)


def _named(load: tuple[float | None, float | None]) -> str:
    concurrency, rate = load
    limit = "no limit" if concurrency is None else f"concurrency {concurrency:g}"
    return f"{limit} at {rate:g} req/s" if rate is not None else limit


def _read_trial(trial: Path, folder: Path, importers: Importers) -> _Found:
    here = trial.relative_to(folder).as_posix()
    if (trial / LEVEL_FILE).exists():
        file = read_level_file(trial, folder)
        source = f"{here}/{LEVEL_FILE}"
        if not os.path.lexists(trial / REQUESTS_FILE):
            return _Found(file.run(), source, trial)
        columns = Source(f"{here}/{REQUESTS_FILE}", "")
        requests = replace(unpack(trial, columns, folder), kinds_of_error=file.errors)
        return _Found(replace(file.run(), requests=requests), source, trial)
    path, importer = _foreign(trial, folder, importers)
    run = _only_run(path, importer)
    source = f"{here}/{path.name}"
    if run.requests is not None:
        run = replace(run, requests=replace(run.requests, source=Source(source, "")))
    return _Found(run, source, trial)


def run_of_trial(trial: Path, folder: Path, importers: Importers) -> Run:
    """Return the run in the folder of a trial. The requests of one that was imported are not read.

    Raises:
        InputError: there is no run, or it cannot be read.
    """
    if (trial / LEVEL_FILE).exists():
        return read_level_file(trial, folder).run()
    return _only_run(*_foreign(trial, folder, importers))


def _only_run(path: Path, importer: Importer) -> Run:
    runs = importer.read(path, lambda _: None)
    if len(runs) == 1:
        return runs[0]
    remedy = "import it with `rounds import`, which gives each run a folder of its own"
    raise InputError(shown(path), "", f"holds {len(runs)} runs, and a trial is one", remedy)


def _foreign(trial: Path, folder: Path, importers: Importers) -> tuple[Path, Importer]:
    """Return the one file of a trial that some importer takes."""
    files = list(_files(trial, folder))
    taken = [(path, importer) for path in files if (importer := recognise(path, importers)) is not None]
    if len(taken) == 1:
        return taken[0]
    if taken:
        names = " and ".join(quote(path.name) for path, _ in taken)
        raise InputError(shown(trial), "", f"has several results: {names}", "give each a folder of its own: 1, 2, …")
    if len(files) == 1 and importers:
        raise why_not(files[0], importers)
    formats = ", ".join(importers)
    problem = f"has no result that can be read (known formats: {formats})"
    raise InputError(shown(trial), "", problem, "put the result file of the run into it, or remove the folder")


def _files(trial: Path, folder: Path) -> Iterator[Path]:
    try:
        for entry in sorted(os.scandir(trial), key=lambda entry: entry.name):
            path = Path(entry.path)
            if entry.name in SERVER_LOGS or lies_beside(entry.name):
                continue
            if not entry.name.startswith(".") and entry.is_file() and not leads_out(path, folder):
                yield path
    except (OSError, RuntimeError) as error:
        raise unreadable(trial, error) from error


def why_not(path: Path, importers: Importers) -> InputError:
    """Return why no importer takes a file: of a single one its own reason, of several what the file looks like.

    Raises:
        InputError: the file cannot be read.
    """
    if len(importers) != 1:
        return unknown_format(path, importers)
    [(key, importer)] = importers.items()
    try:
        importer.read(path, lambda _: None)
    except InputError as error:
        return error
    problem = f"does not begin like a file of {quote(key)}, though it can be read as one"
    return InputError(shown(path), "", problem, f"import it with --format {key}")


def refuse_strays(folder: Path, series: str, importers: Importers) -> None:
    """Refuse a result that lies in the folder of a series itself, where nothing would read it.

    What no importer recognises may lie there; so may anything beside a table of results, as what it was made from.
    """
    with suppress(OSError, RuntimeError):  # whatever cannot be looked at is refused where it is read
        if (folder / series / PUBLISHED_CSV).exists():
            return
        for path in sorted((folder / series).iterdir()):
            if path.suffix in RESULT_SUFFIXES and path.is_file() and recognise(path, importers) is not None:
                remedy = f"import it with `rounds import`, or move it to {series}/{LEVELS}/<level>/1/"
                raise InputError(shown(path), "", "is a result that does not lie in the folder of a trial", remedy)


def _observations(found: _Found, trial: Address, known: Mapping[str, Metric]) -> Iterator[Observation]:
    run = found.run
    origin: Origin = "measured" if run.tool == OURS else "reported"
    for key, unit, load in (("concurrency", "1", run.concurrency), ("rate", "req/s", run.rate)):
        if load is not None:
            yield _observation(Reported(key, key, unit, load), None, trial, found.source, origin)
    for reported in run.reported:
        metric = known.get(reported.metric)
        if metric is None:
            problem = f"there is no metric {quote(reported.metric)}"
            raise InputError(shown(found.folder), LEVEL_FILE, problem, "import the run again")
        if base_unit(reported.unit) != base_unit(metric.unit):
            problem = f"{reported.metric} is in {metric.unit}, and cannot be given in {quote(reported.unit)}"
            raise InputError(shown(found.folder), LEVEL_FILE, problem, "import the run again")
        taken = any(p.is_sample for way in metric.derivations for p in way.parameters)
        basis = REPORTED if taken and run.requests is not None else None
        yield _observation(reported, basis, trial, found.source, origin)


def _observation(reported: Reported, basis: str | None, trial: Address, source: str, origin: Origin) -> Observation:
    address = trial._replace(metric=reported.metric, basis=basis)
    value = to_base(reported.value, reported.unit)
    return Observation(address, value, origin, Source(source, reported.key))
