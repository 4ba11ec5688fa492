"""The JSON of answers: the same tokens in the shapes of vLLM and of llama.cpp's server.

Both stream events ``data: {…}``. vLLM ends the last token's event with the reason and gives the usage, where it is
asked for, in an event of its own without choices. llama.cpp ends with an event without text: of a completion it holds
reason, usage and timings together; of a chat the usage follows in one of its own.
"""

from __future__ import annotations

import json
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final, Protocol

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.collect.reference.asking import Ask, Refusal
    from generator.collect.reference.scheduler import Sequence
    from generator.collect.reference.settings import Style

FINGERPRINT: Final = "reference-server-simulated"
"""The system fingerprint of every answer."""

DONE: Final = b"data: [DONE]\n\n"
_HOLE: Final = "\0"
"""Stands for the text of a token while the rest of an event is prepared: no event holds it otherwise."""


def dumped(data: object) -> bytes:
    """Return compact JSON in UTF-8."""
    return json.dumps(data, separators=(",", ":"), ensure_ascii=False).encode()


def event(data: object) -> bytes:
    """Return one server-sent event."""
    return b"data: %b\n\n" % dumped(data)


def text_events(data: object) -> Callable[[str], bytes]:
    """Return what makes events that differ in one text only, marked by ``_HOLE``; the rest is dumped once."""
    before, after = (part.encode() for part in event(data).decode().split(json.dumps(_HOLE)[1:-1]))
    return lambda text: b"%b%b%b" % (before, dumped(text)[1:-1], after)


@dataclass(frozen=True, slots=True)
class Facts:
    """What all events of an answer have in common: its id, when it was made (s), and the model's name."""

    id: str
    created: int
    model: str


class Shape(Protocol):
    """How the events of one answer look."""

    def opening(self) -> list[bytes]:
        """Return the events before the first token."""

    def text(self, text: str, last: bool) -> bytes:
        """Return the event of some tokens."""

    def closing(self, sequence: Sequence) -> list[bytes]:
        """Return the events after the last token, but for the end mark."""

    def whole(self, text: str, sequence: Sequence) -> bytes:
        """Return the answer in one piece."""


def usage_of(sequence: Sequence) -> dict[str, Any]:
    """Return the counts."""
    total = sequence.prompt + sequence.made
    return {"prompt_tokens": sequence.prompt, "total_tokens": total, "completion_tokens": sequence.made}


def timings_of(sequence: Sequence) -> dict[str, float]:
    """Return llama.cpp's timings: the prompt from admission to the first token, the answer from there on."""
    prompt = (sequence.first - sequence.admitted) / 1e6
    answer = (sequence.ended - sequence.first) / 1e6
    return {"cache_n": 0, **_rates("prompt", sequence.prompt, prompt), **_rates("predicted", sequence.made, answer)}


def _rates(name: str, tokens: int, took: float) -> dict[str, float]:
    """Return how many tokens took how long (ms), a token and a second; an answer of one token takes no time."""
    return {
        f"{name}_n": tokens,
        f"{name}_ms": took,
        f"{name}_per_token_ms": took / tokens,
        f"{name}_per_second": tokens / took * 1e3 if took else 0.0,
    }


class VllmShape:
    """vLLM's events."""

    def __init__(self, facts: Facts, ask: Ask) -> None:
        """Prepare the event of a token and that of the last one."""
        self._facts = facts
        self._ask = ask
        self._text = text_events(self._event(self._choice(None)))
        self._last = text_events(self._event(self._choice("length")))

    def opening(self) -> list[bytes]:
        """Return the role of a chat."""
        delta = {"role": "assistant", "content": ""}
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": None}
        return [event({**self._event(choice), "prompt_token_ids": None})] if self._ask.chat else []

    def text(self, text: str, last: bool) -> bytes:
        """Return the event of some tokens; the last one has the reason."""
        return self._last(text) if last else self._text(text)

    def closing(self, sequence: Sequence) -> list[bytes]:
        """Return the usage, if it is wanted."""
        usage = {**self._event(), "usage": usage_of(sequence), "system_fingerprint": FINGERPRINT}
        return [event(usage)] if self._ask.usage else []

    def whole(self, text: str, sequence: Sequence) -> bytes:
        """Return the answer in one piece."""
        message = {"message": {"role": "assistant", "content": text}} if self._ask.chat else {"text": text}
        choice = {"index": 0, **message, "logprobs": None, "finish_reason": "length", "stop_reason": None}
        kind = "chat.completion" if self._ask.chat else "text_completion"
        rest = {"system_fingerprint": FINGERPRINT, "usage": usage_of(sequence)}
        return dumped({**self._event(choice), "object": kind, **rest})

    def _choice(self, reason: str | None) -> dict[str, Any]:
        text = {"delta": {"content": _HOLE}} if self._ask.chat else {"text": _HOLE}
        return {"index": 0, **text, "logprobs": None, "finish_reason": reason, "stop_reason": None, "token_ids": None}

    def _event(self, *choices: dict[str, Any]) -> dict[str, Any]:
        facts = self._facts
        kind = "chat.completion.chunk" if self._ask.chat else "text_completion"
        head = {"id": facts.id, "object": kind, "created": facts.created, "model": facts.model}
        return {**head, "choices": list(choices)}


class LlamaShape:
    """The events of llama.cpp's server."""

    def __init__(self, facts: Facts, ask: Ask) -> None:
        """Prepare the event of a token."""
        self._facts = facts
        self._ask = ask
        self._text = text_events(self._event(self._choice(_HOLE, None)))

    def opening(self) -> list[bytes]:
        """Return the role of a chat."""
        choice = {"finish_reason": None, "index": 0, "delta": {"role": "assistant", "content": None}}
        return [event(self._event(choice))] if self._ask.chat else []

    def text(self, text: str, last: bool) -> bytes:  # noqa: ARG002  # the reason comes afterwards
        """Return the event of some tokens."""
        return self._text(text)

    def closing(self, sequence: Sequence) -> list[bytes]:
        """Return the reason, and the counts and timings with it or after it."""
        end = self._event(self._choice("", "length"))
        timings = {"timings": timings_of(sequence)}
        if not self._ask.chat:
            return [event({**end, "usage": _cached(sequence), **timings})]
        if not self._ask.usage:
            return [event({**end, **timings})]
        return [event(end), event({**self._event(), "usage": _cached(sequence), **timings})]

    def whole(self, text: str, sequence: Sequence) -> bytes:
        """Return the answer in one piece."""
        message = {"message": {"role": "assistant", "content": text}} if self._ask.chat else {"text": text}
        choice = {"finish_reason": "length", "index": 0, **message, "logprobs": None}
        kind = "chat.completion" if self._ask.chat else "text_completion"
        rest = {"object": kind, "usage": _cached(sequence), "timings": timings_of(sequence)}
        return dumped({**self._event(choice), **rest})

    def _choice(self, text: str, reason: str | None) -> dict[str, Any]:
        if not self._ask.chat:
            return {"text": text, "index": 0, "logprobs": None, "finish_reason": reason}
        return {"finish_reason": reason, "index": 0, "delta": {"content": text} if text else {}}

    def _event(self, *choices: dict[str, Any]) -> dict[str, Any]:
        facts = self._facts
        kind = "chat.completion.chunk" if self._ask.chat else "text_completion"
        head = {"choices": list(choices), "created": facts.created, "id": facts.id, "model": facts.model}
        return {**head, "system_fingerprint": FINGERPRINT, "object": kind}


def _cached(sequence: Sequence) -> dict[str, Any]:
    return {**usage_of(sequence), "prompt_tokens_details": {"cached_tokens": 0}}


def shape_of(style: Style, number: int, model: str, ask: Ask) -> Shape:
    """Return the shape of the answer to a request, made now."""
    prefix = "chatcmpl-" if ask.chat or style == "llamacpp" else "cmpl-"
    facts = Facts(f"{prefix}{number:016x}", int(time.time()), model)
    return VllmShape(facts, ask) if style == "vllm" else LlamaShape(facts, ask)


def refusal(style: Style, refused: Refusal) -> bytes:
    """Return the body of an error."""
    if style == "vllm":
        kind = {400: "BadRequestError", 404: "NotFoundError"}.get(refused.status, "ServerError")
        error = {"message": refused.message, "type": kind, "param": None, "code": refused.status}
        return dumped({"error": error})
    kinds = {404: "not_found_error", 503: "unavailable_error"}
    kind = refused.kind or kinds.get(refused.status, "invalid_request_error")
    return dumped({"error": {"code": refused.status, "message": refused.message, "type": kind, **refused.fields}})
