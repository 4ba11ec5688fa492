"""The lines of a file of any length, unpacked, none of them longer than can be held."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import chain
from typing import Final

from generator.store.json_stream import BYTE_ORDER_MARK

LONGEST: Final = 16 * 2**20
"""Bytes of a line that is kept: more than the longest prompt has."""
TOO_LONG: Final = b"\0"
"""Stands for a line that is longer: nothing can be read from it."""


def lines_of(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield the lines of a file without their ends, however the file is cut into pieces."""
    return chain.from_iterable(_whole(pieces))


def _whole(pieces: Iterable[bytes]) -> Iterator[list[bytes]]:
    """Yield the lines that end in each piece; those of a piece at once are far faster than one by one."""
    held: list[bytes] = []
    size, is_first = 0, True
    for piece in pieces:
        begun = piece.removeprefix(BYTE_ORDER_MARK) if is_first else piece
        is_first = False
        *whole, rest = begun.split(b"\n")
        if whole:
            whole[0] = _joined(held, size, whole[0])
            yield whole
            held, size = [], 0
        size += len(rest)
        if size <= LONGEST:
            held.append(rest)
        else:
            held.clear()
    last = _joined(held, size, b"")
    if last:
        yield [last]


def _joined(held: list[bytes], size: int, end: bytes) -> bytes:
    if size > LONGEST:
        return TOO_LONG
    return b"".join((*held, end)) if held else end
