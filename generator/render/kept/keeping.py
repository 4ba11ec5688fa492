"""What is kept from one build to the next: analyses and pages, each under a hash of all that it was made from."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from generator.frame import Analysis
from generator.render.kept.files import read, sealed, tidy, write
from generator.render.kept.made_from import contents_of, program
from generator.render.kept.records import NotKeptError, packed, unpacked
from generator.store.files import cache_folder

Files = dict[str, bytes]


@dataclass(frozen=True, slots=True)
class Kept:
    """Which pages: all that they are made from, and the folders of the site, or the files, that each of them is of."""

    made_from: Mapping[str, object]
    """As JSON can hold it, or records."""
    within: tuple[str, ...]


@dataclass(slots=True)
class Keeper:
    """Keeps analyses and pages in a folder. Without a folder it keeps nothing.

    Whatever goes wrong with the folder or a file in it costs time alone: everything is made anew.
    """

    folder: Path | None
    tell_program: Callable[[], str | None] = program
    """Returns the hash of the program that makes the pages; None where that cannot be told."""
    rounds: dict[str, str] = field(default_factory=dict)
    """Round -> a hash of all that its pages can tell, where its folder did not change while it was read."""
    sources: dict[str, str] = field(default_factory=dict)
    """Round -> a hash of all that lies in its folder: what is copied from there can change where no page does."""
    made: dict[str, bytes] = field(default_factory=dict)
    """Key -> the file of what was not there, to be written when all is made."""
    _program: str | None = field(init=False)

    def __post_init__(self) -> None:
        """Find out what program makes the pages, and keep nothing where that cannot be told."""
        self._program = self.tell_program() if self.folder is not None else None
        self.folder = self.folder if self._program is not None else None

    def analysis(self, folder: Path, make: Callable[[Path], Analysis]) -> Analysis:
        """Return the analysis of the round in a folder as it was kept, else read and analyse it.

        Raises:
            InputError: ``make`` does.
        """
        contents = contents_of(folder) if self.folder is not None else None
        if contents is None:
            return make(folder)
        key = self._key("analysis", folder.name, contents.sha256)
        kept = self._read(key)
        found = _unpacked(kept) if kept else None
        if found is None or not contents.still_hold():
            found, kept = make(folder), None
        data = kept or _packed(found)
        if contents.still_hold():
            self.sources[found.round.id] = contents.sha256
            self.rounds[found.round.id] = hashlib.sha256(data).hexdigest() if data else contents.sha256
            if data and not kept:
                self.made[key] = sealed(key, data)
        return found

    def of_rounds(self, rounds: Iterable[str], within: Iterable[str], **also: object) -> Kept | None:
        """Say what pages of some rounds are made from; None where that cannot be told for one of them."""
        ids = list(rounds)
        if any(one not in self.rounds for one in ids):
            return None
        return Kept({"rounds": [[one, self.rounds[one]] for one in ids], **also}, tuple(within))

    def files(self, kept: Kept | None, make: Callable[[], Files]) -> Files:
        """Return pages as they were kept, else make them, and keep them when the build is through."""
        if self.folder is None or kept is None:
            return make()
        key = self._key("pages", kept.made_from, kept.within)
        data = self._read(key)
        found = None if data is None else _files(data, kept.within)
        if found is None:
            found = make()
            self.made[key] = sealed(key, _in_one(found))
        return found

    def keep(self) -> None:
        """Write what was made, unless the program was touched meanwhile; then remove what is too much."""
        if self.folder is None:
            return
        if self.made and self.tell_program() == self._program:
            for key, file in self.made.items():
                write(self.folder, key, file)
        with suppress(OSError):
            tidy(self.folder)

    def _read(self, key: str) -> bytes | None:
        return read(self.folder, key) if self.folder is not None else None

    def _key(self, *made_from: object) -> str:
        whole = json.dumps([self._program, *made_from], default=asdict, sort_keys=True)
        return hashlib.sha256(whole.encode()).hexdigest()


def keeper_of_user() -> Keeper:
    """Return what keeps pages in the cache of this user; it keeps nothing where there can be none."""
    try:
        folder = cache_folder() / "site"
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except (OSError, RuntimeError):
        return Keeper(None)
    return Keeper(folder)


def _packed(analysis: Analysis) -> bytes:
    """Return an analysis as bytes; none where it cannot be kept."""
    try:
        return packed(analysis)
    except NotKeptError:
        return b""


def _unpacked(data: bytes) -> Analysis | None:
    try:
        return unpacked(data)
    except NotKeptError:
        return None


def _in_one(files: Files) -> bytes:
    """Return files in one piece: on the first line their names and sizes, behind it what they hold."""
    sizes = json.dumps([[name, len(content)] for name, content in files.items()])
    return b"".join([sizes.encode(), b"\n", *files.values()])


def _files(data: bytes, within: tuple[str, ...]) -> Files | None:
    """Return the files in such a piece; None where it is none, or one of them lies elsewhere."""
    found, at = Files(), data.find(b"\n") + 1
    try:
        for name, size in json.loads(data[:at]):
            found[name] = data[at : at + size]
            at += size
        return found if at == len(data) and all(_belongs(name, within) for name in found) else None
    except (ValueError, TypeError, AttributeError, RecursionError):
        return None


def _belongs(name: str, within: tuple[str, ...]) -> bool:
    """Say whether a name begins as it has to, and leads nowhere else."""
    parts = name.split("/")
    return name.startswith(within) and name.isprintable() and "\\" not in name and not {"", ".", ".."} & {*parts}
