"""A TCP connection whose every read is written down with the kernel's time of its packet (Linux, plain http)."""

from __future__ import annotations

import asyncio
import errno
import socket
import struct
import sys
from collections.abc import Callable
from typing import Final

from generator.collect.clock import S, now
from generator.collect.framing import Framing
from generator.collect.http_body import MalformedError
from generator.collect.recording import NO_STAMP, READ_COSTS, End, Limits, Recording

SO_TIMESTAMPNS: Final = 35
"""Its number on every Linux but those for Alpha, MIPS, PA-RISC and SPARC; the socket module does not name it."""

READ: Final = 65_536
ANCILLARY: Final = 64

HAS_STAMPS: Final = sys.platform == "linux" and struct.calcsize("l") == len(NO_STAMP) // 2


def ask_for_stamps(sock: socket.socket) -> bool:
    """Ask the kernel to stamp what arrives at a socket; return whether it will."""
    if not HAS_STAMPS:
        return False
    try:
        sock.setsockopt(socket.SOL_SOCKET, SO_TIMESTAMPNS, 1)
    except OSError:
        return False
    return True


class Connection:
    """One connection: idle, or busy with one exchange.

    Attributes:
        open: whether it can be used.
        served: exchanges that were whole.
        idle_since: when the last one ended, ns; when it was opened, where there was none.
    """

    def __init__(self, sock: socket.socket, loop: asyncio.AbstractEventLoop) -> None:
        self.open = True
        self.served = 0
        self.idle_since = now()
        self._socket = sock
        self._receive = sock.recvmsg
        self._loop = loop
        self._recording: Recording | None = None
        self._framing = Framing()
        self._room = 0
        self._over: asyncio.Future[None] = loop.create_future()
        loop.add_reader(sock.fileno(), self._readable)

    @property
    def framing(self) -> Framing:
        """Return what was found of the last response."""
        return self._framing

    async def exchange(self, payload: bytes, recording: Recording, limits: Limits) -> None:
        """Send a request and write down its answer; the recording says how it ended. Closes unless all went well.

        Raises:
            asyncio.CancelledError: the caller was cancelled; the recording is kept up to there.
        """
        self._recording, self._framing, self._room = recording, Framing(), limits.most_bytes
        self._over = self._loop.create_future()
        watch = _Watch(self._loop, recording, self._framing, limits, self._finish)
        recording.sent = recording.sent or now()
        try:
            await self._send(payload)
            await self._over
        except asyncio.CancelledError:
            self._finish("cancelled")
            raise
        finally:
            watch.stop()
            self._rest(recording)

    async def _send(self, payload: bytes) -> None:
        """Write the request. A connection broken at this is left to the reader: an answer may lie there (413)."""
        try:
            sent = self._socket.send(payload)
        except (BlockingIOError, InterruptedError):
            sent = 0
        except OSError as error:
            self._cannot_send(error)
            return
        if sent < len(payload):
            await self._send_rest(memoryview(payload)[sent:])

    async def _send_rest(self, rest: memoryview) -> None:
        writing = asyncio.ensure_future(self._loop.sock_sendall(self._socket, rest))
        try:
            await asyncio.wait((writing, self._over), return_when=asyncio.FIRST_COMPLETED)
        finally:
            writing.cancel()
        (error,) = await asyncio.gather(writing, return_exceptions=True)
        if isinstance(error, OSError):
            self._cannot_send(error)

    def _cannot_send(self, error: OSError) -> None:
        if error.errno not in RESETS:
            self._finish(ending(error))

    def _readable(self) -> None:
        """Take what has arrived. This runs once a read: it stamps and keeps, no more."""
        try:
            data, ancillary, _, _ = self._receive(READ, ANCILLARY)
        except (BlockingIOError, InterruptedError):
            return
        except OSError as error:
            self._broken(ending(error))
            return
        recording = self._recording
        if recording is None or not data or self._over.done():
            self._broken("closed")
            return
        recording.read_at.append(now())
        recording.stamps.append(ancillary[0][2] if ancillary else NO_STAMP)
        recording.reads.append(data)
        self._room -= len(data) + READ_COSTS
        try:
            if self._framing.over(data):
                self._finish("whole")
            elif self._room < 0:
                self._cut(recording)
        except MalformedError:
            self._finish("malformed")

    def _broken(self, end: End) -> None:
        """Note that the other side is gone. An orderly end is that of a body which has no length."""
        framing = self._framing
        self._finish("whole" if end == "closed" and framing.ends_with_connection else end)
        self.close()

    def _cut(self, recording: Recording) -> None:
        """Keep of the last read what there is room for."""
        self._finish("too_large")
        last = recording.reads[-1]
        recording.reads[-1] = last[: max(len(last) + self._room, 0)]

    def _finish(self, end: End) -> None:
        if self._recording is not None and not self._over.done():
            self._recording.finish(end)
            self._over.set_result(None)

    def _rest(self, recording: Recording) -> None:
        recording.head, recording.kept = self._framing.head, sum(map(len, recording.reads))
        self._recording, self.idle_since = None, now()
        self.served += 1
        if recording.end != "whole" or self._framing.surplus:
            self.close()

    def is_quiet(self) -> bool:
        """Return whether nothing has arrived since: neither the end of the connection nor bytes unasked for."""
        try:
            self._socket.recv(1, socket.MSG_PEEK)
        except (BlockingIOError, InterruptedError):
            return True
        except OSError:
            return False
        return False

    def close(self) -> None:
        """Close the connection; twice does no harm."""
        if self.open:
            self.open = False
            self._loop.remove_reader(self._socket.fileno())
            self._loop.remove_writer(self._socket.fileno())
            self._socket.close()


class _Watch:
    """Ends an exchange that takes too long: one timer, set anew when it fires and not at each read."""

    def __init__(
        self, loop: asyncio.AbstractEventLoop, recording: Recording, framing: Framing, limits: Limits,
        finish: Callable[[End], None],
    ) -> None:  # fmt: skip
        self._loop, self._recording, self._framing, self._finish = loop, recording, framing, finish
        self._total, self._stall = int(limits.total_s * S), int(limits.stall_s * S)
        self._timer = loop.call_later(min(limits.total_s, limits.stall_s), self._look)

    def stop(self) -> None:
        self._timer.cancel()

    def _look(self) -> None:
        recording, at = self._recording, now()
        left = recording.sent + self._total - at
        begun = self._framing.body_bytes > 0
        quiet_left = recording.read_at[-1] + self._stall - at if begun else self._stall
        if left <= 0:
            self._finish("timed_out")
        elif quiet_left <= 0:
            self._finish("whole" if self._is_whole() else "stalled")
        else:
            self._timer = self._loop.call_later(min(left, quiet_left) / S + 0.001, self._look)

    def _is_whole(self) -> bool:
        try:
            return self._framing.look()
        except MalformedError:
            return False


RESETS: Final = (errno.ECONNRESET, errno.EPIPE, errno.ECONNABORTED)

OURS: Final = (errno.EMFILE, errno.ENFILE, errno.EADDRNOTAVAIL, errno.ENOBUFS, errno.ENOMEM)
"""What this machine has run out of: descriptors, ports, memory. No fault of the server."""


def ending(error: OSError) -> End:
    """Return what an error of a socket means for the exchange."""
    if isinstance(error, TimeoutError):
        return "timed_out"
    if error.errno == errno.ECONNREFUSED:
        return "refused"
    if error.errno in OURS:
        return "not_sent"
    return "reset" if error.errno in RESETS else "unreachable"
