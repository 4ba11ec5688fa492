"""When a series was measured, by what its runs and its author say of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from generator.machines.records import Machine, RunTime

DAY_S: Final = 86_400.0
STAMP: Final = "%Y%m%d-%H%M%S"
"""As some tools write a time: 20260131-235959."""


@dataclass(frozen=True, slots=True)
class When:
    """When a series was measured: from first to last, or, where that is no date, the words for it."""

    words: str
    first: datetime | None = None
    last: datetime | None = None


def moment(text: str | None) -> datetime | None:
    """Return a time that a file gives; None where it is none. Without a zone it stays without."""
    if text is None:
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        pass
    try:
        return datetime.strptime(text, STAMP)  # noqa: DTZ007 - the file gives no zone
    except ValueError:
        return None


def ordered(text: str | None) -> datetime | None:
    """Return a time that can be compared with any other: one without a zone is taken for UTC."""
    found = moment(text)
    if found is None:
        return None
    return found.replace(tzinfo=UTC) if found.tzinfo is None else found.astimezone(UTC)


def when(machine: Machine) -> When | None:
    """Return when a series was measured; None where nothing says so. Runs know better than an author."""
    times = sorted(_times(machine.runs))
    if times:
        days = list(dict.fromkeys(one.date().isoformat() for one in (times[0], times[-1])))
        return When(" – ".join(days), times[0], times[-1])
    words = machine.text("date")
    if words is None:
        return None
    return When(words, ordered(words), ordered(words))


def _times(runs: Iterable[RunTime]) -> list[datetime]:
    return [time for run in runs if (time := ordered(run.started)) is not None]


def apart_s(one: When, other: When) -> float | None:
    """Return the seconds between the end of the earlier and the begin of the later; 0 where they overlap.

    None where one of them is no date: then only its words can be compared.
    """
    if one.first is None or one.last is None or other.first is None or other.last is None:
        return None
    return max(0.0, (one.first - other.last).total_seconds(), (other.first - one.last).total_seconds())


def are_apart(one: When, other: When) -> bool | None:
    """Say whether two were measured on different days; None where that cannot be said."""
    gap = apart_s(one, other)
    if gap is not None:
        return gap >= DAY_S
    if one.first is None and other.first is None:
        return one.words.strip() != other.words.strip()
    return None
