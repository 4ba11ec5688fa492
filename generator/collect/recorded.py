"""What the transports that record have in common: how they are called, and how a recording becomes a response."""

from __future__ import annotations

from collections.abc import AsyncIterator
from typing import Final

import httpx

from generator.collect.http_body import parse
from generator.collect.recording import EXTENSION, End, Head, Limits, Recording

ERRORS: Final[dict[End, type[httpx.TransportError]]] = {
    "refused": httpx.ConnectError,
    "unreachable": httpx.ConnectError,
    "reset": httpx.ReadError,
    "closed": httpx.RemoteProtocolError,
    "malformed": httpx.RemoteProtocolError,
    "too_large": httpx.ReadError,
    "timed_out": httpx.ReadTimeout,
    "stalled": httpx.ReadTimeout,
}
"""What a caller of httpx sees, by how the exchange ended."""


class RecordingTransport(httpx.AsyncBaseTransport):
    """A transport that fills the ``Recording`` handed in as an extension of the request.

    A response is handed on when it is over; one that did not come whole is an ``httpx.TransportError``, and the
    recording holds what came of it.
    """

    limits: Limits

    async def warm(self, url: str, count: int) -> int:
        """Open connections to the server of a URL until so many lie ready; return how many do."""
        raise NotImplementedError


def recording_of(request: httpx.Request) -> Recording:
    """Return the recording that came with a request, made ready; a new one where none did."""
    given = request.extensions.get(EXTENSION)
    recording = given if isinstance(given, Recording) else Recording()
    recording.begin()
    return recording


def response_of(recording: Recording, request: httpx.Request) -> httpx.Response:
    """Return the response that was recorded.

    Raises:
        httpx.TransportError: it did not come whole.
    """
    if recording.end != "whole":
        kind = ERRORS.get(recording.end or "closed", httpx.ReadError)
        raise kind(f"the exchange ended early: {recording.end}", request=request)
    head = recording.head or Head("HTTP/1.1", 502)
    return httpx.Response(head.status, headers=list(head.headers), stream=_Later(recording), request=request)


class _Later(httpx.AsyncByteStream):
    """A body that is parsed when somebody reads it: not while a level runs."""

    def __init__(self, recording: Recording) -> None:
        self._recording = recording

    async def __aiter__(self) -> AsyncIterator[bytes]:
        recording = self._recording
        yield parse(recording.reads, closed=True, head=recording.head if recording.unframed else None).body
