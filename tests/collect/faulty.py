"""Servers on loopback that do as a test says, with real sockets, in the loop of the client."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import struct
from collections.abc import AsyncIterator, Awaitable, Callable
from dataclasses import dataclass
from typing import Final, Literal

from generator.collect.load import Job, LevelRun, Plan, run_level
from generator.collect.plain import PlainTransport
from generator.collect.recorded import RecordingTransport
from generator.collect.recording import Limits
from generator.collect.transport import StampingTransport

SSE: Final = b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nTransfer-Encoding: chunked\r\n\r\n"
DONE: Final = b"data: [DONE]\n\n"
LAST_CHUNK: Final = b"0\r\n\r\n"
JOB: Final = Job("/v1/completions", b'{"prompt": "x"}')
SHORT: Final = Limits(total_s=5.0, stall_s=0.2, connect_s=2.0)

Way = Literal["kernel", "user"]


@dataclass
class Visit:
    """One request as the server sees it: which of all, and which on its connection, each counted from 1."""

    number: int
    nth: int
    writer: asyncio.StreamWriter
    open: bool = True

    async def send(self, data: bytes) -> None:
        self.writer.write(data)
        await self.writer.drain()

    async def answer(self, tokens: int = 3, head: bytes = SSE) -> None:
        """Send a whole answer, a token an event, with usage in an event of its own."""
        await self.send(head + b"".join(map(chunk, whole(tokens))) + LAST_CHUNK)

    def close(self) -> None:
        self.open = False
        self.writer.close()

    def reset(self) -> None:
        """Break the connection with a RST, as the kernel of a dead process does."""
        sock = self.writer.get_extra_info("socket")
        sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        self.open = False
        self.writer.transport.abort()


Answer = Callable[[Visit], Awaitable[None]]


def token(text: str) -> bytes:
    return event({"choices": [{"index": 0, "text": text, "finish_reason": None}]})


def event(said: object) -> bytes:
    return b"data: " + json.dumps(said).encode() + b"\n\n"


def finish(reason: str = "length") -> bytes:
    return event({"choices": [{"index": 0, "text": "", "finish_reason": reason}]})


def usage(prompt: object, answer: object) -> bytes:
    return event({"choices": [], "usage": {"prompt_tokens": prompt, "completion_tokens": answer}})


def whole(tokens: int) -> list[bytes]:
    return [*(token(" a") for _ in range(tokens)), finish(), usage(5, tokens), DONE]


def chunk(data: bytes) -> bytes:
    return b"%x\r\n%s\r\n" % (len(data), data)


@contextlib.asynccontextmanager
async def serving(answer: Answer) -> AsyncIterator[str]:
    """Serve on a free port; yield the URL."""
    visits = 0
    tasks: list[asyncio.Task[None]] = []
    writers: list[asyncio.StreamWriter] = []

    async def on_connection(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        writers.append(writer)
        tasks.append(asyncio.create_task(answer_all(reader, writer)))

    async def answer_all(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal visits
        nth, is_open = 0, True
        with contextlib.suppress(OSError, asyncio.IncompleteReadError):
            while is_open:
                if (await read_request(reader)).startswith(b"GET /v1/models"):  # a connection being warmed
                    writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n")
                    continue
                visits, nth = visits + 1, nth + 1
                visit = Visit(visits, nth, writer)
                await answer(visit)
                is_open = visit.open
        writer.close()

    server = await asyncio.start_server(on_connection, "127.0.0.1", 0)
    try:
        yield f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
    finally:
        server.close()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        await gone(writers)


async def gone(writers: list[asyncio.StreamWriter]) -> None:
    """Break what is still open, and wait until the loop has let go of it."""
    for writer in writers:
        writer.transport.abort()
    await asyncio.sleep(0.01)


async def read_request(reader: asyncio.StreamReader) -> bytes:
    head = await reader.readuntil(b"\r\n\r\n")
    length = next((int(line[15:]) for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:")), 0)
    return head + await reader.readexactly(length)


def transport(way: Way, limits: Limits, *, one_each: bool = False) -> RecordingTransport:
    kind = StampingTransport if way == "kernel" else PlainTransport
    return kind(limits, one_each=one_each)


def level(
    answer: Answer, requests: int = 4, at_once: int = 2, *,
    way: Way = "kernel", limits: Limits = SHORT, one_each: bool = False, plan: Plan | None = None,
) -> LevelRun:  # fmt: skip
    """Run a level against a server that answers so."""

    async def run() -> LevelRun:
        async with serving(answer) as url:
            with_transport = transport(way, limits, one_each=one_each)
            try:
                return await run_level(plan or Plan([JOB] * requests, at_once), url, with_transport)
            finally:
                await with_transport.aclose()

    return asyncio.run(run())


def free_port() -> int:
    with socket.socket() as sock:
        sock.bind(("127.0.0.1", 0))
        port: int = sock.getsockname()[1]
        return port
