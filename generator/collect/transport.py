"""The transport of the timed path: own sockets, each read written down with the kernel's time. Plain http on Linux."""

from __future__ import annotations

import socket

import httpx

from generator.collect.connection import HAS_STAMPS, ask_for_stamps
from generator.collect.plain import PlainTransport
from generator.collect.pool import Pool
from generator.collect.reach import proxy_of
from generator.collect.recorded import RecordingTransport, recording_of, response_of
from generator.collect.recording import Limits

WITH_BODY = frozenset({"POST", "PUT", "PATCH"})


def transport_for(url: str, *, limits: Limits | None = None) -> RecordingTransport:
    """Return the transport that times a server best: with kernel stamps where there are any.

    By a proxy of the environment httpx does the reading, and stamps are those of our own clock.

    Args:
        url: of the server.
        limits: when a request is given up.

    Raises:
        InputError: the environment names a proxy or certificates that cannot be used.
    """
    limits, proxy = limits or Limits(), proxy_of(url)
    if httpx.URL(url).scheme == "http" and proxy is None and HAS_STAMPS:
        return StampingTransport(limits)
    return PlainTransport(limits, proxy=proxy)


class StampingTransport(RecordingTransport):
    """Own sockets with the kernel's receive stamps; nothing of a body is parsed before somebody asks for it."""

    def __init__(self, limits: Limits, *, one_each: bool = False) -> None:
        self.limits = limits
        self._one_each = one_each
        self._pools: dict[tuple[str, int], Pool] = {}
        # The kernel begins to stamp a moment after the first socket asks: this one asks before any is timed.
        self._asking = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        ask_for_stamps(self._asking)

    async def warm(self, url: str, count: int) -> int:
        """Open connections to the server of a URL until so many lie ready; return how many do."""
        return await self.pool(httpx.URL(url)).warm(count, self.limits)

    def pool(self, url: httpx.URL) -> Pool:
        """Return the connections to the server of a URL."""
        where = url.host, url.port or 80
        if where not in self._pools:
            self._pools[where] = Pool(*where, one_each=self._one_each)
        return self._pools[where]

    async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
        """Send a request and wait until its response is over.

        Raises:
            httpx.TransportError: it did not come whole; the recording holds what came.
            httpx.UnsupportedProtocol: it is for anything but plain http, or HEAD, whose answer has no end of its own.
        """
        if request.url.scheme != "http" or request.method == "HEAD":
            raise httpx.UnsupportedProtocol("kernel stamps are for plain http", request=request)
        recording = recording_of(request)
        payload = wire(request, await request.aread(), closing=self._one_each)
        await self.pool(request.url).exchange(payload, recording, self.limits)
        return response_of(recording, request)

    async def aclose(self) -> None:
        """Close every connection."""
        for pool in self._pools.values():
            pool.close()
        self._asking.close()


def wire(request: httpx.Request, body: bytes, *, closing: bool) -> bytes:
    """Return a request as the bytes to be sent.

    Raises:
        httpx.LocalProtocolError: a header would break out of its line.
    """
    left_out = {b"transfer-encoding", b"content-length"} | ({b"connection"} if closing else set())
    headers = [(name, value) for name, value in request.headers.raw if name.lower() not in left_out]
    if any(set(b"\r\n\0") & set(name + value) for name, value in headers):
        raise httpx.LocalProtocolError("a header holds the end of a line", request=request)
    headers += [(b"Connection", b"close")] * closing
    if body or request.method in WITH_BODY:
        headers.append((b"Content-Length", b"%d" % len(body)))
    lines = [b"%s %s HTTP/1.1" % (request.method.encode("ascii"), request.url.raw_path)]
    lines += [name + b": " + value for name, value in headers]
    return b"\r\n".join(lines) + b"\r\n\r\n" + body
