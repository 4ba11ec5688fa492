"""Token counts as the server gives them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

MOST_TOKENS: Final = 10_000_000
"""A count beyond it is none: ten times the longest context of any model."""


@dataclass(frozen=True, slots=True)
class Usage:
    """What the server counted; None where it does not say, or says what cannot be.

    Attributes:
        input: tokens of the prompt.
        output: tokens of the answer, reasoning counted.
        cached: tokens of the prompt that were found in a cache.
        reasoning: tokens of the answer that are reasoning.
    """

    input: int | None = None
    output: int | None = None
    cached: int | None = None
    reasoning: int | None = None


def usage_of(told: object) -> Usage | None:
    """Return the counts of a ``usage`` object; None where it is none."""
    if not isinstance(told, dict):
        return None
    return Usage(
        _count(told.get("prompt_tokens")),
        _count(told.get("completion_tokens")),
        _count(_within(told, "prompt_tokens_details", "cached_tokens")),
        _count(_within(told, "completion_tokens_details", "reasoning_tokens")),
    )


def _within(told: Mapping[str, object], key: str, name: str) -> object:
    details = told.get(key)
    return details.get(name) if isinstance(details, dict) else None


def _count(number: object) -> int | None:
    if not isinstance(number, int) or isinstance(number, bool):
        return None
    return number if 0 <= number <= MOST_TOKENS else None
