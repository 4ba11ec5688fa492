"""The header of a GGUF file: keys and tensors, never the tensors' data.

The format is small and read here, piece by piece and with bounds: a file states how many entries it has, and of one
that is damaged no statement may decide how long a loop runs or how much memory it takes. Arrays are kept where they
are short; the vocabulary is passed over.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, BinaryIO, Final

from generator.architecture.gguf_model import Tensor
from generator.errors import InputError, quote
from generator.store.files import open_file, shown, unreadable

MAGIC: Final = b"GGUF"
VERSIONS: Final = (2, 3)
REMEDY: Final = "download it again, or name another file"
MOST_KEYS: Final = 100_000
MOST_TENSORS: Final = 1_000_000
MOST_PARTS: Final = 1_000
LONGEST_NAME: Final = 65_535
LONGEST_TEXT: Final = 1 << 20
"""Bytes of a text that is kept; longer ones (chat templates) are passed over."""
LONGEST_ARRAY: Final = 65_536
"""Entries of an array that is kept: one for each layer. A vocabulary has more, and is not needed."""
MOST_ENTRIES: Final = 100_000_000
MOST_DIMENSIONS: Final = 8
DEEPEST: Final = 4
SCALARS: Final[Mapping[int, str]] = {
    0: "<B", 1: "<b", 2: "<H", 3: "<h", 4: "<I", 5: "<i", 6: "<f", 7: "<?", 10: "<Q", 11: "<q", 12: "<d",
}  # fmt: skip
"""Types of single values, as the format numbers them."""
TEXT, ARRAY = 8, 9
PART: Final = re.compile(r"-([0-9]{5})-of-([0-9]{5})\.gguf$")


@dataclass(frozen=True, slots=True)
class Header:
    """What a file says of itself: its keys, those with long values left out, and its tensors."""

    keys: Mapping[str, Any]
    tensors: tuple[Tensor, ...]


def read_gguf(path: Path) -> Header:
    """Read the header of a GGUF file; of one that is split, of all its parts.

    Raises:
        InputError: the file, or a part, is not there, is none, or is cut short in its header.
    """
    parts = parts_of(path)
    headers = [_read(part) for part in parts]
    return Header(headers[0].keys, tuple(tensor for one in headers for tensor in one.tensors))


def parts_of(path: Path) -> list[Path]:
    """Return the files of a model: the one that is named, or all whose names count them as its parts.

    Raises:
        InputError: the name speaks of more parts than there may be.
    """
    named = PART.search(path.name)
    if named is None:
        return [path]
    count = int(named[2])
    if not 1 <= count <= MOST_PARTS:
        raise InputError(shown(path), "", f"is one of {count} parts by its name", REMEDY)
    stem = path.name[: named.start()]
    return [path.with_name(f"{stem}-{number:05d}-of-{count:05d}.gguf") for number in range(1, count + 1)]


def _read(path: Path) -> Header:
    try:
        with open_file(path) as file:
            return _Reading(file, path).header()
    except FileNotFoundError as error:
        raise InputError(shown(path), "", "there is no such file", "name a file, or fetch the part") from error
    except OSError as error:
        raise unreadable(path, error) from error


@dataclass(slots=True)
class _Reading:
    """A file that is being read, from its beginning on."""

    file: BinaryIO
    path: Path

    def header(self) -> Header:
        if self._bytes(4) != MAGIC:
            raise self._error("is not a GGUF file")
        version = self._number("<I")
        if version not in VERSIONS:
            raise self._error(f"is of version {version}; {VERSIONS[0]} and {VERSIONS[1]} are known here")
        tensors = self._count(MOST_TENSORS, "tensors")
        entries = self._count(MOST_KEYS, "keys")
        keys = {name: value for name, value in self._keys(entries) if value is not None}
        return Header(keys, tuple(self._tensor() for _ in range(tensors)))

    def _keys(self, entries: int) -> Iterator[tuple[str, Any]]:
        for _ in range(entries):
            name = self._text(LONGEST_NAME, "a key")
            yield name, self._value(self._number("<I"), name, 0)

    def _value(self, kind: int, name: str, depth: int) -> Any:  # noqa: ANN401 - whatever a key holds
        """Return a value; None for one that is too long to be kept."""
        if kind in SCALARS:
            return self._number(SCALARS[kind])
        if kind == TEXT:
            return self._text_or_none()
        if kind == ARRAY and depth < DEEPEST:
            return self._array(name, depth)
        raise self._error(f"holds a value of type {kind} under {quote(name)}")

    def _array(self, name: str, depth: int) -> list[Any] | None:
        kind = self._number("<I")
        length = self._count(MOST_ENTRIES, f"entries under {quote(name)}")
        if kind in SCALARS:
            size = struct.calcsize(SCALARS[kind])
            if length > LONGEST_ARRAY:
                self._skip(size * length)
                return None
            return list(struct.unpack(f"<{length}{SCALARS[kind][1]}", self._bytes(size * length)))
        values = (self._value(kind, name, depth + 1) for _ in range(length))
        kept = [value for number, value in enumerate(values) if number < LONGEST_ARRAY]
        return kept if length <= LONGEST_ARRAY else None

    def _text_or_none(self) -> str | None:
        length = self._count(MOST_ENTRIES, "bytes in a text")
        if length > LONGEST_TEXT:
            self._skip(length)
            return None
        return self._bytes(length).decode("utf-8", "replace")

    def _text(self, most: int, what: str) -> str:
        return self._bytes(self._count(most, f"bytes in {what}")).decode("utf-8", "replace")

    def _tensor(self) -> Tensor:
        name = self._text(LONGEST_NAME, "the name of a tensor")
        dimensions = self._number("<I")
        if dimensions > MOST_DIMENSIONS:
            raise self._error(f"has a tensor of {dimensions} dimensions")
        shape = tuple(self._count(1 << 40, "entries in a dimension") for _ in range(dimensions))
        kind = self._number("<I")
        self._skip(8)  # where its data begin
        return Tensor(name, shape, kind)

    def _count(self, most: int, what: str) -> int:
        found = self._number("<Q")
        if found > most:
            raise self._error(f"states {found} {what}, more than {most}")
        return int(found)

    def _number(self, form: str) -> Any:  # noqa: ANN401 - a number, or true and false
        return struct.unpack(form, self._bytes(struct.calcsize(form)))[0]

    def _bytes(self, count: int) -> bytes:
        found = self.file.read(count)
        if len(found) < count:
            raise self._error("ends within its header")
        return found

    def _skip(self, count: int) -> None:
        """Pass over some bytes; that they are there shows with the next that are read."""
        self.file.seek(count, 1)

    def _error(self, problem: str) -> InputError:
        return InputError(shown(self.path), "", problem, REMEDY)
