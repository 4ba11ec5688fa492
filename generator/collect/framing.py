"""Where a response ends, found while it comes, for next to nothing a read.

A chunked body can only end with an empty line, so its chunks are walked when a read ends with one, not before. A
server that writes on behind the end of its response is noticed no sooner than the next look.
"""

from __future__ import annotations

from typing import Final

from generator.collect.http_body import (
    MOST_LINE,
    MalformedError,
    chunk_size,
    final_head,
    is_chunked,
    length_of,
)
from generator.collect.recording import Head

EMPTY_LINE: Final = b"\r\n\r\n"


class Framing:
    """The end of one response.

    Attributes:
        head: status and headers, once they came.
        body_bytes: bytes behind the head so far, framing counted.
        surplus: whether there is more behind the end.
    """

    def __init__(self) -> None:
        self.head: Head | None = None
        self.body_bytes = 0
        self.surplus = False
        self._start = b""
        self._length: int | None = None
        self._chunks: ChunkWalk | None = None
        self._unwalked: list[bytes] = []

    @property
    def ends_with_connection(self) -> bool:
        """Return whether the body has no other end than that of the connection."""
        return self.head is not None and self._chunks is None and self._length is None

    def over(self, data: bytes) -> bool:
        """Take the next read, and return whether the response is whole with it.

        Raises:
            MalformedError: it is no HTTP/1.
        """
        if self.head is None:
            return self._begin(data)
        self.body_bytes += len(data)
        if self._chunks is not None:
            self._unwalked.append(data)
            return (data[-4:] == EMPTY_LINE or len(data) < len(EMPTY_LINE)) and self.look()
        return self._counted()

    def look(self) -> bool:
        """Walk what has come of a chunked body, and return whether it is whole.

        Raises:
            MalformedError: the chunks are none.
        """
        if self._chunks is None:
            return False
        data, self._unwalked = b"".join(self._unwalked), []
        over = self._chunks.over(data)
        self.surplus = over and self._chunks.surplus
        return over

    def _begin(self, data: bytes) -> bool:
        self._start += data
        self.head, begins = final_head(self._start)
        if self.head is None:
            return False
        rest, self._start = self._start[begins:], b""
        self.body_bytes = len(rest)
        if is_chunked(self.head):
            self._chunks, self._unwalked = ChunkWalk(), [rest]
            return self.look()
        self._length = length_of(self.head)
        return self._counted()

    def _counted(self) -> bool:
        if self._length is None:
            return False
        self.surplus = self.body_bytes > self._length
        return self.body_bytes >= self._length


class ChunkWalk:
    """A walk over the chunks of a body that comes in pieces; ``surplus`` tells of bytes behind its end."""

    def __init__(self) -> None:
        self.surplus = False
        self._carry = b""
        self._left = 0
        self._in_trailers = False

    def over(self, data: bytes) -> bool:
        """Walk on, and return whether the end was reached.

        Raises:
            MalformedError: a size is none.
        """
        data, at = self._carry + data, 0
        while True:
            step = min(self._left, len(data) - at)
            at, self._left = at + step, self._left - step
            line_end = data.find(b"\r\n", at)
            if self._left or line_end < 0:
                return self._wait(data[at:])
            if self._line(data[at:line_end]):
                self.surplus = line_end + 2 < len(data)
                return True
            at = line_end + 2

    def _wait(self, rest: bytes) -> bool:
        if len(rest) > MOST_LINE:
            raise MalformedError("the size of a chunk has no end")
        self._carry = rest
        return False

    def _line(self, line: bytes) -> bool:
        """Take the line in front of a chunk, or of a trailer; return whether it is the last."""
        if self._in_trailers:
            return not line
        size = chunk_size(line)
        self._left = size + 2 if size else 0
        self._in_trailers = size == 0
        return False
