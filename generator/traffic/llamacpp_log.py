"""llama-server's log: each request by the timings that are printed when it is over.

The timings count the tokens of a prompt that were computed; what its slot had in the cache already is told where the
prompt begins (``n_tokens = …, memory_seq_rm``), or follows from what the slot holds when it is released, which is the
prompt and the answer but for its last token.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Final

from generator.declared.profiles import FARTHEST, Clock, Note
from generator.logs.blocks import whole_lines
from generator.logs.clocks import BACK, SINCE_START
from generator.logs.llamacpp import EVENTS
from generator.logs.scan import scan
from generator.runs.log_events import Events, EventTable
from generator.traffic.rows import LONGEST, Row

WANTED: Final = {
    "launch": "", "cache_position": "cached", "timing_block": "", "prompt_timing": "tokens", "decode_timing": "tokens",
    "total_timing": "ms", "release": "tokens",
}  # fmt: skip
"""The events that are looked for, and the number that each tells."""
KINDS: Final = tuple(kind for kind in EVENTS if kind.key in WANTED)
AT_ONCE: Final = 16 * 2**20
"""Bytes of the log that are gone through at a time."""
NOBODY: Final = -1.0
"""The slot of a server that had no slots yet, in 2023."""

Event = tuple[int, str, float, float, float]
"""Line, kind, slot (NaN: that of the block), its number, and its time in s."""


@dataclass(slots=True)
class _Slot:
    """What is known of the request that a slot is at, or was at last."""

    cached: float | None = None
    computed: float | None = None
    made: float | None = None
    end: float = math.nan
    ms: float | None = None


class LlamaLog:
    """Reads one log, piece by piece."""

    def __init__(self) -> None:
        """Begin with no slot."""
        self.notes: set[Note] = set()
        self.clock: Clock = "start"
        self._slots: dict[float, _Slot] = {}
        self._of_block, self._at_block = NOBODY, math.nan
        self._last, self._before = -math.inf, 0.0

    def rows(self, pieces: Iterable[bytes]) -> Iterator[Row]:
        """Yield the requests that were answered."""
        for block in _blocks(pieces):
            for event in _in_order(scan([block], KINDS)):
                yield from self._seen(event)
        for slot in self._slots.values():
            yield from self._row(slot)

    def _seen(self, event: Event) -> Iterator[Row]:
        _, kind, named, told, at = event
        if kind == "timing_block":
            self._of_block, self._at_block = named, at
            return
        of = self._of_block if math.isnan(named) else named
        slot = self._slots.setdefault(of, _Slot())
        match kind:
            case "launch":
                yield from self._row(slot)
                self._slots[of] = _Slot()
            case "cache_position":
                slot.cached = told if slot.cached is None else slot.cached
            case "prompt_timing":
                yield from self._row(slot)
                self._slots[of] = _Slot(cached=slot.cached if slot.ms is None else None, computed=told)
            case "decode_timing":
                slot.made = told
            case "total_timing":
                slot.ms, slot.end = told, self._at_block if math.isnan(at) else at
            case _:
                yield from self._released(of, slot, told)

    def _released(self, of: float, slot: _Slot, held: float) -> Iterator[Row]:
        if slot.ms is not None:
            yield from self._row(slot, held)
            self._slots[of] = _Slot()

    def _row(self, slot: _Slot, held: float = math.nan) -> Iterator[Row]:
        """Yield the request of a slot that has its timings."""
        if slot.ms is None or slot.computed is None:
            return
        took = slot.ms / 1e3
        given = self._input(slot, held)
        at = self._moment(slot.end)
        fits = all(0 <= tokens <= LONGEST for tokens in (given, slot.made or 0))
        if fits and 0 <= took <= FARTHEST and abs(at or 0.0) <= FARTHEST:
            made = None if slot.made is None else int(slot.made)
            self.notes.add("without_queue")
            yield Row(None, int(given), made, None if at is None else at - took, took)

    def _input(self, slot: _Slot, held: float) -> float:
        """Return the tokens of a prompt: those that were computed, and those in the cache as far as it is told."""
        computed = slot.computed or 0.0
        if slot.cached is not None:
            return slot.cached + computed
        whole = held - (slot.made or 0.0) + 1
        if whole >= computed:
            return whole
        self.notes.add("cached_unknown")
        return computed

    def _moment(self, end: float) -> float | None:
        """Return a time of the log; where the server was started anew, the clock goes on where it was."""
        if math.isnan(end):
            return None
        if end > SINCE_START:
            self.clock = "file"
        elif end < self._last - BACK:
            self._before += self._last
            self.notes.add("restarted")
        self._last = end
        return end + self._before


def _blocks(pieces: Iterable[bytes]) -> Iterator[bytes]:
    """Yield whole lines, so many of them together that going through them is worth it."""
    held: list[bytes] = []
    size = 0
    for block in whole_lines(pieces):
        held.append(block)
        size += len(block)
        if size >= AT_ONCE:
            yield b"".join(held)
            held, size = [], 0
    if held:
        yield b"".join(held)


def _in_order(events: Events) -> list[Event]:
    """Return the events of all kinds in the order of the log."""
    found = [event for kind, told in WANTED.items() for event in _of_kind(kind, events[kind], told)]
    return sorted(found, key=lambda event: event[0])


def _of_kind(kind: str, table: EventTable, told: str) -> Iterator[Event]:
    count = len(table)
    nothing = [math.nan] * count
    numbers = table.columns[told].tolist() if told else nothing
    times = [
        own if math.isfinite(own) else read for own, read in zip(table.own.tolist(), table.clock.tolist(), strict=True)
    ]
    slots = table.columns["slot"].tolist()
    yield from zip(table.lines.tolist(), [kind] * count, slots, numbers, times, strict=True)
