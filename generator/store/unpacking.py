"""Foreign files as UTF-8, piece by piece: unpacked where they are packed, decoded where they are UTF-16.

What a file unpacks to is bounded: by its size, and by how many times its own size it is.
"""

from __future__ import annotations

import bz2
import codecs
import gzip
import lzma
import zipfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path
from typing import Any, BinaryIO, Final

import pyarrow as pa

from generator.errors import InputError, quote
from generator.store.files import HEAD, open_file, shown, unreadable

Progress = Callable[[int], object]
"""Is told, now and then, how many bytes of the file have been read since it was last told."""

PIECE: Final = 2**16
LARGEST_UNPACKED: Final = 16 * 2**30
"""Bytes that a packed file may unpack to."""
MOST_TIMES: Final = 250
"""Times its own size that a file may unpack to, once that is more than ``UNSUSPICIOUS`` bytes; results pack to a
twentieth at best, and a row of zeros to a thousandth."""
UNSUSPICIOUS: Final = 64 * 2**20

UTF_16: Final = {codecs.BOM_UTF16_LE: "utf-16-le", codecs.BOM_UTF16_BE: "utf-16-be"}
NAMES_SHOWN: Final = 4
ZIP: Final = b"PK\x03\x04"
BROKEN: Final = (
    EOFError,
    zlib.error,
    lzma.LZMAError,
    zipfile.BadZipFile,
    NotImplementedError,
    RuntimeError,
    ValueError,
)
"""What the unpackers raise for bytes that do not unpack."""


def pieces(path: Path, progress: Progress = lambda _: None) -> Iterator[bytes]:
    """Yield a file as UTF-8, piece by piece, unpacked; a byte order mark of UTF-8 stays.

    Raises:
        InputError: while iterating; it cannot be read or unpacked, unpacks to too much, or is an archive of several.
    """
    found = _unpacked(path, progress)
    first = next(found, b"")
    encoding = UTF_16.get(first[:2])
    whole = chain([first], found)
    return whole if encoding is None else _transcoded(whole, encoding)


def unpacked_head(path: Path) -> bytes:
    """Return the first bytes of a file, unpacked, as many as tell its format.

    Raises:
        InputError: it is no file, cannot be read, or cannot be unpacked.
    """
    head = b""
    for piece in pieces(path):
        head += piece
        if len(head) >= HEAD:
            break
    return head[:HEAD].removeprefix(codecs.BOM_UTF8)


def _transcoded(found: Iterator[bytes], encoding: str) -> Iterator[bytes]:
    decoder = codecs.getincrementaldecoder(encoding)("replace")
    first = True
    for piece in found:
        text = decoder.decode(piece)
        yield (text.removeprefix("\ufeff") if first else text).encode()
        first = False
    yield decoder.decode(b"", True).encode()


def _unpacked(path: Path, progress: Progress) -> Iterator[bytes]:
    try:
        with ExitStack() as held:
            raw = held.enter_context(open_file(path))
            yield from _bounded(_opened(raw, path, held), raw, path, progress)
    except OSError as error:
        if error.errno is None:  # the unpackers' word for what does not unpack
            raise _damaged(path) from error
        raise unreadable(path, error) from error
    except BROKEN as error:
        raise _damaged(path) from error


def _bounded(file: BinaryIO | Any, raw: BinaryIO, path: Path, progress: Progress) -> Iterator[bytes]:  # noqa: ANN401
    """Yield the pieces of an opened file while they are not too many for what was read of it."""
    size, told, total = path.stat().st_size, 0, 0
    most = max(UNSUSPICIOUS, min(LARGEST_UNPACKED, MOST_TIMES * size))
    while piece := file.read(PIECE):
        total += len(piece)
        if file is not raw and total > most:
            problem = f"unpacks to more than {most} bytes from {size}"
            raise InputError(shown(path), "", problem, "unpack it yourself if you know what it is")
        read = raw.tell()
        progress(max(read - told, 0))
        told = max(read, told)
        yield bytes(piece)


def _opened(raw: BinaryIO, path: Path, held: ExitStack) -> BinaryIO | Any:  # noqa: ANN401 - pyarrow has no types
    begin = raw.read(8)
    raw.seek(0)
    if begin.startswith(ZIP):
        return _only_member(held.enter_context(zipfile.ZipFile(raw)), path, held)
    for mark, unpack in UNPACKERS.items():
        if begin.startswith(mark):
            return unpack(raw)
    return raw


UNPACKERS: Final[dict[bytes, Callable[[BinaryIO], Any]]] = {
    b"\x1f\x8b": lambda raw: gzip.GzipFile(fileobj=raw),
    b"\x28\xb5\x2f\xfd": lambda raw: pa.input_stream(raw, compression="zstd"),
    b"BZh": bz2.BZ2File,
    b"\xfd7zXZ": lzma.LZMAFile,
}


def _only_member(archive: zipfile.ZipFile, path: Path, held: ExitStack) -> Any:  # noqa: ANN401 - a file to read
    members = [one for one in archive.infolist() if not one.is_dir()]
    if len(members) != 1:
        names = ", ".join(quote(one.filename) for one in members[:NAMES_SHOWN])
        more = f" and {len(members) - NAMES_SHOWN} more" if len(members) > NAMES_SHOWN else ""
        problem = f"is an archive of {len(members)} files ({names}{more})"
        raise InputError(shown(path), "", problem, "unpack it, and name the files or their folder")
    return held.enter_context(archive.open(members[0]))


def _damaged(path: Path) -> InputError:
    problem = "is packed, and cannot be unpacked: it is damaged, cut off or encrypted"
    return InputError(shown(path), "", problem, "unpack it yourself, or copy it again")
