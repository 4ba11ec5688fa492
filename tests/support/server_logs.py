"""Short ways to read a server's log in a test."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from generator.kinds import Engine
from generator.logs.scan import scan
from generator.runs.log_events import EventKind, Events, LogFact
from generator.store.server_log import read_log


def count_requests(path: Path, engines: Iterable[Engine]) -> tuple[Engine, int] | None:
    """Return whose log a file is and how many requests it took up; None where it tells of none."""
    log = read_log(path, engines)
    taken = log.told.get("launches") if log is not None else None
    return (log.engine, int(taken.value)) if log is not None and taken is not None else None


def events_of(text: str | bytes, kinds: tuple[EventKind, ...]) -> Events:
    """Return the events of a log."""
    return scan([text.encode() if isinstance(text, str) else text], kinds)


def facts_of(text: str | bytes, kinds: tuple[EventKind, ...], facts: tuple[LogFact, ...]) -> dict[str, float]:
    """Return what a log tells, by the names of the facts."""
    events = events_of(text, kinds)
    computed = {fact.name: fact.compute(events) for fact in facts}
    return {name: told.value for name, told in computed.items() if told is not None}
