"""The stages of a start as the log of an engine tells them: how long each took, and when it was over."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Final

import numpy as np

from generator.logs.clocks import on_our_clock
from generator.logs.facts import Compute
from generator.runs.log_events import Events, Told

Found = Callable[[Events], "tuple[str, int] | None"]
"""Finds a line: the kind of its event, and the row."""

DAY_S: Final = 86_400.0
"""Seconds: no stage of a start takes longer."""


def first_event(*kinds: str) -> Found:
    """Return the first line of a log of the first of some kinds of which it has any."""

    def found(events: Events) -> tuple[str, int] | None:
        return next(((kind, 0) for kind in kinds if len(events[kind])), None)

    return found


def last_event(*kinds: str) -> Found:
    """Return the last line of a log of the first of some kinds of which it has any."""

    def found(events: Events) -> tuple[str, int] | None:
        return next(((kind, len(events[kind]) - 1) for kind in kinds if len(events[kind])), None)

    return found


def clock_of(find: Found) -> Compute:
    """Return when a line was written, in s of our clock; None where no time of ours stands in front."""

    def told(events: Events) -> Told | None:
        found = find(events)
        if found is None:
            return None
        kind, row = found
        moment = on_our_clock(events, events[kind])[row]
        return Told(float(moment), events[kind].lines[[row]]) if np.isfinite(moment) else None

    return told


def between(begin: Found, end: Found) -> Compute:
    """Return the seconds from one line to another; None where either is missing, or the second comes first.

    They are those of the log's own time, where it counts finer than whole seconds; else of ours.
    """

    def told(events: Events) -> Told | None:
        begun, ended = begin(events), end(events)
        if begun is None or ended is None:
            return None
        seconds = _seconds(events, begun, ended)
        lines = np.array([events[kind].lines[row] for kind, row in (begun, ended)])
        return Told(seconds, lines) if 0 <= seconds < DAY_S else None

    return told


def _seconds(events: Events, begun: tuple[str, int], ended: tuple[str, int]) -> float:
    """Return how far two lines are apart; NaN where no clock tells."""
    for clock in (on_our_clock, lambda _, table: table.own):
        first, last = (float(clock(events, events[kind])[row]) for kind, row in (begun, ended))
        if np.isfinite(last - first):
            return last - first
    return float("nan")


def added(stages: Iterable[Compute]) -> Compute:
    """Return the sum of the stages that a log tells; None where it tells none."""
    known = tuple(stages)

    def told(events: Events) -> Told | None:
        found = [one for stage in known if (one := stage(events)) is not None]
        if not found:
            return None
        lines = np.unique(np.concatenate([one.lines for one in found]))
        return Told(sum(one.value for one in found), lines)

    return told


def less(whole: Compute, *parts: Compute) -> Compute:
    """Return what is left of a time without those parts of it that the log tells; never less than none."""

    def told(events: Events) -> Told | None:
        total = whole(events)
        if total is None:
            return None
        taken = [one.value for part in parts if (one := part(events)) is not None]
        return Told(max(total.value - sum(taken), 0.0), total.lines)

    return told
