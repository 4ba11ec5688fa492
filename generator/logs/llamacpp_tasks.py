"""Events of llama.cpp's server put together by the request that they are of: what its prompt found in the cache."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.runs.log_events import Events, EventTable

Numbers = NDArray[np.float64]
Positions = NDArray[np.int64]

BEHIND: Final = {"prompt_timing": 1, "decode_timing": 2}
"""How many lines timings stand behind the one that opens their block."""
MOST_SLOTS: Final = 2**12
MOST_TASKS: Final = 2**31
MOST_TIMES: Final = 2**20
"""How often a slot and a task may come again, because the server was started anew."""


def cached_by_position(events: Events) -> EventTable | None:
    """Return where the first batch of each request began: so many tokens of its prompt were in the cache.

    The line comes again for each batch; only the first one behind a launch tells. None where the log has no such lines.
    """
    table, launches = events["cache_position"], events["launch"]
    if not len(table):
        return None
    slots = table.columns["slot"]
    first = [_first_of_each(table, launches, slot) for slot in np.unique(slots[~np.isnan(slots)])]
    rows = np.sort(np.concatenate(first)) if first else np.zeros(0, np.int64)
    found = _table(table.lines[rows], {name: cells[rows] for name, cells in table.columns.items()})
    prompts = begun_here(events, with_owner(events, "prompt_timing", BEHIND["prompt_timing"]))
    computed, took = np.full(len(rows), np.nan), np.full(len(rows), np.nan)
    at, of_prompt = _joined(found, prompts)
    computed[at], took[at] = prompts.columns["tokens"][of_prompt], prompts.columns["ms"][of_prompt]
    return _cached(found.lines, found.columns["cached"], computed, took)


def _first_of_each(table: EventTable, launches: EventTable, slot: float) -> Positions:
    """Return the rows of a slot that are the first behind a launch of it; what stands before any is passed over."""
    rows = np.flatnonzero(table.columns["slot"] == slot)
    launched = launches.lines[launches.columns["slot"] == slot]
    turn = np.searchsorted(launched, table.lines[rows])
    return rows[(turn > 0) & (np.diff(turn, prepend=0) > 0)]


def cached_by_release(events: Events) -> EventTable | None:
    """Return the tokens of each prompt that were not computed, from what its slot held in the end.

    A slot that is released holds the prompt and the answer but for its last token. None where the log does not tell
    both the timings and the end of any request.
    """
    prompts, decodes = (begun_here(events, with_owner(events, kind, behind)) for kind, behind in BEHIND.items())
    releases = begun_here(events, events["release"])
    at_end, of_prompt, of_decode = _joined(releases, prompts, decodes)
    if not len(at_end):
        return None
    held = releases.columns["tokens"][at_end]
    computed, made = prompts.columns["tokens"][of_prompt], decodes.columns["tokens"][of_decode]
    cached, lines = held - made + 1 - computed, prompts.lines[of_prompt]
    order = np.argsort(lines)
    order = order[cached[order] >= 0]
    return _cached(lines[order], cached[order], computed[order], prompts.columns["ms"][of_prompt][order])


def with_owner(events: Events, kind: str, behind: int) -> EventTable:
    """Return timings with slot and task: those without take them from the line that opens their block.

    Args:
        events: all events.
        kind: the kind of timing.
        behind: how many lines it stands behind the opening one.
    """
    table, blocks = events[kind], events["timing_block"]
    at = np.searchsorted(blocks.lines, table.lines - behind)
    there = np.isin(table.lines - behind, blocks.lines) & np.isnan(table.columns["task"])
    owners = {name: table.columns[name].copy() for name in ("slot", "task")}
    for name, numbers in owners.items():
        numbers[there] = blocks.columns[name][at[there]]
    return EventTable(table.lines, table.clock, table.own, {**table.columns, **owners}, table.texts)


def begun_here(events: Events, table: EventTable) -> EventTable:
    """Return the events of requests that were taken up in the log.

    The log of a run is a part of that of the server: it may begin with the end of a request that came before. Where no
    launch is told of at all, and where it is not told whose an event is, nothing is left out.
    """
    launches, slots = events["launch"], table.columns["slot"]
    if not len(launches):
        return table
    first = dict(zip(launches.columns["slot"][::-1], launches.lines[::-1], strict=True))
    begins = np.array([first.get(slot, np.inf) for slot in slots])
    return table.rows(np.isnan(slots) | (table.lines > begins))


def _joined(*tables: EventTable) -> tuple[Positions, ...]:
    """Return the rows of several tables that are of one request each."""
    keys = [_keys(table) for table in tables]
    common = keys[0]
    for other in keys[1:]:
        common = np.intersect1d(common, other, assume_unique=True)
    common = common[common >= 0]
    return tuple(_rows_of(common, own) for own in keys)


def _rows_of(wanted: Positions, keys: Positions) -> Positions:
    order = np.argsort(keys)
    return order[np.searchsorted(keys, wanted, sorter=order)]


def _keys(table: EventTable) -> Positions:
    """Return a number a row that no two rows share: of slot, task, and how often both have come; negative for none."""
    slot, task = table.columns["slot"], table.columns["task"]
    there = (slot >= 0) & (slot < MOST_SLOTS) & (task >= 0) & (task < MOST_TASKS)
    owner = np.where(there, np.nan_to_num(task) * MOST_SLOTS + np.nan_to_num(slot), 0).astype(np.int64)
    times = _occurrences(owner)
    known = there & (times < MOST_TIMES)
    return np.where(known, owner * MOST_TIMES + times, -1 - np.arange(len(owner)))


def _occurrences(numbers: Positions) -> Positions:
    """Return how often each number has come before."""
    order = np.argsort(numbers, kind="stable")
    ranked = numbers[order]
    begins = np.flatnonzero(np.diff(ranked, prepend=ranked[:1] - 1)) if len(ranked) else np.zeros(0, np.int64)
    lengths = np.diff(np.append(begins, len(ranked)))
    result = np.empty(len(numbers), np.int64)
    result[order] = np.arange(len(ranked)) - np.repeat(begins, lengths)
    return result


def _cached(lines: Positions, cached: Numbers, computed: Numbers, took: Numbers) -> EventTable:
    """Return, of each prompt, the tokens that were there, those computed and the ms of that; NaN where not told."""
    return _table(lines, {"cached": cached, "computed": computed, "ms": took})


def _table(lines: Positions, columns: Mapping[str, Numbers]) -> EventTable:
    """Return a table without times."""
    unknown = np.full(len(lines), np.nan)
    return EventTable(lines, unknown, unknown, columns)
