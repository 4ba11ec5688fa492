"""A reference server in a thread of the test, and what tests ask it."""

from __future__ import annotations

import asyncio
import io
import json
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import httpx

from generator.collect.reference.model import FAST
from generator.collect.reference.pacing import fine_loop
from generator.collect.reference.server import ReferenceServer, start
from generator.collect.reference.settings import Settings

QUICK = Settings(machine=FAST)


@dataclass(frozen=True)
class Running:
    server: ReferenceServer
    log: io.StringIO

    @property
    def url(self) -> str:
        return self.server.url

    def sheets(self) -> list[dict[str, Any]]:
        """Return the stamps of all requests, without the head line.

        Asked over HTTP: the server then has done with what it sent before.
        """
        return [json.loads(line) for line in httpx.get(f"{self.url}/reference/stamps").text.splitlines()][1:]

    def send(self, raw: bytes) -> bytes:
        """Send bytes on a connection of their own and return all that comes until the server closes it."""
        with socket.create_connection(("127.0.0.1", self.server.port), timeout=10) as connection:
            connection.sendall(raw)
            return b"".join(iter(lambda: connection.recv(65536), b""))


@contextmanager
def running(settings: Settings = QUICK) -> Iterator[Running]:
    loop, log = fine_loop(), io.StringIO()
    thread = threading.Thread(target=loop.run_forever)
    thread.start()
    try:
        server = asyncio.run_coroutine_threadsafe(start(settings, 0, log), loop).result(10)
        try:
            yield Running(server, log)
        finally:
            asyncio.run_coroutine_threadsafe(server.stop(), loop).result(10)
    finally:
        loop.call_soon_threadsafe(loop.stop)
        thread.join(10)
        loop.close()


def asking(tokens: int = 3, **fields: object) -> dict[str, Any]:
    """Return the body of a streamed completion."""
    return {"prompt": " the model", "max_tokens": tokens, "stream": True, **fields}


def events(text: str) -> list[dict[str, Any]]:
    """Return the JSON of a stream's events; it has to end with the end mark."""
    parts = text.split("\n\n")
    assert parts[-2:] == ["data: [DONE]", ""]
    return [json.loads(part.removeprefix("data: ")) for part in parts[:-2]]
