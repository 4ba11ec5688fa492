"""The time of an event on our own clock, finer than the moment at which its line was read."""

from __future__ import annotations

from typing import Final

import numpy as np

from generator.runs.log_events import Events, EventTable, Numbers

SINCE_START: Final = 1e8
"""Seconds below which a log's own time counts from the start of the server, and not from 1970."""
BACK: Final = 1.0
"""Seconds by which a log's own time may step back from line to line: threads write at once. More is a new start."""


def on_our_clock(events: Events, table: EventTable) -> Numbers:
    """Return when events happened, in s of CLOCK_MONOTONIC; NaN where no time of ours stands in front.

    A server that writes into a pipe hands its lines over some at a time: they are read later than they were written,
    by up to tens of milliseconds. Where it gives its own time since its start, that is as fine as it writes it, and
    lies behind ours by no more than the least difference of any line. So an event is put late by the shortest of all
    waits between writing and reading, a tenth of a millisecond or so, and never early.
    """
    behind = _behind(events)
    joined: Numbers = table.own + behind if behind is not None else table.clock
    return np.where(np.isfinite(joined) & np.isfinite(table.clock), joined, table.clock)


def _behind(events: Events) -> float | None:
    """Return by how much the log's own clock is behind ours; None where it is no clock since one start."""
    tables = [one for one in events.values() if len(one)]
    if not tables:
        return None
    lines, clock, own = (np.concatenate([getattr(one, name) for one in tables]) for name in ("lines", "clock", "own"))
    order = np.argsort(lines, kind="stable")
    clock, own = clock[order], own[order]
    known = np.isfinite(clock) & np.isfinite(own)
    clock, own = clock[known], own[known]
    if not len(own) or own.max() > SINCE_START or (np.diff(own) < -BACK).any():
        return None
    return float((clock - own).min())
