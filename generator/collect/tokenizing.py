"""Words that are one token each in the server's own tokenizer: prompts of an exact length, and always valid text."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

import httpx

from generator.collect.reach import client_of
from generator.collect.words import WORDS

ENOUGH: Final = 64
"""Words that a vocabulary must have: with fewer, prompts would share long beginnings."""
PATIENCE_S: Final = 30.0


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """Words of one token each; ``ids`` are empty where the server has no tokenizer to ask.

    Without ids a word is taken for a token: the lengths asked are then a guess, and the server's counts the truth.
    """

    words: tuple[str, ...]
    ids: tuple[int, ...] = ()

    @property
    def is_exact(self) -> bool:
        """Return whether lengths in tokens are known beforehand."""
        return bool(self.ids)


async def vocabulary_of(url: str, model: str | None, headers: dict[str, str] | None = None) -> Vocabulary:
    """Ask a server for the tokens of common words, each with the space before it.

    Args:
        url: address of the server.
        model: what it calls its model; None to leave it out.
        headers: to be sent along.

    Returns:
        The words that are one token; all words and no ids where the server does not tell.
    """
    async with client_of(url, PATIENCE_S, headers=headers) as client:
        ids = await _tokens(client, "".join(f" {word}" for word in WORDS), model)
        if ids is not None and len(ids) == len(WORDS):
            return _distinct(list(zip(WORDS, ids, strict=True)))
        if ids is None:
            return Vocabulary(WORDS)
        alone = [(word, await _tokens(client, f" {word}", model)) for word in WORDS]
    single = [(word, found[0]) for word, found in alone if found is not None and len(found) == 1]
    return _distinct(single) if len(single) >= ENOUGH else Vocabulary(WORDS)


def _distinct(pairs: list[tuple[str, int]]) -> Vocabulary:
    by_id = {token: word for word, token in pairs}
    return Vocabulary(tuple(by_id.values()), tuple(by_id))


async def _tokens(client: httpx.AsyncClient, text: str, model: str | None) -> list[int] | None:
    """Return the tokens of a text without any that the server adds; None where it has no such service.

    llama.cpp takes ``content`` and ``add_special``, vLLM and SGLang ``model``, ``prompt`` and ``add_special_tokens``.
    """
    asked: dict[str, Any] = {"content": text, "prompt": text, "add_special": False, "add_special_tokens": False}
    if model is not None:
        asked["model"] = model
    try:
        answer = await client.post("/tokenize", json=asked)
        told = answer.json() if answer.status_code == httpx.codes.OK else None
    except (httpx.HTTPError, ValueError):
        return None
    ids = told.get("tokens") if isinstance(told, dict) else None
    whole = isinstance(ids, list) and all(isinstance(one, int) and not isinstance(one, bool) for one in ids)
    return ids if whole else None
