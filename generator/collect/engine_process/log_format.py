"""How server.log is written: the engine's own words, and in front of each line when we read it.

    8723412345678 2026-11-29T10:00:00.123456Z | srv  llama_server: model loaded

First CLOCK_MONOTONIC in ns, the clock of all that is timed on this machine, then the wall clock in UTC. One file
instead of two: a log that is cut off in mid-write has lost no line's time. The 45 characters in front leave the
head of a line, by which requests are counted, well within its bounds. The time is that of the read which brought
the end of the line.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Final

TAIL_BYTES: Final = 2**16
"""Bytes at the end of a log in which its last lines are looked for."""

_STAMPED: Final = re.compile(r"(?P<mono>\d{1,20}) (?P<wall>[\d-]{10}T[\d:.]{15}Z) \| (?P<text>.*)", re.DOTALL)


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of an engine: when it was read (ns of CLOCK_MONOTONIC, ns since 1970), and what it says."""

    mono_ns: int
    wall_ns: int
    text: str


def prefix(mono_ns: int, wall_ns: int) -> str:
    """Return what stands in front of a line that was read at a time."""
    return f"{mono_ns} {utc_us(wall_ns)} | "


def utc_us(wall_ns: int) -> str:
    """Return ns since 1970 as a time of UTC, to the microsecond."""
    seconds, ns = divmod(wall_ns, 10**9)
    wall = datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")
    return f"{wall}.{ns // 1000:06d}Z"


def parse(line: str) -> LogLine | None:
    """Return a line of server.log taken apart; None where it has no times in front."""
    found = _STAMPED.fullmatch(line)
    if found is None:
        return None
    try:
        moment = datetime.fromisoformat(found["wall"])
    except ValueError:  # digits that are no date
        return None
    wall = int(moment.replace(microsecond=0).timestamp()) * 10**9 + moment.microsecond * 1000
    return LogLine(int(found["mono"]), wall, found["text"])


def last_lines(path: Path, most: int) -> tuple[str, ...]:
    """Return the last words in a log, without their times; none where it cannot be read."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, 2)
            file.seek(max(0, size - TAIL_BYTES))
            whole = file.read().decode(errors="replace").split("\n")
    except OSError:
        return ()
    lines = whole[1:] if size > TAIL_BYTES else whole
    return tuple(_words(line) for line in lines if line)[-most:]


def _words(line: str) -> str:
    parsed = parse(line)
    return line if parsed is None else parsed.text
