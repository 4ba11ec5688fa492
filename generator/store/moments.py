"""Times and durations as foreign files write them: ISO 8601, or seconds since 1970."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from typing import Final

from generator.store.foreign import number

DURATION: Final = re.compile(
    r"P(?:(?P<days>\d+(?:\.\d+)?)D)?"
    r"(?:T(?:(?P<hours>\d+(?:\.\d+)?)H)?(?:(?P<minutes>\d+(?:\.\d+)?)M)?(?:(?P<seconds>\d+(?:\.\d+)?)S)?)?"
)
SECONDS: Final = {"days": 86400.0, "hours": 3600.0, "minutes": 60.0, "seconds": 1.0}
LONGEST: Final = 64
"""Characters of a time or a duration; what is longer is neither."""


def _moment(value: object) -> datetime | None:
    """Return a time: ISO 8601 text, or seconds since 1970; None for what is neither."""
    seconds = number(value)
    try:
        if seconds is not None:
            return datetime.fromtimestamp(seconds, UTC)
        return datetime.fromisoformat(value.strip()) if isinstance(value, str) and len(value) <= LONGEST else None
    except (ValueError, OverflowError, OSError):
        return None


def clock(value: object) -> str | None:
    """Return a time to the second as a run says when it began: as it stands in the file, without its zone."""
    found = _moment(value)
    return None if found is None else found.replace(tzinfo=None).isoformat(timespec="seconds")


def seconds_of(value: object) -> float | None:
    """Return a time as seconds on a clock that all times of one file share."""
    found = _moment(value)
    return None if found is None else found.replace(tzinfo=found.tzinfo or UTC).timestamp()


def utc(seconds: float | None) -> str | None:
    """Return seconds since 1970 as text, in UTC and to the millisecond; None for none, or for what no calendar has."""
    found = _moment(seconds)
    return None if found is None else found.isoformat(timespec="milliseconds")


def nanoseconds(value: object) -> int | None:
    """Return a moment in nanoseconds whole: as a float it would lose a tenth of a microsecond."""
    return value if isinstance(value, int) and not isinstance(value, bool) and 0 < value < 2**63 else None


def duration(value: object) -> float | None:
    """Return the seconds of an ISO 8601 duration (``PT1M30.5S``), of whole or broken parts; None for what is none."""
    found = DURATION.fullmatch(value.strip()) if isinstance(value, str) and len(value) <= LONGEST else None
    parts = {} if found is None else {name: part for name, part in found.groupdict().items() if part is not None}
    return sum(float(part) * SECONDS[name] for name, part in parts.items()) if parts else None
