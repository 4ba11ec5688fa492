"""One connection: requests one after the other, each answered whole or as a stream, and kept alive between them."""

from __future__ import annotations

import asyncio
import socket
from time import monotonic_ns
from typing import TYPE_CHECKING, Final, Protocol, cast

from generator.collect.reference.http import LAST_CHUNK, HttpError, Request, RequestReader, chunk_of, head_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from generator.collect.reference.settings import Settings

LINGER: Final = 1.0
"""Seconds that a client whose request was refused unread may go on sending: closing at once would reset the connection,
and the answer would be lost with it."""

MOST_AHEAD: Final = 64 * 1024
"""Bytes of further requests that are read while one is being answered."""


class Service(Protocol):
    """What answers requests."""

    connections: set[Connection]

    @property
    def settings(self) -> Settings:
        """How the server is to behave."""

    def serve(self, request: Request, connection: Connection) -> None:
        """Answer a request, now or later."""

    def refuse(self, error: HttpError, connection: Connection) -> None:
        """Answer what is no request."""


class Connection(asyncio.Protocol):
    """The server's end of one TCP connection.

    Attributes:
        peer: address and port of the client.
        received: when bytes were read last, CLOCK_MONOTONIC in ns.
        when_lost: what to do if the client goes away before its answer has ended.
    """

    def __init__(self, service: Service, loop: asyncio.AbstractEventLoop) -> None:
        """Take the service that answers."""
        self.peer = ""
        self.received = 0
        self.when_lost: Callable[[], None] | None = None
        self._service = service
        self._loop = loop
        self._reader = RequestReader()
        self._transport: asyncio.Transport
        self._idle: asyncio.TimerHandle | None = None
        self._request: Request | None = None
        self._answered = 0
        self._serving = False
        self._told = False
        self._refused = False

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Take the transport."""
        self._transport = cast("asyncio.Transport", transport)
        # asyncio does this of itself only where a socket names its protocol, and accepted ones may not. Without it the
        # first chunk of a reused connection waits for the client's delayed acknowledgement of the head: 40 ms.
        transport.get_extra_info("socket").setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.peer = "{}:{}".format(*transport.get_extra_info("peername")[:2])
        self._service.connections.add(self)
        self._wait()

    def connection_lost(self, exc: Exception | None) -> None:  # noqa: ARG002  # asyncio's signature
        """Give up what was being answered."""
        self._service.connections.discard(self)
        self._stop_waiting()
        if self.when_lost is not None:
            self.when_lost()

    def data_received(self, data: bytes) -> None:
        """Read requests."""
        self.received = monotonic_ns()
        if self._refused:
            return
        self._reader.feed(data)
        if self._request is None:
            self._proceed()
        elif self._reader.held > MOST_AHEAD:
            self._transport.pause_reading()

    def answer(self, status: int, body: bytes, kind: str, fields: Mapping[str, str]) -> None:
        """Answer whole."""
        head = {**fields, "Content-Type": kind, "Content-Length": str(len(body)), **self._connection_fields()}
        self._transport.write(head_of(status, head) + body)
        self._end_answer()

    def begin_stream(self, fields: Mapping[str, str]) -> None:
        """Send the head of a stream."""
        framing = {"Transfer-Encoding": "chunked"} if self._chunked else {}
        self._transport.write(head_of(200, {**fields, **framing, **self._connection_fields()}))

    def framed(self, data: bytes, last: bool = False) -> bytes:
        """Return a piece of a stream as it goes over the wire."""
        if not self._chunked:
            return data
        return chunk_of(data) + LAST_CHUNK if last else chunk_of(data)

    @property
    def is_behind(self) -> bool:
        """Whether earlier bytes still wait for the client to read."""
        return self._transport.get_write_buffer_size() > 0

    def send(self, framed: bytes) -> None:
        """Send a piece of a stream, at once unless the connection is behind."""
        self._transport.write(framed)

    def end_stream(self) -> None:
        """Go on to the next request; the last piece has been sent."""
        self._end_answer()

    def abort(self) -> None:
        """Drop the connection, and what is unsent with it."""
        self._transport.abort()

    @property
    def _chunked(self) -> bool:
        return self._request is not None and self._request.head.minor == 1

    @property
    def _stays(self) -> bool:
        most = self._service.settings.most_requests
        wanted = self._request is not None and self._request.keeps_alive
        streamed_raw = self._request is not None and self._request.head.minor == 0
        return wanted and not streamed_raw and (most == 0 or self._answered + 1 < most)

    def _connection_fields(self) -> dict[str, str]:
        if not self._stays:
            return {"Connection": "close"}
        settings = self._service.settings
        if settings.style == "vllm" and not settings.most_requests:  # uvicorn keeps alive and does not say how long
            return {}
        most = f", max={settings.most_requests}" if settings.most_requests else ""
        return {"Keep-Alive": f"timeout={settings.idle_seconds:g}{most}"}

    def _end_answer(self) -> None:
        stays = self._stays
        self._answered += 1
        self._request = self.when_lost = None
        if self._refused:
            self._transport.write_eof()
            self._loop.call_later(LINGER, self._transport.close)
        elif not stays:
            self._transport.close()
        elif not self._serving:
            self._transport.resume_reading()
            self._proceed()

    def _proceed(self) -> None:
        """Serve what has been read, as long as answers are immediate."""
        self._serving = True
        try:
            while self._request is None and not self._refused and not self._transport.is_closing():
                self._request = self._reader.next()
                if self._request is None:
                    self._wait()
                    break
                self._told = False
                self._stop_waiting()
                self._service.serve(self._request, self)
        except HttpError as error:
            self._stop_waiting()
            self._refused = True
            self._service.refuse(error, self)
        finally:
            self._serving = False

    def _wait(self) -> None:
        self._stop_waiting()
        self._idle = self._loop.call_later(self._service.settings.idle_seconds, self._transport.close)
        if self._reader.waits_for_leave and not self._told:
            self._told = True
            self._transport.write(b"HTTP/1.1 100 Continue\r\n\r\n")

    def _stop_waiting(self) -> None:
        if self._idle is not None:
            self._idle.cancel()
            self._idle = None
