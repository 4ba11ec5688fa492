"""A reference server on a port of this machine: start, and stop within a moment whatever is open."""

from __future__ import annotations

import asyncio
import socket
import time
from contextlib import ExitStack, closing
from typing import TYPE_CHECKING, Final, TextIO

from generator.collect.reference.connection import Connection
from generator.collect.reference.core import Core
from generator.collect.reference.routes import Routes
from generator.collect.reference.starting import after_listening, before_listening

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.collect.reference.settings import Settings, Stage
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
        self._tasks: list[asyncio.Task[None]] = []

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
        """Do what is left of the start, and answer once that is done."""
        settings = self._core.settings
        stages = after_listening(settings.style, settings.stages)
        if stages or settings.load_seconds > 0:
            self._tasks.append(loop.create_task(self._load(stages)))
        else:
            self._loaded()
        self._tasks.append(loop.create_task(self._tell()))

    async def stop(self) -> None:
        """Stop listening, and drop what is open."""
        for task in self._tasks:
            task.cancel()
        self._core.pacer.stop()
        self._core.log.stopping()
        self._listener.close()
        for connection in list(self._routes.connections):
            connection.abort()
        await asyncio.sleep(0)  # lets the connections hear that they are lost, so that their stamps are closed

    async def _load(self, stages: Sequence[Stage]) -> None:
        await asyncio.sleep(self._core.settings.load_seconds)
        await pass_stages(self._core, stages)
        self._loaded()

    async def _tell(self) -> None:
        """Have statistics logged now and then, whatever comes."""
        while True:
            await asyncio.sleep(self._core.settings.stats_seconds)
            self._core.log.statistics()

    def _loaded(self) -> None:
        self._core.log.listening(self._core.engine, self.port)
        self._routes.ready = True


async def pass_stages(core: Core, stages: Sequence[Stage]) -> None:
    """Let stages of the start pass, one after the other, and log how long each took."""
    for stage in stages:
        began = time.monotonic()
        await asyncio.sleep(core.settings.stages[stage])
        core.log.passed(core.engine, stage, time.monotonic() - began)


async def start(settings: Settings, port: int, log: TextIO) -> ReferenceServer:
    """Listen on a port; 0 for any that is free. What passes of a start before the port is open has passed then.

    Raises:
        OSError: the port is taken.
    """
    loop = asyncio.get_running_loop()
    with ExitStack() as until_served:
        bound = until_served.enter_context(closing(_bound(port)))
        core = Core(settings, loop, log)
        core.log.loading(core.engine)
        await pass_stages(core, before_listening(settings.style, settings.stages))
        routes = Routes(core)
        listener = await loop.create_server(lambda: Connection(routes, loop), sock=bound, backlog=BACKLOG)
        until_served.pop_all()
    server = ReferenceServer(core, routes, listener)
    server.load(loop)
    return server


def _bound(port: int) -> socket.socket:
    """Take a port; who connects is refused until somebody listens."""
    bound = socket.socket()
    try:
        bound.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        bound.bind((ADDRESS, port))
    except OSError:
        bound.close()
        raise
    return bound
