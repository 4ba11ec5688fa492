"""Which events of a log happened at a moment that a timeline can show."""

from __future__ import annotations

import numpy as np

from generator.logs.llamacpp_facts import cache_hits
from generator.logs.llamacpp_tasks import cached_by_position
from generator.runs.log_events import Events, EventTable
from generator.runs.server_times import Happening

Happenings = dict[Happening, list[EventTable]]
"""What happened -> the events that say so."""


def of_llamacpp(events: Events) -> Happenings:
    """Return when requests were put into slots, what each found in the cache where it says so, and what went wrong."""
    launches = events["launch"]
    found: Happenings = {
        "launch": [launches.rows(~(launches.columns["child"] > 0))],
        "kv_full": [events["kv_full"]],
        "error": [events["error"], events["error_sent"]],
        "cancel": [events["cancel"]],
    }
    hits = cache_hits(events) if cached_by_position(events) is not None else None
    if hits is not None:
        found["cache_hit"] = [events["cache_position"].rows(np.isin(events["cache_position"].lines, hits.lines))]
    return found


def of_vllm(events: Events) -> Happenings:
    """Return what went wrong. A line of a request stands where its answer began, and its statistics sum up seconds."""
    return {"preemption": [events["preempted"]], "error": [events["error"]], "cancel": [events["cancel"]]}
