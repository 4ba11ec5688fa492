"""The bytes of a log, cut anywhere, to blocks of whole lines."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Final

GOES_ON: Final = "…".encode()
"""Stands where a part of a line was left out: no number is made of what stood before it and behind."""
LONGEST: Final = 2**16
"""Bytes of a line that are kept where it goes on in the next piece; what a server says is shorter."""


def whole_lines(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield blocks that end where a line does, the last one apart; of longer lines a part is left out."""
    held = b""
    for piece in pieces:
        end = piece.rfind(b"\n") + 1
        if end:
            yield b"".join((held, memoryview(piece)[:end]))
            held = _begun(piece[end:])
        else:
            held = _begun(held + piece)
    if held:
        yield held


def _begun(line: bytes) -> bytes:
    return line if len(line) <= LONGEST else line[:LONGEST] + GOES_ON
