"""Waiting until an engine can be asked: its port open, its health good.

That a connection is refused and that health answers 503 are both phases of a start. How closely moments are known:
to 1 % of the time since the start, but not better than 5 ms.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from http import HTTPStatus
from typing import TYPE_CHECKING, Final

import httpx

from generator.collect.engine_process.failure import ended_early, engine_error
from generator.collect.engine_process.ports import address_of, is_open
from generator.collect.reach import client_of
from generator.errors import InputError
from generator.runs.starts import COARSEST_LOOK_S, FINEST_LOOK_S, LOOK_SHARE

if TYPE_CHECKING:
    from generator.collect.engine_process.process import EngineProcess

ANSWER_S: Final = 5.0
"""Seconds that health has to answer."""
SERVER_ERRORS: Final = 500
PASSING: Final = frozenset(
    {HTTPStatus.REQUEST_TIMEOUT.value, HTTPStatus.TOO_EARLY.value, HTTPStatus.TOO_MANY_REQUESTS.value}
)
"""Answers below 500 that say: not now."""
ATTACH_S: Final = 10.0
"""Seconds that a server which should be running already has to say that it is well."""

_NO_KEEPING: Final = httpx.Limits(max_keepalive_connections=0)


@dataclass(frozen=True, slots=True)
class Ready:
    """When an engine became ready: ns of CLOCK_MONOTONIC of the open port, and of good health."""

    port_ns: int
    healthy_ns: int


async def until_ready(process: EngineProcess, base_url: str, health: str, timeout_s: float) -> Ready:
    """Wait for the port of an engine that was started, then for its health.

    Raises:
        EngineError: it ended, its health says that it never will be ready, or the time is over; with its last words.
    """
    host, port = address_of(base_url)
    seen = "nobody listened on the port"

    async def opened() -> bool:
        return await is_open(host, port)

    async def healthy() -> bool:
        nonlocal seen
        seen = await _health(client, health)
        return not seen

    deadline = process.spawned_ns + int(timeout_s * 1e9)
    try:
        async with _client(base_url) as client:
            port_ns = await _first(opened, process, deadline)
            return Ready(port_ns, await _first(healthy, process, deadline))
    except TimeoutError:
        problem = f"not ready within {timeout_s:g} s: {seen}"
        raise engine_error(process.log, problem, "allow more time (ready_timeout_s), or see the log") from None
    except _Final as answer:
        raise engine_error(process.log, str(answer), "name the right health path") from None


async def until_attached(base_url: str, health: str, timeout_s: float = ATTACH_S) -> None:
    """Wait until a server that was started by others says that it is well.

    Raises:
        InputError: it does not.
    """
    address_of(base_url)
    begun = time.monotonic()
    async with _client(base_url) as client:
        while seen := await _health_or_final(client, health):
            if time.monotonic() - begun > timeout_s:
                remedy = "start the server, or correct endpoint and health"
                raise InputError("round.toml", "endpoint", seen, remedy)
            await asyncio.sleep(COARSEST_LOOK_S)


async def _first(happened: Callable[[], Awaitable[bool]], process: EngineProcess, deadline: int) -> int:
    """Return when something was first seen, in ns.

    Raises:
        TimeoutError: the time is over.
        EngineError: the engine ended.
    """
    while not await happened():
        code = process.exit_code
        if code is not None:
            raise ended_early(process.log, code)
        now = time.monotonic_ns()
        if now > deadline:
            raise TimeoutError
        since = (now - process.spawned_ns) / 1e9
        await asyncio.sleep(min(max(since * LOOK_SHARE, FINEST_LOOK_S), COARSEST_LOOK_S))
    return time.monotonic_ns()


class _Final(Exception):  # noqa: N818  # an answer, not an accident
    """An answer of health that waiting does not change."""


async def _health(client: httpx.AsyncClient, path: str) -> str:
    """Return what is wrong with the health; nothing where it is good.

    Raises:
        _Final: it answers with what is not a matter of time.
    """
    try:
        async with client.stream("GET", path) as answer:  # its body is of no interest, and may be endless
            status = answer.status_code
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return f"{path} did not answer ({type(error).__name__})"
    if status == HTTPStatus.OK:
        return ""
    said = f"{path} answered {status}"
    if status < SERVER_ERRORS and status not in PASSING:
        raise _Final(said)
    return said


async def _health_or_final(client: httpx.AsyncClient, path: str) -> str:
    try:
        return await _health(client, path)
    except _Final as answer:
        return str(answer)


def _client(base_url: str) -> httpx.AsyncClient:
    return client_of(base_url, ANSWER_S, limits=_NO_KEEPING)
