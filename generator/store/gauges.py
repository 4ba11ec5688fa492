"""Readings of an engine, cut to a run, as columns on the clock of its requests."""

from __future__ import annotations

from typing import Final

import numpy as np

from generator.runs.gauges import Gauges, Numbers
from generator.telemetry.samples import Samples

LEADING: Final = (("engine", "kv_usage"), ("slots", "slot_tokens"), ("engine", "running"), ("slots", "running"))
"""Whose moments are those of the rows: of what tells of the pool, first."""
SAME_MOMENT_S: Final = 0.5
"""Readings of two sources closer than this are of one tick: each has a thread of its own."""


def gauges_in(samples: Samples, begin: float) -> Gauges | None:
    """Return what an engine said in some samples; None where it said nothing.

    What the client knew is NaN in it (see ``generator.runs.in_flight``). The readings of other sources than the
    leading one are those of the nearest moment.

    Args:
        samples: of one run.
        begin: when its first request was sent, on the clock of the samples.
    """
    t = next((at for where in LEADING if len(at := _moments(samples, *where))), None)
    if t is None:
        return None
    running = _first_known(_at(t, samples, "engine", "running"), _at(t, samples, "slots", "running"))
    unknown = np.full(len(t), np.nan)
    return Gauges(
        t=t - begin,
        running=running,
        waiting=_at(t, samples, "engine", "waiting"),
        kv_usage=_at(t, samples, "engine", "kv_usage"),
        slot_tokens=_at(t, samples, "slots", "slot_tokens"),
        tokens=unknown,
        sequences=unknown,
        awaiting=unknown,
    )


def _moments(samples: Samples, device: str, name: str) -> Numbers:
    return np.unique(samples.of(device, name)[0])


def _at(t: Numbers, samples: Samples, device: str, name: str) -> Numbers:
    """Return the reading of a field that is nearest to each moment; NaN where none is of the same tick."""
    at, values = samples.of(device, name)
    if not len(at):
        return np.full(len(t), np.nan)
    order = np.argsort(at, kind="stable")
    at, values = at[order], values[order]
    after = np.minimum(np.searchsorted(at, t), len(at) - 1)
    before = np.maximum(after - 1, 0)
    nearest = np.where(np.abs(at[before] - t) < np.abs(at[after] - t), before, after)
    found: Numbers = np.where(np.abs(at[nearest] - t) <= SAME_MOMENT_S, values[nearest], np.nan)
    return found


def _first_known(first: Numbers, other: Numbers) -> Numbers:
    return first if np.isfinite(first).any() else other
