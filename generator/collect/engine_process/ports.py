"""The port of an engine: which one it is, whether it is free, and when somebody listens on it."""

from __future__ import annotations

import asyncio
import socket
from contextlib import suppress
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from generator.errors import InputError, quote

if TYPE_CHECKING:
    from collections.abc import Sequence

    from generator.kinds import Launching

LOOPBACK: Final = "127.0.0.1"
ANY_PORT: Final = "{port}"
"""Stands in the arguments of an engine for a port that is free."""
CONNECT_S: Final = 1.0
"""Seconds after which a connection counts as refused."""
DEFAULT_PORTS: Final = {"http": 80, "https": 443}


def free_port() -> int:
    """Return a port that nobody listens on at this moment."""
    with socket.socket() as probe:
        probe.bind((LOOPBACK, 0))
        port: int = probe.getsockname()[1]
    return port


def address_of(url: str) -> tuple[str, int]:
    """Return host and port of a URL.

    Raises:
        InputError: it is no http(s) URL.
    """
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError as error:
        raise _no_url(url) from error
    if parts.scheme not in DEFAULT_PORTS or not parts.hostname:
        raise _no_url(url)
    return parts.hostname, port or DEFAULT_PORTS[parts.scheme]


def value_of(flags: Sequence[str], argv: Sequence[str]) -> str | None:
    """Return what the last of some flags says, as ``--port 1`` or ``--port=1``; None where none of them is there."""
    found = None
    for position, argument in enumerate(argv):
        flag, equals, joined = argument.partition("=")
        if flag in flags:
            following = argv[position + 1] if position + 1 < len(argv) else None
            found = joined if equals else following
    return found


def following(word: str, argv: Sequence[str]) -> str | None:
    """Return the argument right behind the first that is this word; None where it is a flag, or nothing is there."""
    at = argv.index(word) + 1 if word and word in argv else len(argv)
    return argv[at] if at < len(argv) and not argv[at].startswith("-") else None


def port_in(argv: Sequence[str], facts: Launching) -> int:
    """Return the port that an engine started so will listen on.

    Raises:
        InputError: the port given is no number.
    """
    text = value_of(facts.port_flags, argv)
    if text is None:
        return facts.port
    if not (text.isascii() and text.isdecimal() and 0 < int(text[:6]) < 2**16):
        problem = f"{quote(text)} is no port"
        raise InputError(
            "round.toml", "argv", problem, f"give a number below 65536, or {ANY_PORT} for any that is free"
        )
    return int(text)


async def is_open(host: str, port: int) -> bool:
    """Say whether somebody listens."""
    try:
        _, writer = await asyncio.wait_for(asyncio.open_connection(host, port), CONNECT_S)
    except (OSError, TimeoutError):
        return False
    writer.close()
    with suppress(OSError):
        await writer.wait_closed()
    return True


async def refuse_taken(host: str, port: int) -> None:
    """Raise InputError where somebody listens already: it would be measured in the engine's place."""
    if await is_open(host, port):
        problem = f"port {port} is taken by another process"
        raise InputError("round.toml", "argv", problem, f"stop that one, or write {ANY_PORT} for any that is free")


def _no_url(url: str) -> InputError:
    return InputError(
        "round.toml", "endpoint", f"{quote(url)} is no http URL", f"write http://{LOOPBACK}:8000 or the like"
    )
