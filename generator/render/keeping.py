"""Pages kept from one build to the next, each under a hash of all that it was made from."""

from __future__ import annotations

import hashlib
import json
import os
import re
import time
import zlib
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Final, TypeGuard

from generator.render.made_from import Contents, contents_of, program
from generator.store.files import cache_folder, write_atomically

Files = dict[str, str | bytes]
FORM: Final = "rounds site 1"
"""Begins each file; another number where its form is another."""
ENDING: Final = ".pages"
OURS: Final = re.compile(rf"[0-9a-f]{{64}}{re.escape(ENDING)}|\.[0-9a-f]{{64}}{re.escape(ENDING)}\.[0-9]+\.partial")
MOST_KEPT: Final = 256 * 2**20
"""Bytes of all files; those that no build used for the longest time go first."""
LARGEST: Final = 512 * 2**20
"""Bytes of the pages of one file, unpacked."""
LEVEL: Final = 1
"""Of compression: more costs more than it saves."""
PARTIAL_FOR: Final = 3600.0
"""Seconds after which a file that is still being written is of a build that was killed."""


@dataclass(frozen=True, slots=True)
class Kept:
    """Which pages: all that they are made from, and the folders of the site, or the files, that each of them is of."""

    made_from: Mapping[str, object]
    """As JSON can hold it, or records."""
    within: tuple[str, ...]


@dataclass(slots=True)
class Keeper:
    """Keeps pages in a folder. Without a folder it keeps nothing.

    Whatever goes wrong with the folder or a file in it costs time alone: the pages are made anew.
    """

    folder: Path | None
    tell_program: Callable[[], str | None] = program
    """Returns the hash of the program that makes the pages; None where that cannot be told."""
    folders: dict[str, Contents] = field(default_factory=dict)
    """Round -> what its folder held before it was read and, as far as can be told, still held after that."""
    made: dict[str, Files] = field(default_factory=dict)
    """Key -> pages that were not there, to be kept when all are made."""
    _program: str | None = field(init=False)

    def __post_init__(self) -> None:
        """Find out what program makes the pages, and keep nothing where that cannot be told."""
        self._program = self.tell_program() if self.folder is not None else None
        self.folder = self.folder if self._program is not None else None

    def contents_of(self, folder: Path) -> Contents | None:
        """Return what the folder of a round holds; None where nothing is kept."""
        return contents_of(folder) if self.folder is not None else None

    def remember(self, round_id: str, contents: Contents | None) -> None:
        """Take down what a round was read from, if that has not changed since."""
        if contents is not None and contents.still_hold():
            self.folders[round_id] = contents

    def of_rounds(self, rounds: Iterable[str], within: Iterable[str], **also: object) -> Kept | None:
        """Say what pages of some rounds are made from; None where that cannot be told for one of them."""
        ids = list(rounds)
        if any(one not in self.folders for one in ids):
            return None
        read = [[one, self.folders[one].sha256] for one in ids]
        return Kept({"rounds": read, **also}, tuple(within))

    def files(self, kept: Kept | None, make: Callable[[], Files]) -> Files:
        """Return pages as they were kept, else make them, and keep them when the build is through."""
        if self.folder is None or kept is None:
            return make()
        key = self._key(kept)
        found = _read(self.folder / (key + ENDING), key, kept.within)
        if found is None:
            found = self.made[key] = make()
        return found

    def keep(self) -> None:
        """Write what was made, unless the program was touched meanwhile; then remove what is too much."""
        if self.folder is None:
            return
        if self.made and self.tell_program() == self._program:
            for key, files in self.made.items():
                _write(self.folder / (key + ENDING), key, files)
        with suppress(OSError):
            _tidy(self.folder)

    def _key(self, kept: Kept) -> str:
        whole = json.dumps([FORM, self._program, kept.made_from, kept.within], default=asdict, sort_keys=True)
        return hashlib.sha256(whole.encode()).hexdigest()


def keeper_of_user() -> Keeper:
    """Return what keeps pages in the cache of this user; it keeps nothing where there can be none."""
    try:
        folder = cache_folder() / "site"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return Keeper(None)
    return Keeper(folder)


def _read(path: Path, key: str, within: tuple[str, ...]) -> Files | None:
    """Return the pages in a file; None where there is none, or it is not what was written there under that key."""
    try:
        head, _, packed = path.read_bytes().partition(b"\n")
        if head != _head(key, packed):
            return None
        unpacking = zlib.decompressobj()
        text = unpacking.decompress(packed, LARGEST)
        files: object = json.loads(text) if unpacking.eof else None
        os.utime(path)
    except (OSError, ValueError, zlib.error, RecursionError, MemoryError):
        return None
    return files if _are_pages(files, within) else None


def _are_pages(files: object, within: tuple[str, ...]) -> TypeGuard[Files]:
    return isinstance(files, dict) and all(isinstance(one, str) and _belongs(n, within) for n, one in files.items())


def _belongs(name: str, within: tuple[str, ...]) -> bool:
    """Say whether a name begins as it has to, and leads nowhere else."""
    parts = name.split("/")
    return name.startswith(within) and name.isprintable() and "\\" not in name and not {"", ".", ".."} & {*parts}


def _head(key: str, packed: bytes) -> bytes:
    return f"{FORM} {key} {hashlib.sha256(packed).hexdigest()}".encode()


def _write(path: Path, key: str, files: Files) -> None:
    if not all(isinstance(one, str) for one in files.values()):
        return
    text = json.dumps(files, ensure_ascii=False, check_circular=False)
    with suppress(OSError, UnicodeError):
        packed = zlib.compress(text.encode(), LEVEL)
        write_atomically(path, _head(key, packed) + b"\n" + packed)


def _tidy(folder: Path) -> None:
    ours = [(path.stat(), path) for path in folder.iterdir() if OURS.fullmatch(path.name)]
    total, now = 0, time.time()
    for found, path in sorted(ours, key=lambda one: -one[0].st_mtime_ns):
        total += found.st_size
        is_left = path.suffix != ENDING and found.st_mtime < now - PARTIAL_FOR
        if total > MOST_KEPT or is_left:
            path.unlink(missing_ok=True)
