"""One HTTP/1 response out of the bytes that were read: head, body, and which read each byte of the body came in."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final

import numpy as np

from generator.collect.clock import Times
from generator.collect.recording import Head

MOST_HEAD: Final = 65_536
"""Bytes of the head, interim ones counted."""

MOST_CHUNKS: Final = 1_000_000
"""Chunks of a body: with those of a byte each, an answer would take a hundred times its size in memory."""

MOST_LINE: Final = 4096
"""Bytes of the line that gives the size of a chunk, extensions counted."""

STATUS_LINE: Final = re.compile(rb"(HTTP/1\.[01]) ([1-9][0-9]{2})(?: [^\r\n]*)?")
NAME: Final = re.compile(rb"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,16})[ \t]*(?:;.*)?")
END_OF_HEAD: Final = b"\r\n\r\n"
FIRST_FINAL: Final = 200
"""Status codes below it are of interim responses, which another follows."""


class MalformedError(ValueError):
    """Bytes that are no HTTP/1 response."""


@dataclass(frozen=True, eq=False)
class Response:
    """A response, as much of it as came.

    Attributes:
        head: status and headers; None where they did not come whole.
        body: the bytes of the body, without framing.
        whole: whether the body came to the end that the head gives it.
        malformed: what is no HTTP; empty where all is.
        surplus: bytes behind the end of the response.
    """

    head: Head | None
    body: bytes
    whole: bool
    malformed: str
    surplus: int
    _body_ends: Times
    _raw_starts: Times
    _read_ends: Times

    def reads_of(self, offsets: Times) -> Times:
        """Return the number of the read that each byte of the body came in, by its place in the body."""
        piece = np.searchsorted(self._body_ends, offsets, side="right")
        begins = np.concatenate(([0], self._body_ends))[piece]
        raw = self._raw_starts[piece] + offsets - begins
        found: Times = np.searchsorted(self._read_ends, raw, side="right").astype(np.int64)
        return found


@dataclass(frozen=True, slots=True)
class _Layout:
    """Where the body stands in the raw bytes, where the response ends, and whether it came to that end."""

    pieces: list[tuple[int, int]]
    ends: int
    whole: bool
    malformed: str = ""


def parse(reads: Sequence[bytes], *, closed: bool, head: Head | None = None) -> Response:
    """Return the response in some reads; never an exception, whatever they hold.

    Args:
        reads: what was read, in order.
        closed: whether the connection came to an orderly end behind the last: without a length that ends the body.
        head: status and headers, where the reads are of the body alone.
    """
    raw = b"".join(reads)
    try:
        if head is None:
            head, begins = final_head(raw)
            layout = _Layout([], len(raw), whole=False) if head is None else _layout(head, raw, begins, closed=closed)
        else:
            layout = _Layout([(0, len(raw))], len(raw), whole=closed)
    except MalformedError as error:
        layout = _Layout([], len(raw), whole=False, malformed=str(error))
    return _response(head, raw, layout, np.array(list(accumulate(map(len, reads))), dtype=np.int64))


def _response(head: Head | None, raw: bytes, layout: _Layout, read_ends: Times) -> Response:
    body = b"".join(raw[a:b] for a, b in layout.pieces)
    ends = np.array(list(accumulate(b - a for a, b in layout.pieces)), dtype=np.int64)
    starts = np.array([a for a, _ in layout.pieces] + [len(raw)], dtype=np.int64)
    surplus = max(len(raw) - layout.ends, 0) if layout.whole else 0
    return Response(head, body, layout.whole, layout.malformed, surplus, ends, starts, read_ends)


def _layout(head: Head, raw: bytes, begins: int, *, closed: bool) -> _Layout:
    if is_chunked(head):
        return _chunks(raw, begins)
    length = length_of(head)
    if length is None:
        return _Layout([(begins, len(raw))], len(raw), whole=closed)
    ends = begins + length
    return _Layout([(begins, min(ends, len(raw)))], ends, whole=len(raw) >= ends)


def _chunks(raw: bytes, at: int) -> _Layout:
    pieces: list[tuple[int, int]] = []
    while (line_end := raw.find(b"\r\n", at)) >= 0:
        try:
            size = chunk_size(raw[at:line_end])
        except MalformedError as error:
            return _Layout(pieces, at, whole=False, malformed=str(error))
        begins, ends = line_end + 2, line_end + 2 + size
        if size == 0:
            return _behind_trailers(raw, begins, pieces)
        pieces.append((begins, min(ends, len(raw))))
        at = ends + 2
        if len(pieces) > MOST_CHUNKS:
            return _Layout(pieces, ends, whole=False, malformed="there are too many chunks")
        if not b"\r\n".startswith(raw[ends:at]):
            return _Layout(pieces, ends, whole=False, malformed="a chunk is longer than its size")
    return _Layout(pieces, at, whole=False)


def _behind_trailers(raw: bytes, at: int, pieces: list[tuple[int, int]]) -> _Layout:
    while (line_end := raw.find(b"\r\n", at)) >= 0:
        if line_end == at:
            return _Layout(pieces, at + 2, whole=True)
        at = line_end + 2
    return _Layout(pieces, at, whole=False)


def final_head(raw: bytes) -> tuple[Head | None, int]:
    """Return the head of the response and where its body begins; interim ones (100 Continue) are passed over.

    Returns:
        None and 0 where the head has not come whole.

    Raises:
        MalformedError: it is no head of HTTP/1, or longer than any.
    """
    at = 0
    while (ends := raw.find(END_OF_HEAD, at, MOST_HEAD)) >= 0:
        head = parse_head(raw[at:ends])
        at = ends + len(END_OF_HEAD)
        if head.status >= FIRST_FINAL:
            return head, at
    if len(raw) >= MOST_HEAD:
        raise MalformedError("the head has no end")
    if not b"HTTP/".startswith(raw[at : at + 5]):
        raise MalformedError("it does not begin like HTTP/1")
    return None, 0


def parse_head(raw: bytes) -> Head:
    """Return status and headers, from the lines without the empty one.

    Raises:
        MalformedError: a line is none of HTTP/1.
    """
    status_line, *lines = raw.split(b"\r\n")
    status = STATUS_LINE.fullmatch(status_line)
    if status is None:
        raise MalformedError("the status line is not HTTP/1")
    return Head(status[1].decode("ascii"), int(status[2]), tuple(map(_header, lines)))


def _header(line: bytes) -> tuple[str, str]:
    name, colon, value = line.partition(b":")
    if not colon or not NAME.fullmatch(name):
        raise MalformedError("a header is not one")
    return name.decode("ascii").lower(), value.strip(b" \t").decode("latin-1")


def is_chunked(head: Head) -> bool:
    """Return whether the body comes in chunks."""
    return "chunked" in head.tokens("transfer-encoding")


def length_of(head: Head) -> int | None:
    """Return the bytes of the body as its head gives them; None where it ends with the connection.

    Raises:
        MalformedError: the length is none, or there are two.
    """
    if head.status in (204, 304):
        return 0
    words = head.tokens("content-length")
    if not words:
        return None
    word = words.pop()
    if words or not re.fullmatch(r"[0-9]{1,18}", word):
        raise MalformedError("the length of the body is no number")
    return int(word)


def chunk_size(line: bytes) -> int:
    """Return the bytes of a chunk by the line in front of it.

    Raises:
        MalformedError: the line gives none.
    """
    size = SIZE.fullmatch(line) if len(line) <= MOST_LINE else None
    if size is None:
        raise MalformedError("the size of a chunk is no number")
    return int(size[1], 16)
