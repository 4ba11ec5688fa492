"""httpx's own transport with the time at which it handed on each piece: TLS, proxies, and systems without stamps."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Iterator
from typing import Any, Final

import httpx

from generator.collect.clock import now
from generator.collect.connection import ending
from generator.collect.pool import IDLE_MOST_S, LOST
from generator.collect.reach import certificates
from generator.collect.recorded import RecordingTransport, recording_of, response_of
from generator.collect.recording import NO_STAMP, End, Head, Limits, Recording

LARGEST_GREETING: Final = 1 << 20
"""Bytes of an answer that only opens a connection: a list of models has some hundreds."""
CLOSED: Final = ("disconnected", "closed", "incomplete")
"""What httpx says where the connection ended before the response."""


class PlainTransport(RecordingTransport):
    """Whatever httpx can reach, with stamps of our own clock."""

    def __init__(self, limits: Limits, *, proxy: str | None = None, one_each: bool = False) -> None:
        self.limits = limits
        pool = httpx.Limits(
            max_connections=None, max_keepalive_connections=0 if one_each else None, keepalive_expiry=IDLE_MOST_S
        )
        self._inner = httpx.AsyncHTTPTransport(verify=certificates(), proxy=proxy, limits=pool, trust_env=False)

    async def warm(self, url: str, count: int) -> int:
        """Open connections by as many small requests at once, for the list of models; return how many were answered.

        Not by HEAD: a server that sends a body with its answer leaves bytes that spoil the next one.
        """
        target = httpx.URL(f"{url.rstrip('/')}/v1/models")
        asked = [asyncio.ensure_future(self._greet(target)) for _ in range(count)]
        return sum(await asyncio.gather(*asked))

    async def _greet(self, url: httpx.URL) -> bool:
        """Ask for something small; whoever does not answer soon, or says too much, is not waited for."""
        request = httpx.Request("GET", url, extensions={"timeout": _timeouts(self.limits)})
        try:
            async with asyncio.timeout(self.limits.connect_s):
                return await self._swallow(await self._inner.handle_async_request(request))
        except (httpx.TransportError, TimeoutError):
            return False

    async def _swallow(self, response: httpx.Response) -> bool:
        size = 0
        try:
            async for piece in response.aiter_raw():
                size += len(piece)
                if size > LARGEST_GREETING:
                    return False
        finally:
            await response.aclose()
        return True

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and wait until its response is over.

        Raises:
            httpx.TransportError: it did not come whole; the recording holds what came.
        """
        recording = recording_of(request)
        await request.aread()
        if not await self._attempt(request, recording):
            recording.send_again()
            await self._attempt(request, recording)
        return response_of(recording, request)

    async def aclose(self) -> None:
        """Close every connection."""
        await self._inner.aclose()

    async def _attempt(self, request: httpx.Request, recording: Recording) -> bool:
        """Send a request once; return False where a kept-alive connection was dead before a byte of an answer."""
        trace = _Trace(recording)
        first_sent = recording.sent
        try:
            async with asyncio.timeout(self.limits.total_s):
                await self._read(trace.of(request, self.limits), recording)
        except (httpx.TransportError, TimeoutError) as error:
            recording.finish(_ending(error))
        except asyncio.CancelledError:
            recording.finish("cancelled")
            raise
        recording.sent, recording.reused = first_sent or recording.sent, not trace.connected
        lost = recording.end in LOST and recording.head is None
        return not lost or trace.connected or recording.retries > 0

    async def _read(self, request: httpx.Request, recording: Recording) -> None:
        response = await self._inner.handle_async_request(request)
        recording.head, recording.unframed = _head(response), True
        try:
            recording.finish(await self._body(response.aiter_raw(), recording))
        finally:
            await response.aclose()

    async def _body(self, pieces: AsyncIterator[bytes], recording: Recording) -> End:
        while True:
            try:
                async with asyncio.timeout(self.limits.stall_s if recording.reads else None):
                    piece = await anext(pieces, b"")
            except TimeoutError:
                return "stalled"
            if not piece:
                return "whole"
            if not _keep(piece, recording, self.limits.most_bytes):
                return "too_large"


def _keep(piece: bytes, recording: Recording, most_bytes: int) -> bool:
    kept = piece[: most_bytes - recording.kept]
    recording.read_at.append(now())
    recording.stamps.append(NO_STAMP)
    recording.reads.append(kept)
    recording.kept += len(kept)
    return len(kept) == len(piece) and not recording.is_full(most_bytes)


class _Trace:
    """What httpx does beneath a request: whether it opened a connection, and when it began to send."""

    def __init__(self, recording: Recording) -> None:
        self.connected = False
        self._recording = recording

    def of(self, request: httpx.Request, limits: Limits) -> httpx.Request:
        """Return the request with this trace and with the limits that httpx keeps itself."""
        extensions = {**request.extensions, "trace": self._note, "timeout": _timeouts(limits)}
        return httpx.Request(
            request.method, request.url, headers=request.headers, stream=request.stream, extensions=extensions
        )

    async def _note(self, name: str, info: dict[str, Any]) -> None:  # noqa: ARG002 - httpx passes both
        if name == "connection.connect_tcp.complete":
            self.connected = True
        elif name.endswith(".send_request_headers.started"):
            self._recording.sent = now()


def _timeouts(limits: Limits) -> dict[str, float | None]:
    return {"connect": limits.connect_s, "read": None, "write": limits.total_s, "pool": None}


def _head(response: httpx.Response) -> Head:
    version = response.extensions.get("http_version", b"HTTP/1.1").decode("ascii", "replace")
    headers = ((name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in response.headers.raw)
    return Head(version, response.status_code, tuple(headers))


def _ending(error: BaseException) -> End:
    """Return what an error of httpx means for the exchange: by that of the socket beneath it, where there is one."""
    if isinstance(error, httpx.TimeoutException | TimeoutError):
        return "timed_out"
    if isinstance(error, httpx.RemoteProtocolError):
        return "closed" if any(word in str(error) for word in CLOSED) else "malformed"
    beneath = next((found for found in _beneath(error) if isinstance(found, OSError) and found.errno), None)
    if beneath is not None:
        return ending(beneath)
    return "unreachable" if isinstance(error, httpx.ConnectError) else "reset"


def _beneath(error: BaseException) -> Iterator[BaseException]:
    """Yield an error and those that it came of."""
    yield error
    if isinstance(error, BaseExceptionGroup):
        yield from error.exceptions
    if (cause := error.__cause__ or error.__context__) is not None:
        yield from _beneath(cause)
