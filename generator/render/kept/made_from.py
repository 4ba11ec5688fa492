"""What pages are made from, as hashes: the program with all that it draws on, and the folder of a round."""

from __future__ import annotations

import hashlib
import os
import platform
import stat
import sys
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from generator import IMPORTED_AT
from generator.render.resources import PACKAGE, resource

COARSE: Final = 0.1
"""Seconds by which the clock of a file system may lag behind the system's."""

Entry = tuple[str, int, int, int, int, int]
"""What lies in a folder: its path there, and mode, inode, size in bytes, ns of the last change of content and inode."""


@dataclass(frozen=True, slots=True)
class Contents:
    """A folder as it was: one hash over the names and the bytes of all that lies in it."""

    folder: Path
    entries: tuple[Entry, ...]
    sha256: str

    def still_hold(self) -> bool:
        """Say whether nothing in the folder was touched since."""
        return _entries(self.folder) == self.entries


def contents_of(folder: Path) -> Contents | None:
    """Return what a folder holds; None where it can not be told: with links or odd files in it, or while it changes."""
    entries = _entries(folder)
    if entries is None:
        return None
    whole = hashlib.sha256()
    try:
        for name, mode, *_ in entries:
            _add(whole, name, b"/" if stat.S_ISDIR(mode) else _digest(folder / name))
    except OSError:
        return None
    found = Contents(folder, entries, whole.hexdigest())
    return found if found.still_hold() else None


def program(since: float = IMPORTED_AT) -> str | None:
    """Return a hash over this program, what it is run by, and the packages beside it.

    Args:
        since: when its modules began to be imported (s since 1970).

    Returns:
        None where a file of it was touched since, or cannot be read: what runs may be another program.
    """
    whole = hashlib.sha256()
    _add(whole, sys.version, platform.platform().encode())
    try:
        _add(whole, "packages", "\n".join(_installed()).encode())
        for path in _own_files():
            if path.stat().st_ctime >= since - COARSE:
                return None
            _add(whole, path.as_posix(), _digest(path))
    except OSError:
        return None
    return whole.hexdigest()


def _own_files() -> Iterator[Path]:
    for folder in (PACKAGE, resource("templates"), resource("site_src")):
        yield from sorted(path for path in folder.rglob("*") if path.suffix != ".pyc" and path.is_file())


def _installed() -> Iterable[str]:
    """Return the names of all packages that can be imported, with their versions."""
    folders = [Path(entry) for entry in sys.path if entry]
    return sorted({found.name for folder in folders if folder.is_dir() for found in folder.glob("*.dist-info")})


def _digest(path: Path) -> bytes:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").digest()


def _add(whole: hashlib._Hash, name: str, content: bytes) -> None:
    """Add a part in such a way that no other parts give the same."""
    named = os.fsencode(name)
    whole.update(b"%d %d\n%b" % (len(named), len(content), named))
    whole.update(content)


def _entries(folder: Path) -> tuple[Entry, ...] | None:
    whole = os.fspath(folder)
    try:
        return tuple(_entry(path, whole) for path in sorted(_below(whole)))
    except (OSError, ValueError):
        return None


def _below(folder: str) -> Iterator[str]:
    for parent, folders, files in os.walk(folder, onerror=_raise):
        yield from (os.path.join(parent, name) for name in (*folders, *files))  # noqa: PTH118  # thousands, twice a build


def _entry(path: str, folder: str) -> Entry:
    """Return what lies at a path. Raises ValueError where that is neither a folder nor a plain file."""
    found = os.lstat(path)
    if not (stat.S_ISDIR(found.st_mode) or stat.S_ISREG(found.st_mode)):
        raise ValueError(path)
    name = path[len(folder) :].lstrip(os.sep).replace(os.sep, "/")
    size = 0 if stat.S_ISDIR(found.st_mode) else found.st_size
    return name, found.st_mode, found.st_ino, size, found.st_mtime_ns, found.st_ctime_ns


def _raise(error: OSError) -> None:
    raise error
