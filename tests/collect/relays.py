"""What stands between a client and a server: one that takes TLS off, and an HTTP proxy, each in its own thread."""

from __future__ import annotations

import asyncio
import contextlib
import shutil
import ssl
import subprocess
import threading
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Final

import pytest

NAME: Final = "engine.example"
"""The name that the proxy knows a server by, and nobody else."""
NEEDS_OPENSSL = pytest.mark.skipif(shutil.which("openssl") is None, reason="no openssl to make a certificate with")
Streams = tuple[asyncio.StreamReader, asyncio.StreamWriter]


def certificate(folder: Path) -> Path:
    """Make a key and a certificate for 127.0.0.1 and for NAME that nobody has signed, in one file."""
    whole = folder / "server.pem"
    names = f"subjectAltName=IP:127.0.0.1,DNS:{NAME}"
    subprocess.run(
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2",
         "-subj", "/CN=test", "-addext", names, "-keyout", str(folder / "key.pem"), "-out", str(folder / "cert.pem")],
        check=True, capture_output=True,
    )  # fmt: skip
    whole.write_bytes((folder / "key.pem").read_bytes() + (folder / "cert.pem").read_bytes())
    return whole


@contextlib.contextmanager
def tls_before(port: int, pem: Path) -> Iterator[int]:
    """Take connections under TLS and hand them on to a port; yield ours."""
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(pem)

    async def each(client: Streams) -> None:
        await both_ways(client, await asyncio.open_connection("127.0.0.1", port))

    with listening(each, context) as ours:
        yield ours


@contextlib.contextmanager
def proxy(port: int, seen: list[bytes]) -> Iterator[int]:
    """Be a proxy that knows one server: NAME is at a port. First lines of requests are kept in ``seen``."""

    async def each(client: Streams) -> None:
        head = await client[0].readuntil(b"\r\n\r\n")
        seen.append(head.split(b"\r\n")[0])
        if f"{NAME}".encode() not in seen[-1]:
            client[1].write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
            return
        server = await asyncio.open_connection("127.0.0.1", port)
        if head.startswith(b"CONNECT"):
            client[1].write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        else:
            server[1].write(origin_form(head))
        await both_ways(client, server, origin_form)

    with listening(each) as ours:
        yield ours


def origin_form(data: bytes) -> bytes:
    """Turn ``POST http://engine.example:1/v1 HTTP/1.1`` into ``POST /v1 HTTP/1.1``; leave all else as it is."""
    before, found, rest = data.partition(f" http://{NAME}".encode())
    return before + b" /" + rest.partition(b"/")[2] if found else data


async def both_ways(client: Streams, server: Streams, change: Callable[[bytes], bytes] = lambda data: data) -> None:
    await asyncio.gather(pour(client[0], server[1], change), pour(server[0], client[1]), return_exceptions=True)


async def pour(
    source: asyncio.StreamReader, sink: asyncio.StreamWriter, change: Callable[[bytes], bytes] = lambda data: data
) -> None:
    try:
        while data := await source.read(65536):
            sink.write(change(data))
            await sink.drain()
    finally:
        sink.close()


@contextlib.contextmanager
def listening(each: Callable[[Streams], Awaitable[None]], context: ssl.SSLContext | None = None) -> Iterator[int]:
    """Serve connections on a free port from a thread of its own; yield the port."""
    loop = asyncio.new_event_loop()
    thread = threading.Thread(target=loop.run_forever, daemon=True)
    thread.start()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            await each((reader, writer))
        writer.close()

    async def start() -> asyncio.Server:
        return await asyncio.start_server(serve, "127.0.0.1", 0, ssl=context)

    async def stop() -> None:
        server.close()
        others = [task for task in asyncio.all_tasks() if task is not asyncio.current_task()]
        for task in others:
            task.cancel()
        await asyncio.gather(*others, return_exceptions=True)
        await asyncio.sleep(0.05)  # for the loop to let go of the sockets

    server = asyncio.run_coroutine_threadsafe(start(), loop).result(10)
    try:
        yield int(server.sockets[0].getsockname()[1])
    finally:
        asyncio.run_coroutine_threadsafe(stop(), loop).result(10)
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()
