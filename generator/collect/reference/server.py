"""A reference server on a port of this machine: start, and stop within a moment whatever is open."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING, Final, TextIO

from generator.collect.reference.connection import Connection
from generator.collect.reference.core import Core
from generator.collect.reference.routes import Routes

if TYPE_CHECKING:
    from generator.collect.reference.settings import Settings
    from generator.collect.reference.stamps import StampBook

ADDRESS: Final = "127.0.0.1"
"""Loopback only: it has no keys, and nobody else is to reach it."""

BACKLOG: Final = 1024


class ReferenceServer:
    """A server that listens."""

    def __init__(self, core: Core, routes: Routes, listener: asyncio.Server) -> None:
        """Take the parts; :func:`start` makes them."""
        self._core = core
        self._routes = routes
        self._listener = listener
        self._loading: asyncio.TimerHandle | None = None

    @property
    def port(self) -> int:
        """The port that it listens on."""
        port: int = self._listener.sockets[0].getsockname()[1]
        return port

    @property
    def url(self) -> str:
        """The base URL."""
        return f"http://{ADDRESS}:{self.port}"

    @property
    def stamps(self) -> StampBook:
        """When each chunk was sent."""
        return self._core.book

    def load(self, loop: asyncio.AbstractEventLoop) -> None:
        """Begin to load, and answer once that is done."""
        self._core.log.loading(self._core.engine)
        seconds = self._core.settings.load_seconds
        if seconds > 0:
            self._loading = loop.call_later(seconds, self._loaded)
        else:
            self._loaded()

    async def stop(self) -> None:
        """Stop listening, and drop what is open."""
        if self._loading is not None:
            self._loading.cancel()
        self._core.pacer.stop()
        self._core.log.stopping()
        self._listener.close()
        for connection in list(self._routes.connections):
            connection.abort()
        await asyncio.sleep(0)  # lets the connections hear that they are lost, so that their stamps are closed

    def _loaded(self) -> None:
        self._core.log.listening(self._core.engine, self.port)
        self._routes.ready = True


async def start(settings: Settings, port: int, log: TextIO) -> ReferenceServer:
    """Listen on a port; 0 for any that is free.

    Raises:
        OSError: the port is taken.
    """
    loop = asyncio.get_running_loop()
    core = Core(settings, loop, log)
    routes = Routes(core)
    listener = await loop.create_server(lambda: Connection(routes, loop), ADDRESS, port, backlog=BACKLOG)
    server = ReferenceServer(core, routes, listener)
    server.load(loop)
    return server
