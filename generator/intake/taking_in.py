"""``rounds import``: recognise files, read their runs, place them, and write what was not there before."""

from __future__ import annotations

import hashlib
import os
import shutil
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.intake.placing import Arrived, Placed, identity, place
from generator.intake.round_toml import round_toml
from generator.kinds import Importer
from generator.store.files import printable, read_text, shown, unreadable, write_atomically
from generator.store.level_file import LEVEL_FILE, Original, level_json, read_level_file
from generator.store.request_columns import pack
from generator.store.round_file import ROUND_FILE, read_round_file
from generator.store.runs import LEVELS, recognise

WORK: Final = ".import-"
"""Begins the name of the folder, in the round, in which what is imported is made ready."""

Progress = Callable[[Path, int], object]
"""Told the file being read, and how many more of its bytes have been."""


@dataclass(slots=True)
class Outcome:
    """What came of an import."""

    placed: list[Placed] = field(default_factory=list)
    refused: list[InputError] = field(default_factory=list)
    repeated: list[str] = field(default_factory=list)
    """Runs that are there already, or that another of the files describes too: counted once."""
    new_series: list[str] = field(default_factory=list)


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
    present = list(_present(into))
    fresh = list(_only_once(arrived, {key for key, _ in present}, outcome))
    taken: dict[tuple[str, str], int] = {}
    for _, where in present:
        taken[where] = taken.get(where, 0) + 1
    if fresh:
        outcome.placed = place(fresh, series, taken)
        outcome.new_series = _write(into, outcome.placed)
    return outcome


def _read_all(
    files: Iterable[Path], importers: Mapping[str, Importer], progress: Progress, outcome: Outcome
) -> Iterator[Arrived]:
    for path in files:
        try:
            yield from _read(path, importers, progress)
        except InputError as error:
            outcome.refused.append(error)


def _read(path: Path, importers: Mapping[str, Importer], progress: Progress) -> list[Arrived]:
    importer = recognise(path, importers)
    if importer is None:
        problem = f"is of no known format ({', '.join(importers)})"
        raise InputError(shown(path), "", problem, "name a result file, or its format with --format")
    runs = importer.read(path, lambda more: progress(path, more))
    try:
        with path.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        size = path.stat().st_size
    except OSError as error:
        raise unreadable(path, error) from error
    name = printable(path.name)
    return [Arrived(run, Original(file=name, sha256=digest, bytes=size, place=run.place), path) for run in runs]


def _only_once(arrived: Iterable[Arrived], present: set[object], outcome: Outcome) -> Iterator[Arrived]:
    seen = set(present)
    for one in arrived:
        key = identity(one.run)
        if key in seen:
            outcome.repeated.append(one.name)
        else:
            seen.add(key)
            yield one


def _present(into: Path) -> Iterator[tuple[object, tuple[str, str]]]:
    """Yield the runs that a round has already: what makes each itself, and its series and level."""
    for path in sorted(into.glob(f"*/{LEVELS}/*/*/{LEVEL_FILE}")):
        yield identity(read_level_file(path.parent, into).run()), (path.parts[-5], path.parts[-3])


def _write(into: Path, placed: Sequence[Placed]) -> list[str]:
    """Write all runs, or none; return the series that round.toml did not know.

    Raises:
        InputError: the folder, or round.toml in it, stands in the way.
    """
    before = _round_toml(into)
    known = [table.id for table in read_round_file(into).series] if before is not None else []
    new = list(dict.fromkeys(one.series for one in placed if one.series not in known))
    try:
        into.mkdir(parents=True, exist_ok=True)
        work = Path(tempfile.mkdtemp(prefix=WORK, dir=into))
        try:
            for one in placed:
                _write_trial(work, one)
            # The series first: should the machine stop between the two, importing again completes the round.
            if new:
                text = round_toml(before or "", into.name, [one for one in placed if one.series in new])
                write_atomically(into / ROUND_FILE, text.encode())
            _move(work, into, placed)
        except BaseException:
            _restore(into, before)
            raise
        finally:
            shutil.rmtree(work, ignore_errors=True)
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InputError(shown(into), "", problem, "check its permissions and the room on its disk") from error
    return new


def _round_toml(into: Path) -> str | None:
    with suppress(FileNotFoundError):
        return read_text(into / ROUND_FILE, within=into)
    return None


def _restore(into: Path, before: str | None) -> None:
    """Put round.toml back as it was; what failed has been said, so this fails in silence."""
    with suppress(OSError):
        if before is None:
            (into / ROUND_FILE).unlink()
        else:
            write_atomically(into / ROUND_FILE, before.encode())


def _trial(root: Path, one: Placed) -> Path:
    return root / one.series / LEVELS / one.level / str(one.trial)


def _write_trial(work: Path, one: Placed) -> None:
    folder = _trial(work, one)
    folder.mkdir(parents=True)
    run = one.arrived.run
    files = {LEVEL_FILE: level_json(run, one.arrived.original)}
    if run.requests is not None:
        files |= pack(run.requests)
    for name, data in files.items():
        (folder / name).write_bytes(data)


def _move(work: Path, into: Path, placed: Iterable[Placed]) -> None:
    """Move the trials to their places; what was moved is taken back where one cannot be."""
    moved: list[Path] = []
    try:
        for one in placed:
            target = _trial(into, one)
            target.parent.mkdir(parents=True, exist_ok=True)
            os.rename(_trial(work, one), target)  # noqa: PTH104  # rename(2): fails where something is there
            moved.append(target)
    except BaseException:
        for target in moved:
            with suppress(OSError):
                shutil.rmtree(target)
        raise
