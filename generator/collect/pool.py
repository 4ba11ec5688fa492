"""Connections to one server, and when one may be used again.

A server may close a kept-alive connection at the very moment at which it is used again. So a connection is taken
only where it is quiet and well within the idle time and the number of requests that the server allows; and where it
is dead all the same before a byte of an answer came, the request goes over a new one, and the recording counts that.
A server that closes one after another at once, whatever its headers say, gets a new connection for each request.
"""

from __future__ import annotations

import asyncio
import re
import socket
from typing import Final

from generator.collect.clock import S, now
from generator.collect.connection import Connection, ask_for_stamps, ending
from generator.collect.recording import End, Head, Limits, Recording

IDLE_MOST_S: Final = 2.0
"""Seconds that a connection may lie idle where the server names no time: uvicorn, for one, closes after 5 unsaid."""

MARGIN_S: Final = 1.0
"""Seconds before the end of the server's idle time from which a connection is not used; at most half of that time."""

BROKEN_WORDS: Final = 3
"""Kept-alive connections in a row that a server closes at once after an answer, against its own headers, until it is
no longer believed: llama.cpp, for one, says ``Keep-Alive`` and closes after a streamed answer."""

LOST: Final[tuple[End, ...]] = ("reset", "closed", "unreachable")


class Pool:
    """The connections to one server.

    Args:
        host: name or address.
        port: its port.
        one_each: whether each request has a connection of its own, opened just before it.
    """

    def __init__(self, host: str, port: int, *, one_each: bool = False) -> None:
        self.one_each = one_each
        self.opened = 0
        self._where = (host, port)
        self._idle: list[tuple[Connection, _Allowed]] = []
        self._busy: set[Connection] = set()
        self._stamps = False
        self._broken_words = 0
        self._addresses: list[tuple[int, int, int, str, tuple[object, ...]]] = []

    @property
    def idle(self) -> int:
        """Return how many connections lie ready."""
        return sum(connection.open for connection, _ in self._idle)

    async def warm(self, count: int, limits: Limits) -> int:
        """Open connections until so many lie ready; return how many do."""
        wanted = 0 if self.one_each else count - self.idle
        made = await asyncio.gather(*(self._connect(Recording(), limits) for _ in range(wanted)))
        self._idle += [(connection, _Allowed()) for connection in made if connection is not None]
        return self.idle

    async def exchange(self, payload: bytes, recording: Recording, limits: Limits) -> None:
        """Send a request over some connection and write down what came; the recording says how it ended.

        Raises:
            asyncio.CancelledError: the caller was cancelled.
        """
        kept = self._take()
        if kept is not None:
            recording.reused, had_served = True, kept[0].served > 0
            await self._over(*kept, payload, recording, limits)
            if recording.reads or recording.end not in LOST:
                self._broken_words = 0 if had_served else self._broken_words
                return
            self._broken_words += had_served
            recording.send_again()
        connection = await self._connect(recording, limits)
        if connection is not None:
            await self._over(connection, _Allowed(), payload, recording, limits)

    async def _over(
        self, connection: Connection, allowed: _Allowed, payload: bytes, recording: Recording, limits: Limits
    ) -> None:
        self._busy.add(connection)
        recording.stamp = "kernel" if self._stamps else "user"
        try:
            await connection.exchange(payload, recording, limits)
        finally:
            self._busy.discard(connection)
        allowed.note(connection.framing.head)
        if self._may_keep(connection) and allowed.another(connection.served):
            self._idle.append((connection, allowed))
        else:
            connection.close()

    def _may_keep(self, connection: Connection) -> bool:
        return not self.one_each and connection.open and self._broken_words < BROKEN_WORDS

    def _take(self) -> tuple[Connection, _Allowed] | None:
        """Return the connection that was used last and still may be; close those that may not."""
        while self._idle:
            connection, allowed = self._idle.pop()
            rested = (now() - connection.idle_since) / S
            if rested < allowed.idle_s:
                if connection.open and connection.is_quiet():
                    return connection, allowed
                self._broken_words += connection.served > 0
            connection.close()
        return None

    async def _connect(self, recording: Recording, limits: Limits) -> Connection | None:
        """Open a connection; where that fails, the recording says why."""
        try:
            async with asyncio.timeout(min(limits.connect_s, limits.total_s)):
                sock = await self._open()
        except OSError as error:
            recording.finish(ending(error))
            return None
        except asyncio.CancelledError:
            recording.finish("cancelled")
            raise
        self.opened += 1
        return Connection(sock, asyncio.get_running_loop())

    async def _open(self) -> socket.socket:
        """Try each address of the server in turn; once one took a connection, that one. The last one's error counts."""
        loop = asyncio.get_running_loop()
        found = self._addresses or await loop.getaddrinfo(*self._where, type=socket.SOCK_STREAM)
        self._addresses = []
        failed: OSError = OSError("no address")
        for one in found:
            try:
                sock = await self._dial(loop, *one[:3], one[4])
            except OSError as error:
                failed = error
            else:
                self._addresses = [one]
                return sock
        raise failed

    async def _dial(
        self, loop: asyncio.AbstractEventLoop, family: int, kind: int, protocol: int, address: tuple[object, ...]
    ) -> socket.socket:
        sock = socket.socket(family, kind, protocol)
        try:
            sock.setblocking(False)
            sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            self._stamps = ask_for_stamps(sock)
            await loop.sock_connect(sock, address)
        except BaseException:
            sock.close()
            raise
        return sock

    def close(self) -> None:
        """Close every connection, those in use too."""
        for connection in [one for one, _ in self._idle] + list(self._busy):
            connection.close()
        self._idle.clear()


class _Allowed:
    """What the server allows of a connection, by the headers of its responses."""

    def __init__(self) -> None:
        self.idle_s = IDLE_MOST_S
        self._most: int | None = None
        self._keeps = True

    def note(self, head: Head | None) -> None:
        """Take the headers of a response: ``Connection`` and ``Keep-Alive: timeout=5, max=100``."""
        if head is None:
            self._keeps = False
            return
        words = head.tokens("connection")
        self._keeps = "close" not in words and (head.version == "HTTP/1.1" or "keep-alive" in words)
        named = dict(re.findall(r"(timeout|max)\s*=\s*(\d{1,9})", head.get("keep-alive").lower()))
        if "timeout" in named:
            seconds = float(named["timeout"])
            self.idle_s = seconds - min(MARGIN_S, seconds / 2)
        if "max" in named:
            self._most = int(named["max"])

    def another(self, served: int) -> bool:
        """Return whether one more request may be sent.

        Some servers count ``max`` down and some repeat the whole number: the stricter meaning is taken, which
        costs the first kind a connection more now and then.
        """
        return self._keeps and (self._most is None or served < self._most)
