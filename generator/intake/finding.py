"""The files that an import is to read: those that were named, and those in folders that were named."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.kinds import Importer
from generator.store.files import refuse_unread, shown, unreadable
from generator.store.looks import unknown_format
from generator.store.recognition import recognise
from generator.store.runs import why_not

MOST_FILES: Final = 10_000
"""Files of a folder that are looked at."""
DEEPEST: Final = 8
"""Folders below each other that are gone into."""


@dataclass(frozen=True, slots=True)
class Named:
    """A file to be read.

    Attributes:
        path: the file.
        below: the folder it was found in, from the one that was named; empty for that folder, and for a file that was
            named itself.
        in_folder: whether it was found in a folder.
        fault: why it cannot be looked at.
    """

    path: Path
    below: str = ""
    in_folder: bool = False
    fault: InputError | None = None


@dataclass(frozen=True, slots=True)
class Sorted:
    """What is to be read, with what, and what is not.

    Attributes:
        taken: files, and the importer that reads each.
        refused: files that were named and cannot be used, and folders without a result.
        passed: files in folders that no importer takes, and what each looks like; and folders that lie too deep.
    """

    taken: list[tuple[Named, Importer]] = field(default_factory=list)
    refused: list[InputError] = field(default_factory=list)
    passed: list[InputError] = field(default_factory=list)


def sort_out(paths: Sequence[Path], importers: Mapping[str, Importer]) -> Sorted:
    """Find the files of some paths and who reads each; a file that belongs to another one is read with it.

    Args:
        paths: files and folders.
        importers: the formats that are tried, by name.
    """
    found = [(named, _taker(named, importers)) for named in _all(paths)]
    companions = {
        (named.path.parent, name) for named, taker in found if isinstance(taker, Importer) for name in taker.beside
    }
    sorted_out = Sorted()
    for named, taker in found:
        if (named.path.parent, named.path.name) in companions:
            continue
        if isinstance(taker, Importer):
            sorted_out.taken.append((named, taker))
        elif named.in_folder and (named.fault is not None or taker is None):
            sorted_out.passed.append(named.fault or _why(named, importers))
        else:
            sorted_out.refused.append(taker or _why(named, importers))
    sorted_out.refused.extend(_empty(paths, sorted_out))
    return sorted_out


def _taker(named: Named, importers: Mapping[str, Importer]) -> Importer | InputError | None:
    """Return who reads a file, or why it cannot be looked at; None where nobody does."""
    if named.fault is not None:
        return named.fault
    try:
        return recognise(named.path, importers)
    except InputError as error:
        return error


def _why(named: Named, importers: Mapping[str, Importer]) -> InputError:
    try:
        return unknown_format(named.path, importers) if named.in_folder else why_not(named.path, importers)
    except InputError as error:
        return error


def _empty(paths: Iterable[Path], sorted_out: Sorted) -> Iterator[InputError]:
    """Yield a refusal for each folder in which nothing is a result, and that was not refused already."""
    found = [named.path for named, _ in sorted_out.taken]
    known = {error.file for error in sorted_out.refused}
    for path in paths:
        if path.is_dir() and shown(path) not in known and not any(one.is_relative_to(path) for one in found):
            yield InputError(shown(path), "", "is a folder without a result that can be read", "name a result file")


def _all(paths: Iterable[Path]) -> Iterator[Named]:
    """Yield each file once, and what cannot be looked at with its fault."""
    seen: set[Path] = set()
    for path in paths:
        try:
            for named in _below(path) if path.is_dir() else [_file(path)]:
                if named.path not in seen:
                    seen.add(named.path)
                    yield named
        except InputError as error:
            yield Named(path, fault=error)


def _file(path: Path) -> Named:
    try:
        mode = path.stat().st_mode
    except FileNotFoundError as error:
        raise InputError(shown(path), "", "there is no such file", "name a result file") from error
    except OSError as error:
        raise unreadable(path, error) from error
    if not stat.S_ISREG(mode):  # a pipe would be waited for
        raise InputError(shown(path), "", "is not a file", "name a result file")
    return Named(path)


def _below(top: Path) -> Iterator[Named]:
    """Yield the files of a folder and of those below it, links not followed, hidden ones left out."""
    count = 0
    for folder, below, names in os.walk(top, onerror=refuse_unread):
        here = Path(folder)
        depth = len(here.relative_to(top).parts)
        below[:] = sorted(name for name in below if not name.startswith("."))
        if depth == DEEPEST:
            yield from (_too_deep(here / name) for name in below)
            below.clear()
        for name in sorted(names):
            path = here / name
            if name.startswith(".") or path.is_symlink() or not path.is_file():
                continue
            count += 1
            if count > MOST_FILES:
                raise InputError(shown(top), "", f"has more than {MOST_FILES} files", "name the folders of the results")
            yield Named(path, here.relative_to(top).as_posix().removeprefix("."), in_folder=True)


def _too_deep(folder: Path) -> Named:
    problem = f"is a folder below {DEEPEST} others, and was not looked into"
    return Named(
        folder, in_folder=True, fault=InputError(shown(folder), "", problem, "name it to import what it holds")
    )
