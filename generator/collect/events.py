"""The events of an answer: Server-Sent Events out of a body, each typed by what an OpenAI API says in it.

A chunk is not a token, and not each event bears one: roles, usage, errors and comments are told apart from content.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import islice
from typing import Final, Literal

from generator.collect.usage import Usage, usage_of

Kind = Literal["content", "reasoning", "tool", "role", "usage", "error", "comment", "done", "broken", "other"]

TOKENS: Final[frozenset[Kind]] = frozenset({"content", "reasoning", "tool"})
"""Kinds that bear tokens of the answer."""

MOST_EVENTS: Final = 1_000_000
"""Events that are taken of one answer: an empty comment has two bytes, and would take a hundred in memory."""

BOM: Final = b"\xef\xbb\xbf"
DONE: Final = b"[DONE]"
LINE: Final = re.compile(rb"([^\r\n]*)(\r\n|\r|\n)")
WORD: Final = re.compile(r"[A-Za-z0-9_.\-]{1,60}")
RANK: Final[Mapping[Kind, int]] = {"content": 0, "reasoning": 1, "tool": 2, "role": 3, "other": 4}
"""Of the choices of one event, that of the first of these kinds says what the event is."""


@dataclass(frozen=True, slots=True)
class Event:
    """One event.

    Attributes:
        kind: what it is; of an event with text and usage the text decides.
        end: the place in the body of the byte that completed it.
        finish: its finish_reason; empty where it has none.
        usage: the token counts in it.
        error: type or code of the error that it tells of.
    """

    kind: Kind
    end: int
    finish: str = ""
    usage: Usage | None = None
    error: str = ""

    @property
    def bears_tokens(self) -> bool:
        """Return whether it has something of the answer, or of the thinking before it."""
        return self.kind in TOKENS


@dataclass(frozen=True, slots=True)
class Block:
    """One event as its lines give it: ``field`` says where the data stood, ``end`` which byte completed it."""

    field: Literal["data", "error", "comment"]
    name: str
    data: bytes
    end: int


@dataclass(frozen=True, slots=True)
class Stream:
    """The events of a body; ``half`` tells that it stops in the middle of one, ``cut`` that there are more."""

    events: tuple[Event, ...]
    half: bool = False
    cut: bool = False


def parse_events(body: bytes) -> Stream:
    """Return the events of a body; never an exception, whatever it holds."""
    reader = _Reader()
    events = tuple(map(_event, islice(reader.blocks(body), MOST_EVENTS)))
    return Stream(events, reader.half, cut=len(events) == MOST_EVENTS)


class _Reader:
    """Lines to blocks, by the rules of the HTML standard: three kinds of line end, data over several lines."""

    def __init__(self) -> None:
        self.half = False
        self._data: list[bytes] = []
        self._error: list[bytes] = []
        self._name = ""

    def blocks(self, body: bytes) -> Iterator[Block]:
        at = len(BOM) if body.startswith(BOM) else 0
        # No further than the last line end: a long line without one would be searched from each of its bytes.
        last = max(body.rfind(b"\n"), body.rfind(b"\r")) + 1
        for line in LINE.finditer(body, at, last):
            at = line.end()
            text, end = line[1], line.start(2)
            if text.startswith(b":"):
                yield Block("comment", "", b"", end)
            elif text:
                self._take(text)
            else:
                yield from self._dispatch(end)
        if self._data == [DONE] and at == len(body):  # some servers end with this line, and no empty one
            yield from self._dispatch(at - 1)
        self.half = at < len(body) or bool(self._data or self._error)

    def _take(self, line: bytes) -> None:
        name, _, value = line.partition(b":")
        value = value.removeprefix(b" ")
        if name == b"data":
            self._data.append(value)
        elif name == b"error":  # not of the standard: llama.cpp writes errors so
            self._error.append(value)
        elif name == b"event":
            self._name = value.decode("utf-8", "replace")

    def _dispatch(self, end: int) -> Iterator[Block]:
        if self._error:
            yield Block("error", self._name, b"\n".join(self._error), end)
        if self._data:
            yield Block("data", self._name, b"\n".join(self._data), end)
        self._data, self._error, self._name = [], [], ""


def _event(block: Block) -> Event:
    if block.field == "comment":
        return Event("comment", block.end)
    if block.data.strip() == DONE:
        return Event("done", block.end)
    try:
        said = json.loads(block.data.decode("utf-8", "replace"))
    except (ValueError, RecursionError):
        return Event("error" if block.field == "error" else "broken", block.end)
    if not isinstance(said, dict):
        return Event("broken", block.end)
    if block.field == "error" or block.name == "error" or said.get("error"):
        return Event("error", block.end, error=_error_word(said))
    return _spoken(said, block.end)


def _spoken(said: Mapping[str, object], end: int) -> Event:
    """Type an event of completions (``text``) or chat completions (``delta``) by what its choices bear."""
    choices = said.get("choices")
    found = [choice for choice in choices if isinstance(choice, dict)] if isinstance(choices, list) else []
    told = said.get("usage")
    usage = usage_of(told) if told is not None else None
    kind: Kind = min(map(_borne, found), key=RANK.__getitem__) if found else "other"
    finish = next((reason for choice in found if isinstance(reason := choice.get("finish_reason"), str)), "")
    if kind == "other" and usage is not None:
        kind = "usage"
    return Event(kind, end, finish if WORD.fullmatch(finish) else "", usage)


def _borne(choice: Mapping[str, object]) -> Kind:
    delta = choice.get("delta")
    said: Mapping[str, object] = delta if isinstance(delta, dict) else {}
    if choice.get("text") or said.get("content") or choice.get("token_ids"):
        return "content"
    if said.get("reasoning_content") or said.get("reasoning"):
        return "reasoning"
    if said.get("tool_calls") or said.get("function_call"):
        return "tool"
    return "role" if "role" in said else "other"


def _error_word(said: Mapping[str, object]) -> str:
    """Return type or code of an error. Its message is not kept: servers repeat prompts in it."""
    error = said.get("error")
    told: Mapping[str, object] = error if isinstance(error, dict) else said
    words = (str(told[key]) for key in ("type", "code") if isinstance(told.get(key), str | int))
    return next((word for word in words if WORD.fullmatch(word)), "")
