"""What a request body asks for, checked before anything is promised."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from generator.collect.reference.tokenizer import VOCABULARY, tokenize

if TYPE_CHECKING:
    from collections.abc import Mapping

USUAL_TOKENS: Final = 16
"""Tokens of an answer where the request does not say: what the completions API documents."""


class Refusal(Exception):  # noqa: N818  # an answer, not an accident
    """What cannot be answered: a status, one sentence, and the kind and fields of the error."""

    def __init__(self, message: str, status: int = 400, kind: str = "", **fields: object) -> None:
        """Take the sentence."""
        super().__init__(message)
        self.message = message
        self.status = status
        self.kind = kind
        self.fields = fields


@dataclass(frozen=True, slots=True)
class Ask:
    """A request for an answer.

    Attributes:
        chat: through /v1/chat/completions.
        prompt: tokens of the prompt.
        output: tokens of the answer.
        stream: token by token.
        usage: with the counts in the stream.
    """

    chat: bool
    prompt: int
    output: int
    stream: bool
    usage: bool


def fields_of(body: bytes) -> dict[str, Any]:
    """Return the fields of a body.

    Raises:
        Refusal: it is no JSON object.
    """
    try:
        fields = json.loads(body)
    except (ValueError, RecursionError):
        raise Refusal("the body is no JSON") from None
    if not isinstance(fields, dict):
        raise Refusal("the body is no JSON object")
    return fields


def ask_of(fields: Mapping[str, Any], chat: bool) -> Ask:
    """Return what is asked for.

    Raises:
        Refusal: a field is missing, of the wrong type, or asks for what is not simulated.
    """
    _refuse_several(fields)
    prompt = len(tokenize(chat_text(fields.get("messages")))) if chat else len(prompt_ids(fields.get("prompt")))
    if not prompt:
        raise Refusal("the prompt is empty")
    options = fields.get("stream_options") or {}
    if not isinstance(options, dict):
        raise Refusal("stream_options is no object")
    stream, usage = _flag(fields, "stream"), _flag(options, "include_usage")
    return Ask(chat, prompt, _output(fields), stream, usage)


def prompt_ids(prompt: object) -> list[int]:
    """Return the tokens of a prompt given as text, as ids, or as a list of one of these.

    Raises:
        Refusal: it is something else.
    """
    if isinstance(prompt, list) and len(prompt) == 1 and isinstance(prompt[0], str | list):
        prompt = prompt[0]
    if isinstance(prompt, str):
        return tokenize(prompt)
    if isinstance(prompt, list):
        return known_ids(prompt)
    raise Refusal("prompt has to be a text or a list of token ids")


def known_ids(ids: object) -> list[int]:
    """Return ids of tokens that there are.

    Raises:
        Refusal: something is no such id.
    """
    if not isinstance(ids, list) or not all(type(one) is int and 0 <= one < VOCABULARY for one in ids):
        raise Refusal(f"token ids are whole numbers from 0 to {VOCABULARY - 1}")
    return ids


def chat_text(messages: object) -> str:
    """Return the text of messages: ``role: content``, a line each, and the assistant's turn begun.

    Raises:
        Refusal: they are no messages, or hold more than text.
    """
    if not isinstance(messages, list) or not messages:
        raise Refusal("messages has to be a list that is not empty")
    return "".join(f"{_role(message)}: {_content(message)}\n" for message in messages) + "assistant:"


def _role(message: object) -> str:
    role = message.get("role") if isinstance(message, dict) else None
    if not isinstance(role, str):
        raise Refusal("a message has no role")
    return role


def _content(message: Mapping[str, Any]) -> str:
    content = message.get("content")
    parts = [content] if isinstance(content, str) else content
    if not isinstance(parts, list):
        raise Refusal("a message has no content")
    return "".join(_part(part) for part in parts)


def _part(part: object) -> str:
    text = part.get("text") if isinstance(part, dict) else part
    if not isinstance(text, str):
        raise Refusal("the content of a message has to be text")
    return text


def _output(fields: Mapping[str, Any]) -> int:
    given = [fields[key] for key in ("max_completion_tokens", "max_tokens") if fields.get(key) is not None]
    output = given[0] if given else USUAL_TOKENS
    if type(output) is not int or output < 1:
        raise Refusal("max_tokens has to be a whole number from 1")
    return output


def _refuse_several(fields: Mapping[str, Any]) -> None:
    for key in ("n", "best_of"):
        if fields.get(key) not in (None, 1):
            raise Refusal(f"{key} has to be 1: one answer a request is simulated")
    for key in ("logprobs", "tools", "echo"):
        if fields.get(key):
            raise Refusal(f"{key} is not simulated")


def _flag(fields: Mapping[str, Any], key: str) -> bool:
    flag = fields.get(key)
    if flag is not None and not isinstance(flag, bool):
        raise Refusal(f"{key} has to be true or false")
    return bool(flag)
