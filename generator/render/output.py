"""Writing the site whole or not at all, and never over what another program or person wrote."""

from __future__ import annotations

import ctypes
import os
import re
import shutil
import tempfile
from collections.abc import Iterator, Mapping
from pathlib import Path
from stat import S_ISREG
from typing import Final

from generator.errors import InputError, quote
from generator.store.files import shown
from generator.store.locks import locked

MARKER: Final = ".rounds-site"
"""A file that lists what this program wrote into the folder, and may therefore replace."""
WORK: Final = "rounds-"
"""Begins the name of the folder, beside the site, in which the next one is built."""
NEW: Final = "new"
OLD: Final = "old"
ELSEWHERE: Final = "choose another folder with --out"
AT_FDCWD: Final = -100
RENAME_EXCHANGE: Final = 2
"""Both of Linux's renameat2(2)."""


def refuse_overlap(runs: Path, out: Path) -> None:
    """Refuse to build a site around the rounds that it is built from, or among them.

    Raises:
        InputError: one of the folders, their links followed, holds the other.
    """
    try:
        rounds, site = runs.resolve(), out.resolve()
    except (OSError, RuntimeError) as error:  # Python 3.11 and 3.12 report a ring of links as RuntimeError
        raise InputError(shown(out), "", "the path cannot be followed", ELSEWHERE) from error
    if rounds.is_relative_to(site):
        problem = f"the folder holds the rounds ({shown(runs)}), which a build would delete"
        raise InputError(shown(out), "", problem, ELSEWHERE)
    if site.is_relative_to(rounds):
        raise InputError(shown(out), "", f"the folder lies among the rounds ({shown(runs)})", ELSEWHERE)


def write_site(out: Path, files: Mapping[str, str | bytes], copies: Mapping[str, Path]) -> tuple[Path, ...]:
    """Replace a folder by the given files (by their path in it) and copies of files, in one move.

    Builds into the same folder wait for each other. A link to a folder stays, and what it leads to is replaced.

    Returns:
        Folders beside the site that earlier builds, or this one, left and could not remove.

    Raises:
        InputError: the folder holds something else, or cannot be written.
    """
    try:
        out = Path(os.path.abspath(out))  # noqa: PTH100  # "." gets a name; unlike resolve(), links above stay links
        out = out.resolve() if out.is_symlink() and out.is_dir() else out
        if not out.name:
            raise InputError(shown(out), "", "this folder cannot be replaced", ELSEWHERE)
        out.parent.mkdir(parents=True, exist_ok=True)
        with locked(out.with_name(f".{out.name}.lock")):
            return _replace(out, files, copies)
    except OSError as error:
        raise InputError(shown(out), "", f"the site cannot be written ({error.strerror})", ELSEWHERE) from error


def _replace(out: Path, files: Mapping[str, str | bytes], copies: Mapping[str, Path]) -> tuple[Path, ...]:
    left = _left_behind(out)
    _restore(out, left)
    _refuse_foreign(out)
    work = Path(tempfile.mkdtemp(prefix=_prefix(out), dir=out.parent))
    try:
        _write_all(work / NEW, out, files, copies)
        _exchange(work, out)
    finally:
        _discard(work, out)
    for folder in left:
        _discard(folder, out)
    return tuple(folder for folder in (*left, work) if os.path.lexists(folder))


def _prefix(out: Path) -> str:
    return f".{out.name}.{WORK}"


def _left_behind(out: Path) -> list[Path]:
    """Return the working folders of builds that were killed: under the lock, none of them is in use."""
    ours = re.compile(rf"{re.escape(_prefix(out))}\w+")
    beside = (path for path in out.parent.iterdir() if ours.fullmatch(path.name))
    return sorted(path for path in beside if path.is_dir() and not path.is_symlink())


def _restore(out: Path, left: list[Path]) -> None:
    """Bring back the site of a build that was killed between its two moves."""
    for folder in left:
        if not os.path.lexists(out) and os.access(folder, os.X_OK) and (folder / OLD / MARKER).is_file():
            (folder / OLD).rename(out)


def _refuse_foreign(out: Path) -> None:
    if out.is_symlink() or (out.exists() and not out.is_dir()):
        raise InputError(shown(out), "", "this is not a folder", ELSEWHERE)
    if not out.exists():
        return
    own = _written(out)
    foreign = next((name for name in _files_in(out) if name not in own), None)
    if foreign is not None:
        problem = f"the folder holds {quote(foreign)}, which no build of this program wrote"
        raise InputError(shown(out), "", problem, "build elsewhere (--out) and copy, or delete that file")


def _written(out: Path) -> frozenset[str]:
    try:
        listed = (out / MARKER).read_text(encoding="utf-8", errors="surrogateescape")
    except FileNotFoundError:
        return frozenset()
    return frozenset({MARKER, *listed.splitlines()})


def _files_in(out: Path) -> Iterator[str]:
    """Yield everything below a folder that is no folder itself, in order."""
    for parent, folders, files in os.walk(out, onerror=_raise):
        folders.sort()
        links = (name for name in folders if Path(parent, name).is_symlink())
        for name in sorted((*files, *links)):
            yield Path(parent, name).relative_to(out).as_posix()


def _raise(error: OSError) -> None:
    raise error


def _exchange(work: Path, out: Path) -> None:
    """Put the new folder in the place of the old one, which comes back where that fails or is interrupted."""
    if out.exists() and _exchanged(work / NEW, out):
        return
    try:
        if out.exists():
            out.rename(work / OLD)
        (work / NEW).rename(out)
    finally:
        if not out.exists() and (work / OLD).exists():
            (work / OLD).rename(out)


def _exchanged(one: Path, other: Path) -> bool:
    """Let two folders change places at once, so that no moment is without a site; say whether the system could."""
    try:
        call = ctypes.CDLL(None).renameat2
    except (OSError, AttributeError):
        return False
    done: int = call(AT_FDCWD, os.fsencode(one), AT_FDCWD, os.fsencode(other), RENAME_EXCHANGE)
    return done == 0


def _write_all(folder: Path, old: Path, files: Mapping[str, str | bytes], copies: Mapping[str, Path]) -> None:
    """Write all files; what the old site has just so is taken from there, for most of it did not change."""
    folder.mkdir()
    listed = "".join(f"{name}\n" for name in sorted({*files, *copies}))
    for parent in sorted({(folder / name).parent for name in (*files, *copies)}):
        parent.mkdir(parents=True, exist_ok=True)
    for name, content in {**files, MARKER: listed}.items():
        whole = content.encode() if isinstance(content, str) else content
        if not _taken(folder / name, old / name, whole):
            (folder / name).write_bytes(whole)
    for name, source in copies.items():
        shutil.copyfile(source, folder / name)


def _taken(path: Path, old: Path, content: bytes) -> bool:
    """Take a file of the old site by a second link to it, where it holds the same; say whether that was so."""
    try:
        found = old.lstat()
        is_same = S_ISREG(found.st_mode) and found.st_size == len(content) and old.read_bytes() == content
        if is_same:
            path.hardlink_to(old)
    except OSError:  # there is no such file, or the disk knows no links
        return False
    return is_same


def _discard(work: Path, out: Path) -> None:
    """Remove a working folder, but never an old site that could not be put back."""
    if out.exists() or not os.path.lexists(work / OLD):
        shutil.rmtree(work, ignore_errors=True)
