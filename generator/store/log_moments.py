"""When things happened by the log of a server, on the clock of the requests of a run."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from generator.kinds import Engine
from generator.logs.clocks import on_our_clock
from generator.runs.log_events import Events, EventTable
from generator.runs.server_times import Happening, Numbers, ServerTimes


def times_in(engine: Engine, events: Events, begin: float, file: str) -> ServerTimes | None:
    """Return what a log tells of a run; None where no time of ours stands in front of its lines.

    Args:
        engine: the server that wrote it.
        events: those of the run, or of a log that is of this run alone.
        begin: when the first request was sent, in s of CLOCK_MONOTONIC.
        file: the log.
    """
    if not any(np.isfinite(table.clock).any() for table in events.values()):
        return None
    try:
        found = engine.happenings(events)
    except KeyError:  # a part of a log may lack kinds
        return None
    moments: dict[Happening, Numbers] = {}
    for happening, tables in found.items():
        moments[happening] = _moments(events, tables, begin)
    return ServerTimes(moments, file)


def _moments(events: Events, tables: Sequence[EventTable], begin: float) -> Numbers:
    times = np.concatenate([np.zeros(0), *(on_our_clock(events, table) for table in tables if len(table))])
    return np.sort(times[np.isfinite(times)]) - begin
