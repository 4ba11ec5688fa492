"""``rounds import``: recognise files, read their runs, place them, and write what was not there before."""

from __future__ import annotations

import hashlib
import stat
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from generator.errors import InputError
from generator.intake.mixing import Mixed, mixed
from generator.intake.placing import Arrived, Placed, RunKey, Standing, identity, place
from generator.intake.refusals import refuse_unreadable
from generator.intake.standing import standing_of
from generator.intake.writing import alone_in, write
from generator.kinds import Importer
from generator.store.files import printable, shown, unreadable
from generator.store.level_file import Original
from generator.store.redact import redact
from generator.store.runs import recognise, why_not

Progress = Callable[[Path, int], object]
"""Told the file being read, and how many more of its bytes have been."""


@dataclass(slots=True)
class Outcome:
    """What came of an import."""

    placed: list[Placed] = field(default_factory=list)
    refused: list[InputError] = field(default_factory=list)
    repeated: dict[str, str] = field(default_factory=dict)
    """Runs that are there already, or that another of the files describes too, and what is to be said of each."""
    new_series: list[str] = field(default_factory=list)
    mixed: list[Mixed] = field(default_factory=list)
    """Levels whose trials do not describe themselves alike."""
    tables: list[str] = field(default_factory=list)
    """Series of the round that are tables of results, not runs."""


def take_in(
    files: Sequence[Path], into: Path, importers: Mapping[str, Importer], series: str | None, progress: Progress
) -> Outcome:
    """Import files into a round's folder, which is made if it is not there.

    A file that cannot be used is refused with its reason, and the others are still imported.

    Args:
        files: the files.
        into: the round's folder.
        importers: the formats that are tried, by name.
        series: the series that all runs belong to; None tells them apart by what the files say.
        progress: told how far each file has been read.

    Raises:
        InputError: the round's folder cannot be read or written; nothing was imported.
    """
    outcome = Outcome()
    arrived = list(_read_all(files, importers, progress, outcome))
    if arrived:
        with alone_in(into):
            _put(arrived, into, standing_of(into, importers), series, outcome)
    return outcome


def _put(arrived: Iterable[Arrived], into: Path, standing: Standing, series: str | None, outcome: Outcome) -> None:
    fresh = list(_only_once(arrived, {identity(one.run): one.folder for one in standing.there}, outcome))
    if not fresh:
        return
    placed = place(fresh, series, standing)
    refuse_unreadable(into, placed, standing)
    outcome.new_series = write(into, placed, standing)
    outcome.placed, outcome.tables = placed, list(standing.tables)
    outcome.mixed = mixed(placed, standing.there)


def _read_all(
    files: Iterable[Path], importers: Mapping[str, Importer], progress: Progress, outcome: Outcome
) -> Iterator[Arrived]:
    for path in files:
        try:
            yield from _read(path, importers, progress)
        except InputError as error:
            outcome.refused.append(error)


def _read(path: Path, importers: Mapping[str, Importer], progress: Progress) -> list[Arrived]:
    _refuse_no_file(path)
    importer = recognise(path, importers)
    if importer is None:
        raise why_not(path, importers)
    runs = importer.read(path, lambda more: progress(path, more))
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = path.stat().st_size
    except OSError as error:
        raise unreadable(path, error) from error
    name = redact(printable(path.name))
    return [Arrived(run, Original(file=name, sha256=digest, bytes=size, place=run.place), path) for run in runs]


def _refuse_no_file(path: Path) -> None:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as error:
        raise InputError(shown(path), "", "there is no such file", "name a result file") from error
    except OSError as error:
        raise unreadable(path, error) from error
    if stat.S_ISDIR(mode):
        raise InputError(shown(path), "", "is a folder", "name its files")
    if not stat.S_ISREG(mode):  # a pipe would be waited for
        raise InputError(shown(path), "", "is not a file", "name a result file")


def _only_once(arrived: Iterable[Arrived], present: Mapping[RunKey, str], outcome: Outcome) -> Iterator[Arrived]:
    seen: dict[RunKey, Arrived] = {}
    for one in arrived:
        key = identity(one.run)
        if key in present:
            outcome.repeated[one.name] = f"is there already as {present[key]}"
        elif key in seen:
            outcome.repeated[one.name] = f"is the same run as {seen[key].name}"
        else:
            seen[key] = one
            yield one
