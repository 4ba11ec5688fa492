"""``rounds import``: recognise files, read their runs, place them, and write what was not there before."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from generator.errors import InputError
from generator.intake.finding import Named, sort_out
from generator.intake.mixing import Mixed, mixed
from generator.intake.placing import Arrived, Placed, RunKey, Standing, identity, place
from generator.intake.refusals import refuse_unreadable
from generator.intake.standing import standing_of
from generator.intake.writing import alone_in, write
from generator.kinds import Importer
from generator.redaction import redact
from generator.store.files import printable, unreadable
from generator.store.level_file import Original

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
    passed: list[InputError] = field(default_factory=list)
    """Files in the folders that no importer takes, and what each looks like."""


def take_in(
    files: Sequence[Path], into: Path, importers: Mapping[str, Importer], series: str | None, progress: Progress
) -> Outcome:
    """Import files into a round's folder, which is made if it is not there.

    A file that cannot be used is refused with its reason, and the others are still imported. Of a folder, the files
    that no importer takes are passed over.

    Args:
        files: files, and folders of them.
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
    files: Sequence[Path], importers: Mapping[str, Importer], progress: Progress, outcome: Outcome
) -> Iterator[Arrived]:
    sorted_out = sort_out(files, importers)
    outcome.refused += sorted_out.refused
    outcome.passed += sorted_out.passed
    for named, importer in sorted_out.taken:
        try:
            yield from _read(named, importer, progress)
        except InputError as error:
            outcome.refused.append(error)


def _read(named: Named, importer: Importer, progress: Progress) -> list[Arrived]:
    path = named.path
    runs = importer.read(path, lambda more: progress(path, more))
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        told = path.stat()
    except OSError as error:
        raise unreadable(path, error) from error
    original = Original(
        file=redact(printable(path.name)), sha256=digest, bytes=told.st_size, path=redact(printable(named.below)),
        written=datetime.fromtimestamp(int(told.st_mtime), UTC).isoformat(),
    )  # fmt: skip
    return [Arrived(run, original.model_copy(update={"place": run.place}), path) for run in runs]


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
