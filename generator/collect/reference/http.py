"""As much of HTTP/1.1 as a server of JSON needs: requests out of bytes, within limits, and heads of answers."""

from __future__ import annotations

import re
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Mapping

MOST_HEAD: Final = 32 * 1024
"""Bytes of request line and header fields."""

MOST_FIELDS: Final = 100
MOST_BODY: Final = 8 * 2**20
"""Bytes of a body: a prompt of a million token ids."""

END: Final = b"\r\n\r\n"
_REQUEST_LINE: Final = re.compile(rb"([A-Z]{1,16}) ([\x21-\x7e]{1,4096}) HTTP/1\.([01])")
_FIELD: Final = re.compile(rb"([!#$%&'*+.^_`|~0-9A-Za-z-]{1,128}):[ \t]*([\x20-\x7e\x80-\xff\t]*?)[ \t]*")
_DIGITS: Final = re.compile(r"[0-9]{1,18}")
_CHUNK_SIZE: Final = re.compile(rb"([0-9A-Fa-f]{1,8})[ \t]*(?:;[^\r\n]*)?")


class HttpError(Exception):
    """A request that cannot be read; the connection is closed after the answer, for its end is unknown."""

    def __init__(self, status: int, message: str) -> None:
        """Take the status and one sentence."""
        super().__init__(message)
        self.status = status
        self.message = message


class Head(NamedTuple):
    """Request line and fields; names in lower case."""

    method: str
    target: str
    minor: int
    fields: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Request:
    """One request as it came."""

    head: Head
    body: bytes

    @property
    def path(self) -> str:
        """The target without its query."""
        return self.head.target.partition("?")[0]

    @property
    def query(self) -> str:
        """What follows the question mark; empty where there is none."""
        return self.head.target.partition("?")[2]

    @property
    def keeps_alive(self) -> bool:
        """Whether the client would use the connection again."""
        options = {option.strip().lower() for option in self.head.fields.get("connection", "").split(",")}
        return "close" not in options and (self.head.minor == 1 or "keep-alive" in options)


class RequestReader:
    """Takes bytes as they come and gives requests as they are complete."""

    def __init__(self) -> None:
        self._buffer = bytearray()
        self._head: Head | None = None
        self._chunks = bytearray()

    @property
    def held(self) -> int:
        """Bytes that no request has been made of yet."""
        return len(self._buffer) + len(self._chunks)

    def feed(self, data: bytes) -> None:
        """Add what came."""
        self._buffer += data

    @property
    def waits_for_leave(self) -> bool:
        """Whether the client sends its body only when told to continue."""
        return self._head is not None and self._head.fields.get("expect", "").lower() == "100-continue"

    def next(self) -> Request | None:
        """Return the next request; None until all of it is there.

        Raises:
            HttpError: it is malformed or too large.
        """
        if self._head is None:
            self._head = self._next_head()
        body = None if self._head is None else self._next_body(self._head.fields)
        if self._head is None or body is None:
            return None
        request = Request(self._head, body)
        self._head = None
        return request

    def _next_head(self) -> Head | None:
        while self._buffer.startswith(b"\r\n"):  # left over by clients that end a body with it
            del self._buffer[:2]
        end = self._buffer.find(END, 0, MOST_HEAD)
        if end < 0:
            if len(self._buffer) >= MOST_HEAD:
                raise HttpError(431, f"the head of the request is longer than {MOST_HEAD} bytes")
            return None
        lines = bytes(self._buffer[:end]).split(b"\r\n")
        del self._buffer[: end + len(END)]
        return _head(lines)

    def _next_body(self, fields: Mapping[str, str]) -> bytes | None:
        if "transfer-encoding" in fields:
            return self._next_chunks(fields)
        length = fields.get("content-length", "0")
        if not _DIGITS.fullmatch(length):
            raise HttpError(400, "content-length is no whole number")
        return self._take(_within(int(length)))

    def _take(self, length: int) -> bytes | None:
        if len(self._buffer) < length:
            return None
        taken = bytes(self._buffer[:length])
        del self._buffer[:length]
        return taken

    def _next_chunks(self, fields: Mapping[str, str]) -> bytes | None:
        if fields["transfer-encoding"].lower() != "chunked" or "content-length" in fields:
            raise HttpError(400, "transfer-encoding has to be chunked, without a content-length")
        while (data := self._next_chunk()) is not None:
            self._chunks += data
            if not data:
                body, self._chunks = bytes(self._chunks), bytearray()
                return body
        return None

    def _next_chunk(self) -> bytes | None:
        """Return the next chunk whole; the last one is empty, and trailers are not read but refused."""
        end = self._buffer.find(b"\r\n", 0, 256)
        if end < 0:
            if len(self._buffer) >= 256:  # noqa: PLR2004  # the same number as in the line above
                raise HttpError(400, "a chunk of the body has no size")
            return None
        found = _CHUNK_SIZE.fullmatch(bytes(self._buffer[:end]))
        if found is None:
            raise HttpError(400, "the size of a chunk is no hexadecimal number")
        size = int(found[1], 16)
        _within(len(self._chunks) + size)
        if len(self._buffer) < end + 2 + size + 2:
            return None
        data = bytes(self._buffer[end + 2 : end + 2 + size])
        if self._buffer[end + 2 + size : end + 4 + size] != b"\r\n":
            raise HttpError(400, "a chunk of the body is not as long as it says")
        del self._buffer[: end + 4 + size]
        return data


def _head(lines: list[bytes]) -> Head:
    found = _REQUEST_LINE.fullmatch(lines[0])
    if found is None:
        raise HttpError(400, "the first line is no HTTP/1.x request line")
    if len(lines) > MOST_FIELDS:
        raise HttpError(431, f"more than {MOST_FIELDS} header fields")
    return Head(found[1].decode("ascii"), found[2].decode("ascii"), int(found[3]), _fields(lines[1:]))


def _fields(lines: list[bytes]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for line in lines:
        found = _FIELD.fullmatch(line)
        if found is None:
            raise HttpError(400, "a header field is malformed")
        name, value = found[1].decode("ascii").lower(), found[2].decode("latin-1")
        if name == "content-length" and fields.get(name, value) != value:
            raise HttpError(400, "content-length is given twice")
        fields[name] = f"{fields[name]}, {value}" if name in fields and name != "content-length" else value
    return fields


def _within(length: int) -> int:
    if length > MOST_BODY:
        raise HttpError(413, f"the body is longer than {MOST_BODY} bytes")
    return length


def head_of(status: int, fields: Mapping[str, str]) -> bytes:
    """Return the head of an answer."""
    lines = [f"HTTP/1.1 {status} {HTTPStatus(status).phrase}", *(f"{name}: {value}" for name, value in fields.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1")


def chunk_of(data: bytes) -> bytes:
    """Return data as one chunk of a chunked body."""
    return b"%x\r\n%b\r\n" % (len(data), data)


LAST_CHUNK: Final = b"0\r\n\r\n"
