"""What an engine says of itself while it runs, as sources of samples: /metrics, and llama-server's /slots."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping

from generator.collect.host.readings import Reading
from generator.telemetry.page import MOST_BYTES, pool, scrape


def slots(body: str) -> dict[str, float]:
    """Return what /slots says: how many there are and run, the least context, and the tokens of those that run.

    Raises:
        ValueError: the body is not the list that it should be.
    """
    found = json.loads(body[:MOST_BYTES])
    if not isinstance(found, list) or not all(isinstance(slot, dict) for slot in found):
        raise ValueError("not a list of slots")
    busy = [slot for slot in found if _is_busy(slot)]
    contexts = [context for slot in found if (context := _count(slot.get("n_ctx"))) is not None]
    numbers = {"slots": float(len(found)), "running": float(len(busy))}
    if contexts:
        numbers["slot_context"] = min(contexts)
    held = [_tokens(slot) for slot in busy]
    if all(tokens is not None for tokens in held):
        numbers["slot_tokens"] = sum(tokens for tokens in held if tokens is not None)
    return numbers


def _is_busy(slot: Mapping[str, object]) -> bool:
    """Say whether a slot works; before late 2024 it had a ``state``, with 0 for idle."""
    return bool(slot.get("is_processing", slot.get("state", 0)))


def _tokens(slot: Mapping[str, object]) -> float | None:
    """Return the tokens of a slot's request so far: its prompt, and what was decoded.

    Of recent servers ``n_prompt_tokens`` grows with the answer; what was processed and what was in the cache do not.
    """
    following = slot.get("next_token")
    if isinstance(following, list):
        following = following[0] if following else None
    processed, cached = (_count(slot.get(f"n_prompt_tokens_{part}")) for part in ("processed", "cache"))
    prompt = processed + cached if processed is not None and cached is not None else _count(slot.get("n_prompt_tokens"))
    decoded = _count(following.get("n_decoded")) if isinstance(following, dict) else None
    return None if prompt is None or decoded is None else prompt + decoded


def _count(value: object) -> float | None:
    if not isinstance(value, int | float) or isinstance(value, bool):
        return None
    return float(value) if math.isfinite(value) and value >= 0 else None


class EngineGauges:
    """A page of an engine, as a source of readings."""

    def __init__(self, fetch: Callable[[], str], numbers: Callable[[str], dict[str, float]], name: str) -> None:
        """Take what gets the page, with a time-out of its own; what it says; and the name it goes by."""
        self.name = name
        self._fetch = fetch
        self._numbers = numbers

    def read(self) -> list[Reading]:
        """Return what the page says now. Raises what the fetching raises."""
        return [Reading(self.name, field, value) for field, value in self._numbers(self._fetch()).items()]


def metrics_source(fetch: Callable[[], str], name: str = "engine") -> EngineGauges:
    """Return the readings of /metrics."""
    return EngineGauges(fetch, lambda page: scrape(page).values() | pool(page), name)


def slots_source(fetch: Callable[[], str], name: str = "slots") -> EngineGauges:
    """Return the readings of /slots."""
    return EngineGauges(fetch, slots, name)
