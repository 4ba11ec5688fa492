"""Files of a round: read with limits, never through a link that leads out, written whole or not at all."""

from __future__ import annotations

import os
import stat
import unicodedata
from contextlib import suppress
from glob import escape
from io import BufferedReader
from pathlib import Path
from typing import Final

from generator.errors import InputError

LARGEST_TEXT: Final = 16 * 2**20
"""Bytes of the largest text file that is read; a table of levels needs a thousandth of it."""

HEAD: Final = 2**16
"""Bytes of a file by which its format is recognised."""

WORK: Final = ".import-"
"""Begins the name of the folder, in a round, in which what is imported is made ready."""

PARTIAL: Final = ".partial"
"""Ends the name of a file that is being written, behind the number of the process that writes it."""

LONGEST_PATH: Final = 200
"""Characters of a path that an error line repeats."""


def cache_folder() -> Path:
    """Return where files of this user lie that can be made anew. A relative $XDG_CACHE_HOME counts for nothing.

    Raises:
        RuntimeError: there is no home.
    """
    named = os.environ.get("XDG_CACHE_HOME", "")
    folder = Path(named)
    return (folder if folder.is_absolute() else Path.home() / ".cache") / "rounds"


def shown(path: Path) -> str:
    """Return a path as an error line names it: from the current folder where it lies below, printable, not long."""
    try:
        absolute, here = path.absolute(), Path.cwd()
    except OSError:  # the current folder has been deleted
        return _short(printable(str(path)))
    relative = absolute.relative_to(here) if absolute.is_relative_to(here) else path
    return _short(printable(str(relative)))


def _short(name: str) -> str:
    """Return a name with its beginning cut where it is long: the end says which file it is."""
    return name if len(name) <= LONGEST_PATH else f"…{name[-LONGEST_PATH:]}"


def printable(text: str) -> str:
    """Return text with everything that does not print, lone surrogates included, as escapes.

    Spaces of every width print; Python calls only the usual one printable.
    """
    return "".join(letter if _prints(letter) else repr(letter)[1:-1] for letter in text)


def _prints(letter: str) -> bool:
    return letter.isprintable() or unicodedata.category(letter) == "Zs"


def read_text(path: Path, within: Path) -> str:
    """Return the text of a UTF-8 file; a byte order mark is dropped.

    Args:
        path: the file.
        within: the folder that the file must lie in once all links are followed.

    Raises:
        FileNotFoundError: there is no such file, or a link to nowhere.
        InputError: the file leads out of the folder, is too large, not a file, not readable or not UTF-8.
    """
    data = read_bytes(path, within)
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        problem = f"byte 0x{data[error.start]:02x} is not UTF-8"
        raise InputError(shown(path), f"line {line}", problem, "save the file as UTF-8") from error


def read_bytes(path: Path, within: Path) -> bytes:
    """Return the bytes of a file, under the same conditions as ``read_text``."""
    try:
        refuse_outside(path, within)
        _refuse_unfit(path, path.stat())
        with path.open("rb") as file:
            data = file.read(LARGEST_TEXT + 1)
    except FileNotFoundError:
        raise
    except (OSError, RuntimeError) as error:  # Python 3.11 and 3.12 report a ring of links as RuntimeError
        raise unreadable(path, error) from error
    if len(data) > LARGEST_TEXT:
        raise _too_large(path)
    return data


def read_head(path: Path) -> bytes:
    """Return the first bytes of a file, as many as tell its format.

    Raises:
        InputError: it is no file, or cannot be read.
    """
    try:
        with open_file(path) as file:
            return file.read(HEAD)
    except OSError as error:
        raise unreadable(path, error) from error


def open_file(path: Path) -> BufferedReader:
    """Open a file for reading; what is none, as a pipe, is refused and not waited for.

    Raises:
        InputError: it is no file.
        OSError: it cannot be opened.
    """
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    if not stat.S_ISREG(os.fstat(handle).st_mode):
        os.close(handle)
        raise InputError(shown(path), "", "is not a file", "replace it by one")
    return os.fdopen(handle, "rb")


def unreadable(path: Path, error: OSError | RuntimeError) -> InputError:
    """Return what to say of a file or folder that the system does not let us read."""
    why = error.strerror if isinstance(error, OSError) else None
    problem = f"cannot be read ({why or 'the link leads nowhere'})"
    return InputError(shown(path), "", problem, "check its permissions, or restore it")


def refuse_unread(error: OSError) -> None:
    """Refuse a folder that ``os.walk`` cannot look into; without this it would be passed over.

    Raises:
        InputError: always.
    """
    raise unreadable(Path(str(error.filename)), error) from error


def leads_out(path: Path, within: Path) -> bool:
    """Say whether a path, its links followed, leaves a folder. Raises as ``Path.resolve`` does."""
    return _may_lead_out(path, within) and not path.resolve(strict=True).is_relative_to(within.resolve())


def _may_lead_out(path: Path, within: Path) -> bool:
    """Say whether links have to be followed: not where no part of the way from the folder is one, as nearly always."""
    folder, way = path.parts[: len(within.parts)], path.parts[len(within.parts) :]
    if folder != within.parts or not way or ".." in way:
        return True
    at = os.fspath(within)
    for name in way:
        at = os.path.join(at, name)  # noqa: PTH118  # thousands a round
        if stat.S_ISLNK(os.lstat(at).st_mode):
            return True
    return False


def refuse_outside(path: Path, within: Path) -> None:
    """Refuse a file that leads out of the folder of its round.

    Raises:
        InputError: it does.
        OSError, RuntimeError: there is no such file, or its links cannot be followed.
    """
    if leads_out(path, within):
        problem = "is a link that leads out of the round's folder"
        raise InputError(shown(path), "", problem, "copy the file itself into the round")


def write_new(path: Path, data: bytes) -> None:
    """Write a file that is not there yet, and wait until the disk has it.

    Raises:
        OSError: something is there already, or it cannot be written.
    """
    with path.open("xb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def move_new(source: Path, target: Path) -> None:
    """Move a folder that is whole to where it belongs, and make the folders above it.

    Raises:
        OSError: something is there already, or it cannot be moved.
    """
    target.parent.mkdir(parents=True, exist_ok=True)
    os.rename(source, target)  # noqa: PTH104  # rename(2): fails where something is there


def write_atomically(path: Path, data: bytes) -> None:
    """Write a file so that a reader, or a crash, meets the old file or the new one and nothing between.

    What a process that was killed had begun of this file is removed.

    Raises:
        OSError: the disk is full, the folder is missing or not writable; the old file is still there.
    """
    partial = path.with_name(f".{path.name}.{os.getpid()}{PARTIAL}")
    partial.unlink(missing_ok=True)
    _remove_begun(path)
    try:
        write_new(partial, data)
        partial.replace(path)
    finally:
        partial.unlink(missing_ok=True)
    _flush_folder(path.parent)


def _remove_begun(path: Path) -> None:
    """Remove what killed processes left of a file; what one that runs is writing is let be."""
    begun = path.parent.glob(f".{escape(path.name)}.*{PARTIAL}")
    for left in begun:
        process = left.name.removesuffix(PARTIAL).rpartition(".")[2]
        if process.isdecimal() and _has_ended(int(process)):
            with suppress(OSError):
                left.unlink()


def _has_ended(process: int) -> bool:
    """Say whether there is no process of that number on this machine; only where asking does it no harm."""
    if os.name != "posix":
        return False
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return True
    except (OSError, OverflowError):  # of another user, or no number of a process
        return False
    return False


def _flush_folder(folder: Path) -> None:
    """Make the new name survive a power cut, where the system has folders that can be flushed."""
    if not hasattr(os, "O_DIRECTORY"):
        return
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)


def _refuse_unfit(path: Path, found: os.stat_result) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise InputError(shown(path), "", "is a folder where a file should be", "replace it by the file")
    if not stat.S_ISREG(found.st_mode):
        raise InputError(shown(path), "", "is not a regular file", "replace it by one")
    if found.st_size > LARGEST_TEXT:
        raise _too_large(path)


def _too_large(path: Path) -> InputError:
    limit = f"{LARGEST_TEXT // 2**20} MiB"
    return InputError(shown(path), "", f"is larger than {limit}", "check that it is the right file, or cut it")
