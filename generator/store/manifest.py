"""MANIFEST.json: what the data of a round were when they were sealed."""

from __future__ import annotations

import hashlib
import json
import os
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, ValidationError

from generator import SCHEMA, __version__
from generator.errors import InputError
from generator.model import Integrity
from generator.store.files import leads_out, printable, read_bytes, refuse_unread, shown, unreadable, write_atomically
from generator.store.round_file import ROUND_FILE

MANIFEST: Final = "MANIFEST.json"
PROSE: Final = "prose"
CLAIMS: Final = "claims.csv"
NOT_DATA: Final = frozenset({ROUND_FILE, MANIFEST, PROSE, CLAIMS})
"""What lies in a round's folder beside its data: the authors may still change it."""

LARGEST_DATA: Final = 4 * 2**30
"""Bytes of the largest data file that is hashed; the logs of a campaign are far smaller."""

Hashes = Mapping[str, str]
"""Name of a file -> its sha256; the name is the path from the round's folder, with slashes, made printable."""

Version = tuple[Path, int, int, int, int]
"""A file as it was: path, inode, size in bytes, and ns of the last change of its content and of its inode."""

Seen = dict[Version, str]
"""sha256 of files as they were: a file that has not been touched since need not be read again."""


class _Versioned(BaseModel):
    """As much of a manifest as every version of it has."""

    model_config = ConfigDict(strict=True, frozen=True)

    schema_: Annotated[int, Field(alias="schema")]


class _Manifest(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    schema_: Annotated[int, Field(alias="schema", ge=1)]
    tool: str
    files: dict[str, str]


class BrokenManifestError(InputError):
    """A manifest that seals nothing, because nothing can be read from it."""


def hash_data(folder: Path, seen: Seen | None = None) -> dict[str, str]:
    """Return the sha256 of every data file, by path.

    Args:
        folder: of the round.
        seen: what was read before, and is added to; None to read every file.

    Raises:
        InputError: a data file cannot be read, or is too large to be data.
    """
    seen = {} if seen is None else seen
    hashes: dict[str, str] = {}
    for path in _data_files(folder):
        try:
            hashes[_name(path, folder)] = _hash_of(path, seen)
        except OSError as error:
            raise unreadable(path, error) from error
    return dict(sorted(hashes.items()))


def _hash_of(path: Path, seen: Seen) -> str:
    found = path.stat()
    if found.st_size > LARGEST_DATA:
        raise _too_large(path)
    version = (path, found.st_ino, found.st_size, found.st_mtime_ns, found.st_ctime_ns)
    if version not in seen:
        with path.open("rb") as file:
            seen[version] = hashlib.file_digest(file, "sha256").hexdigest()
    return seen[version]


def data_sha256(folder: Path, hashes: Hashes | None = None) -> str:
    """Return one hash over all data files and their names; ``hashes`` saves reading them again."""
    whole = hashlib.sha256()
    for path, digest in sorted((hash_data(folder) if hashes is None else hashes).items()):
        whole.update(f"{digest}  {path}\n".encode())
    return whole.hexdigest()


def write_manifest(folder: Path, seen: Seen | None = None) -> None:
    """Seal the data of a round as they are now.

    Args:
        folder: of the round.
        seen: as of ``hash_data``: who seals again and again reads only what is new.

    Raises:
        InputError: a data file cannot be read.
        OSError: the manifest cannot be written.
    """
    sealed = {"schema": SCHEMA, "tool": f"rounds {__version__}", "files": hash_data(folder, seen)}
    write_atomically(folder / MANIFEST, (json.dumps(sealed, indent=2) + "\n").encode())


def check_integrity(folder: Path, hashes: Hashes | None = None) -> Integrity:
    """Compare the data with the manifest; ``hashes`` saves reading them again.

    Raises:
        InputError: the manifest, or a data file, cannot be read.
    """
    sealed = _read_manifest(folder)
    if sealed is None:
        return Integrity("absent")
    now = hash_data(folder) if hashes is None else hashes
    changed = sorted(path for path in {*sealed, *now} if sealed.get(path) != now.get(path))
    return Integrity("changed" if changed else "intact", tuple(printable(path) for path in changed))


def is_broken(folder: Path) -> bool:
    """Say whether there is a manifest that cannot be read as one, so that sealing replaces nothing of worth."""
    try:
        _read_manifest(folder)
    except BrokenManifestError:
        return True
    return False


def _name(path: Path, folder: Path) -> str:
    """Return a name that JSON and a page can hold; no two files share one."""
    return printable(path.relative_to(folder).as_posix().replace("\\", "\\\\"))


def _read_manifest(folder: Path) -> Hashes | None:
    path = folder / MANIFEST
    try:
        text = read_bytes(path, within=folder)
        if _Versioned.model_validate_json(text).schema_ > SCHEMA:
            raise InputError(shown(path), "schema", "written by a newer Rounds", "update Rounds to read it")
        return _Manifest.model_validate_json(text).files
    except FileNotFoundError:
        return None
    except ValidationError as error:
        problem = "is not a manifest that Rounds wrote"
        raise BrokenManifestError(shown(path), "", problem, "restore it, or delete it to drop the seal") from error


def _data_files(folder: Path) -> Iterator[Path]:
    """Yield the regular files that are data; links are followed only to files of the same folder."""
    for parent, folders, files in os.walk(folder, onerror=refuse_unread):
        here = Path(parent)
        folders[:] = sorted(name for name in folders if _is_data(name, at_top=here == folder))
        for name in sorted(files):
            path = here / name
            if _is_data(name, at_top=here == folder) and _is_file_within(path, folder):
                yield path


def _is_file_within(path: Path, folder: Path) -> bool:
    try:
        return path.is_file() and not leads_out(path, folder)
    except (OSError, RuntimeError) as error:
        raise unreadable(path, error) from error


def _too_large(path: Path) -> InputError:
    problem = f"is larger than {LARGEST_DATA // 2**30} GiB"
    return InputError(shown(path), "", problem, "move it out of the round, or cut it")


def _is_data(name: str, *, at_top: bool) -> bool:
    return not name.startswith(".") and not (at_top and name in NOT_DATA)
