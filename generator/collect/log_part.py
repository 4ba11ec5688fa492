"""The part of a server's log that belongs to a run: cut out by our clock, which stands in front of each line."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from generator.collect.engine_process.log_format import parse

LATE_NS: Final = 200_000_000
"""ns after the end of the last answer in which its last words are still written."""


def part_of_log(log: Path, at: int, first_ns: int, last_ns: int) -> bytes:
    """Return the lines that came between two moments.

    Args:
        log: the log, each line with our clock in front.
        at: a byte in it before which nothing has to be looked for.
        first_ns: ns of CLOCK_MONOTONIC.
        last_ns: the same.
    """
    with log.open("rb") as file:
        file.seek(at)
        return b"".join(line for line in file if _came_between(line, first_ns, last_ns + LATE_NS))


def _came_between(line: bytes, first_ns: int, last_ns: int) -> bool:
    stamped = parse(line.decode(errors="replace").rstrip("\n"))
    return stamped is not None and first_ns <= stamped.mono_ns <= last_ns
