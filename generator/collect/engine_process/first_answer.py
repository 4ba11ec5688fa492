"""The first answer of an engine, asked for by plain httpx: one short prompt, streamed.

The load client does better, and may be given in its place; a cold start takes seconds, and httpx knows them to a
millisecond or so.
"""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping
from dataclasses import dataclass
from http import HTTPStatus
from typing import Any, Final

import httpx

from generator.collect.events import parse_events
from generator.collect.openai_api import PATHS, body_of
from generator.collect.reach import client_of

PROMPT: Final = "The first words of an answer are"
TOKENS: Final = 16
ANSWER_S: Final = 600.0
"""Seconds without a byte after which the first answer is given up: kernels may be compiled for it."""
LARGEST: Final = 2**20
"""Bytes of an answer that are read: one of a few words has some thousands."""

_END: Final = "data: [DONE]"


@dataclass(frozen=True, slots=True)
class FirstAnswer:
    """An answer: ns of CLOCK_MONOTONIC at which it was asked for, began, and was complete; or why it was not."""

    sent_ns: int
    first_token_ns: int | None = None
    ended_ns: int | None = None
    reason: str | None = None


AskFirst = Callable[[str], Coroutine[Any, Any, FirstAnswer]]
"""Asks the server under a base URL for its first answer; it never raises for what the server does."""


def asking(api: str, model: str | None = None, headers: Mapping[str, str] | None = None) -> AskFirst:
    """Return what asks by httpx.

    Args:
        api: ``completions`` or ``chat``.
        model: what the request names, for servers that want it.
        headers: further headers, as for a key.
    """
    body = body_of(api, PROMPT, TOKENS, model)

    async def ask(base_url: str) -> FirstAnswer:
        async with client_of(base_url, ANSWER_S, headers=headers) as client:
            return await _ask(client, PATHS[api], body)

    return ask


async def _ask(client: httpx.AsyncClient, path: str, body: dict[str, Any]) -> FirstAnswer:
    sent, first = time.monotonic_ns(), None
    try:
        async with client.stream("POST", path, json=body) as answer:
            if answer.status_code != HTTPStatus.OK:
                return FirstAnswer(sent, reason=f"{path} answered {answer.status_code}")
            async for line in _lines(answer):
                first = first or (time.monotonic_ns() if has_text(line) else None)
                if line == _END:
                    return _complete(sent, first)
    except (httpx.HTTPError, httpx.InvalidURL) as error:
        return FirstAnswer(sent, first, reason=f"the answer broke off ({type(error).__name__})")
    return FirstAnswer(sent, first, reason="the answer has no end mark")


def _complete(sent: int, first: int | None) -> FirstAnswer:
    if first is None:
        return FirstAnswer(sent, reason="the answer has no token")
    return FirstAnswer(sent, first, time.monotonic_ns())


async def _lines(answer: httpx.Response) -> AsyncIterator[str]:
    """Yield the lines as they come, of the first ``LARGEST`` bytes."""
    held, total = b"", 0
    async for data in answer.aiter_bytes():
        *ended, held = (held + data).split(b"\n")
        for line in ended:
            yield line.decode(errors="replace").rstrip("\r")
        total += len(data)
        if total > LARGEST:
            return


def has_text(line: str) -> bool:
    """Say whether a line of a stream brings a token, as the load client sees it."""
    return any(event.bears_tokens for event in parse_events(f"{line}\n\n".encode()).events)
