"""Logs of engines, line by line, and what is read out of them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from generator.logs.scan import scan
from generator.runs.log_events import EventKind, Events, LogFact


def events_of(kinds: Sequence[EventKind], *lines: str) -> Events:
    """Return the events of a log that consists of some lines."""
    return scan(["".join(f"{line}\n" for line in lines).encode()], kinds)


def told(facts: Iterable[LogFact], events: Events) -> dict[str, float]:
    """Return the facts that a log tells, by name."""
    found = {fact.name: fact.compute(events) for fact in facts}
    return {name: fact.value for name, fact in found.items() if fact is not None}
