"""When a run was, on the clocks that samples beside it may have."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Final

from generator.store.level_file import LEVEL_FILE, OURS, LevelFile, read_level_file
from generator.telemetry.samples import Samples
from generator.telemetry.statistics import Span

NS: Final = 10**9
SLACK_S: Final = 2.0
"""How far a run may reach beyond the samples of its session: they are a second apart."""
DAY_S: Final = 86_400.0
"""Requests before the clock lie between the beginning that a run writes down and its first timed request."""


@dataclass(frozen=True, slots=True)
class Window:
    """Begin and end of a run, in s; None on a clock on which that is not known.

    Attributes:
        monotonic: on CLOCK_MONOTONIC of the machine that drove it.
        utc: in seconds since 1970.
        started: when it began, requests before the clock included, in seconds since 1970.
    """

    monotonic: Span | None = None
    utc: Span | None = None
    started: float | None = None

    def span_on(self, samples: Samples) -> Span | None:
        """Return the span of the run on the clock of some samples; None where that is not known."""
        if samples.clock == "monotonic":
            return self._in_session(samples)
        return self.utc if samples.clock == "utc" else None

    def _in_session(self, samples: Samples) -> Span | None:
        """Return the span where it lies in these samples: after a reboot CLOCK_MONOTONIC counts from 0 again."""
        if self.monotonic is None or not len(samples):
            return None
        begin, end = self.monotonic
        if begin < samples.t.min() - SLACK_S or end > samples.t.max() + SLACK_S:
            return None
        if self.started is not None and samples.utc_offset is not None:
            late = begin + samples.utc_offset - self.started
            if not -SLACK_S <= late <= DAY_S:
                return None
        return self.monotonic

    def on_wall_clock(self, sessions: Iterable[Samples]) -> Window:
        """Return the window with its place on the wall clock, as the samples of its session tell it."""
        if self.utc is not None:
            return self
        for samples in sessions:
            span, offset = self.span_on(samples), samples.utc_offset
            if samples.clock == "monotonic" and span is not None and offset is not None:
                return replace(self, utc=(span[0] + offset, span[1] + offset))
        return self


def window_of(trial: Path, folder: Path) -> Window:
    """Return when the run in a folder was, as its level.json tells; nothing is known of a file of another tool.

    Raises:
        InputError: level.json is not one that Rounds wrote.
    """
    return window_in(read_level_file(trial, folder)) if (trial / LEVEL_FILE).exists() else Window()


def window_in(file: LevelFile) -> Window:
    """Return when a run was, as its level.json tells."""
    started, duration = _seconds(file), duration_in(file)
    monotonic = _monotonic(file) if file.tool == OURS else None
    before = any(file.summary.get(key) for key in ("cold_requests", "warm_requests"))
    if started is None or duration is None or before:
        return Window(monotonic, None, started)
    return Window(monotonic, (started, started + duration), started)


def begin_in(file: LevelFile) -> datetime | None:
    """Return when a run began, with a zone or without; None where its level.json gives no time."""
    try:
        return datetime.fromisoformat(file.started or "")
    except ValueError:
        return None


def _seconds(file: LevelFile) -> float | None:
    """Return the begin in seconds since 1970; None where it has no zone."""
    found = begin_in(file)
    return found.timestamp() if found is not None and found.tzinfo is not None else None


def duration_in(file: LevelFile) -> float | None:
    """Return how long a run took, in s; None where its level.json does not tell."""
    return next((one.value for one in file.reported if one.metric == "duration" and one.unit == "s"), None)


def _monotonic(file: LevelFile) -> Span | None:
    begin, end = (_ns(file.summary.get(key)) for key in ("first_sent_mono_ns", "last_ended_mono_ns"))
    return (begin / NS, end / NS) if begin is not None and end is not None and end > begin else None


def _ns(written: str | float | bool | None) -> int | None:
    if not isinstance(written, str) or not written.isdecimal() or len(written) > 19 or not int(written):  # noqa: PLR2004
        return None
    return int(written)
