"""What is asked of a server: the paths of the OpenAI API, and the body of a request for one streamed answer."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

PATHS: Final = {"completions": "/v1/completions", "chat": "/v1/chat/completions"}
"""Where an answer is asked for, by the name of the API in round.toml."""


def body_of(api: str, prompt: str | Sequence[int], tokens: int, model: str | None) -> dict[str, Any]:
    """Return the body of a request: streamed and greedy.

    Args:
        api: ``completions`` or ``chat``.
        prompt: text; of completions the ids of tokens as well.
        tokens: of the answer at most.
        model: what the request names; None to leave it out.
    """
    named = {} if model is None else {"model": model}
    asked = {"messages": [{"role": "user", "content": prompt}]} if api == "chat" else {"prompt": prompt}
    return {"max_tokens": tokens, "temperature": 0, "stream": True, **named, **asked}
