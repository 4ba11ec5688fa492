"""What can be taken from the log of llama.cpp's server."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.logs.clocks import on_our_clock
from generator.logs.facts import Compute, among, count, increment, intervals, known, last, most, total
from generator.logs.llamacpp_tasks import BEHIND, begun_here, cached_by_position, cached_by_release, with_owner
from generator.logs.stages import added, between, clock_of, first_event
from generator.runs.log_events import Events, EventTable, LogFact, Told
from generator.units import to_base

HIT: Final = 0.1
"""Share of a prompt from which a cached prefix is a hit: that from which the server itself takes a slot for similar.
Less is what any two prompts have in common: a start token, the head of a chat template."""


def launches(events: Events) -> Told | None:
    """Return the requests taken up: further answers to the same request are none."""
    table = events["launch"]
    own = ~(table.columns["child"] > 0)
    return Told(float(own.sum()), table.lines[own]) if len(table) else None


def of_requests(kind: str, compute: Compute) -> Compute:
    """Return a fact from the events of those requests only that were taken up in the log.

    Args:
        kind: what the fact is taken from.
        compute: how.
    """
    behind = BEHIND.get(kind, 0)

    def told(events: Events) -> Told | None:
        return compute({**events, kind: begun_here(events, with_owner(events, kind, behind))})

    return told


def launch_clocks(events: Events) -> Told | None:
    """Return the times at which requests were taken up, added up, in s of our clock; None where one is not told."""
    table = events["launch"]
    own = table.rows(~(table.columns["child"] > 0))
    times = on_our_clock(events, own)
    return Told(float(times.sum()), own.lines) if len(own) and np.isfinite(times).all() else None


def in_seconds(compute: Compute) -> Compute:
    """Return a fact that the log gives in ms as one in s."""

    def told(events: Events) -> Told | None:
        found = compute(events)
        return None if found is None else Told(to_base(found.value, "ms"), found.lines)

    return told


def cancelled(events: Events) -> Told | None:
    """Return the requests given up by their client: one that was answered with an error is taken back, too."""
    given_up, errors = events["cancel"], events["error_sent"]
    answered = np.isin(given_up.columns["task"], errors.columns["task"])
    return among("cancel", "launch")({**events, "cancel": given_up.rows(~answered)})


def truncated(events: Events) -> Told | None:
    """Return the requests whose prompt or answer was cut to the context."""
    table = events["release"]
    cut = np.concatenate((table.lines[table.columns["truncated"] > 0], events["truncated"].lines))
    return Told(float(len(cut)), np.sort(cut)) if len(table) else None


def cached_prefixes(events: Events) -> EventTable | None:
    """Return the tokens that each prompt found in the cache, where the log tells it in either way."""
    return cached_by_position(events) or cached_by_release(events)


def cache_hits(events: Events) -> Told | None:
    """Return the requests of whose prompt a good part was in the cache."""
    table = cached_prefixes(events)
    if table is None:
        return None
    lines = table.lines[_is_hit(table)]
    return Told(float(len(lines)), lines)


def _is_hit(table: EventTable) -> NDArray[np.bool_]:
    cached, computed = table.columns["cached"], table.columns["computed"]
    return (cached > 1) & (cached >= HIT * (cached + computed))


def of_cold_prompts(column: str, unit: str) -> Compute:
    """Return how to add up a column of the prompts that were computed as a whole, or nearly so."""

    def compute(events: Events) -> Told | None:
        table = cached_prefixes(events)
        if table is None:
            return None
        cold = table.rows(~_is_hit(table) & (table.columns["computed"] > 0))
        numbers, lines = known(cold, column)
        return Told(to_base(float(numbers.sum()), unit), lines) if len(lines) else None

    return compute


def cached_tokens(events: Events) -> Told | None:
    """Return the tokens of prompts that were not computed, because they were in the cache."""
    table = cached_prefixes(events)
    if table is None:
        return None
    found = table.columns["cached"] > 0
    return Told(float(table.columns["cached"][found].sum()), table.lines[found])


def slot_context(events: Events) -> Told | None:
    """Return the context of a slot, as it was last said."""
    said = [last("slot_context", "context")(events), last("slots", "context")(events)]
    there = [told for told in said if told is not None]
    return max(there, key=lambda told: int(told.lines[-1]), default=None)


def kv_pool_tokens(events: Events) -> Told | None:
    """Return the tokens of the pool: of all slots where each keeps its own part, of one where they share it.

    A server that does not say whether they share it does not tell. What they share may be more than one of them may
    take: a slot's context ends at that which the model was trained with. A window's cells are fewer than those of all.
    """
    table = events["slots"]
    if not len(table) or not (unified := table.texts["unified_text"][-1]):
        return None
    slots, context = (float(table.columns[column][-1]) for column in ("slots", "context"))
    if unified == "false":
        return Told(slots * context, table.lines[-1:])
    cells, lines = known(events["kv_cache"], "cells")
    largest = lines[cells == cells.max(initial=0)][-1:]
    return Told(float(cells.max()), largest) if len(cells) else Told(context, table.lines[-1:])


def loaded(*kinds: str) -> Compute:
    """Return how to add up, in bytes, what the server allocated when it last loaded; of several kinds the first said.

    A load ends when the slots are there; a log without them does not tell what belongs together.
    """

    def compute(events: Events) -> Told | None:
        ends = events["slots"].lines
        if not len(ends):
            return None
        begin = ends[-2] if len(ends) > 1 else 0
        parts = (_between(events[kind], begin, ends[-1]) for kind in kinds)
        mebibytes, lines = next((part for part in parts if len(part[0])), (np.zeros(0), ends[:0]))
        return Told(to_base(float(mebibytes.sum()), "MiB"), lines) if len(lines) else None

    return compute


def _between(table: EventTable, begin: int, end: int) -> tuple[NDArray[np.float64], NDArray[np.int64]]:
    numbers, lines = known(table, "mib")
    inside = (lines > begin) & (lines < end)
    return numbers[inside], lines[inside]


# The path of the model stands in the line itself, behind which its tensors are read; a server of other days goes from
# there to its slots without a word.
_LOADED: Final = first_event("warm_up_begun", "threads", "slots")
_SINCE: Final = first_event("fitted", "load_begun")
STAGES: Final = {
    "stage_engine": last("fitted", "seconds"),
    "stage_weights": between(_SINCE, _LOADED),
    "stage_setup": between(first_event("warm_up_begun"), first_event("slots")),
}
"""The stages of a start that do not overlap: fitting its parameters to the memory, the model, the warm-up."""

FACTS: Final = (
    LogFact("launches", "1", launches),
    LogFact("launch_clocks", "s", launch_clocks),
    LogFact("releases", "1", of_requests("release", count("release"))),
    LogFact("timing_lines", "1", of_requests("prompt_timing", count("prompt_timing"))),
    LogFact("prompt_seconds", "s", in_seconds(of_requests("prompt_timing", total("prompt_timing", "ms")))),
    LogFact("prompt_tokens_computed", "tok", of_requests("prompt_timing", total("prompt_timing", "tokens"))),
    LogFact("output_tokens", "tok", of_requests("decode_timing", total("decode_timing", "tokens"))),
    LogFact("cache_hits", "1", cache_hits),
    LogFact("cached_tokens", "tok", cached_tokens),
    LogFact("cold_prompt_tokens", "tok", of_cold_prompts("computed", "tok")),
    LogFact("cold_prompt_seconds", "s", of_cold_prompts("ms", "ms")),
    LogFact("slot_tokens_most", "tok", of_requests("release", most("release", "tokens"))),
    LogFact("truncated", "1", of_requests("release", truncated)),
    LogFact("cancelled", "1", cancelled),
    LogFact("engine_errors", "1", among("error", "launch")),
    LogFact("graphs_reused", "1", increment("graphs_reused", "count")),
    LogFact("graph_intervals", "1", intervals("graphs_reused", "count")),
    LogFact("draft_tokens", "tok", total("draft", "drafted")),
    LogFact("draft_accepted", "tok", total("draft", "accepted")),
    LogFact("kv_full", "1", among("kv_full", "launch")),
    LogFact("slots", "1", last("slots", "slots"), lasting=True),
    LogFact("kv_pool_tokens", "tok", kv_pool_tokens, lasting=True),
    LogFact("slot_context", "tok", slot_context, lasting=True),
    LogFact("kv_pool_bytes", "B", loaded("kv_buffer", "kv_cache"), lasting=True),
    LogFact("state_bytes", "B", loaded("state_buffer"), lasting=True),
    LogFact("weights_bytes", "B", loaded("model_buffer"), lasting=True),
    LogFact("compute_buffer_bytes", "B", loaded("compute_buffer"), lasting=True),
    LogFact("start_clock", "s", clock_of(first_event("load_begun")), lasting=True),
    LogFact("ready_clock", "s", clock_of(first_event("loaded", "ready")), lasting=True),
    *(LogFact(name, "s", compute, lasting=True) for name, compute in STAGES.items()),
    LogFact("stages_told", "s", added(STAGES.values()), lasting=True),
)
