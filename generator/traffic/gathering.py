"""The requests of all files as columns, of any length: what is not known of a request is NaN."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from pathlib import Path
from typing import Final

import numpy as np
from numpy.typing import NDArray

from generator.declared.profiles import Clock, Note, Source
from generator.errors import InputError
from generator.numeric.spilled import Pile, pieces
from generator.store.files import open_file, shown, unreadable
from generator.traffic.mapped import Mapped
from generator.traffic.reading import Bad, Found, Reading, read_traffic
from generator.traffic.rows import Row

Numbers = NDArray[np.float64]
Progress = Callable[[Path, int], object]
COLUMNS: Final = ("at", "input_tokens", "output_tokens", "duration")
TOGETHER: Final = 2**15
"""Requests that are put into the columns at once."""


@dataclass(slots=True)
class Traffic:
    """Requests of one load.

    Attributes:
        at: when each came, in s on the clock.
        input_tokens: how long its prompt was; ``output_tokens`` its answer, 0 where there was none.
        duration: how long it took, in s.
        characters: how long the texts of prompts are; those that have one.
        clock: what the times are on.
    """

    at: Numbers
    input_tokens: Numbers
    output_tokens: Numbers
    duration: Numbers
    characters: Numbers
    clock: Clock
    sources: tuple[Source, ...]
    notes: frozenset[Note]

    def __len__(self) -> int:
        """Return how many requests there are."""
        return len(self.at)


@dataclass(slots=True)
class _Piles:
    columns: dict[str, Pile] = field(default_factory=lambda: {name: Pile("d") for name in COLUMNS})
    characters: Pile = field(default_factory=lambda: Pile("d"))

    def add(self, rows: Sequence[Row]) -> None:
        for name, pile in self.columns.items():
            of = attrgetter(name)
            pile.extend([math.nan if (number := of(row)) is None else number for row in rows])
        self.characters.extend([float(len(row.text)) for row in rows if row.text is not None])


def gather(files: Sequence[Path], mapped: Mapped | None, progress: Progress = lambda *_: None) -> Traffic:
    """Read files of requests of one load.

    Raises:
        InputError: one of them cannot be read, or their times are on clocks of their own.
    """
    piles, sources, clocks, notes = _Piles(), [], {}, set[Note]()
    for path in files:
        reading = read_traffic(path, mapped, lambda read, path=path: progress(path, read))  # type: ignore[misc]
        sources.append(_take(reading, path, piles))
        clocks[path] = reading.clock()
        notes |= reading.notes
    at, given, made, took = (piles.columns[name].column() for name in COLUMNS)
    has_times = any(bool(np.isfinite(piece).any()) for piece in pieces(at))
    clock = _one_clock(clocks) if has_times else "start"
    return Traffic(at, given, made, took, piles.characters.column(), clock, tuple(sources), frozenset(notes))


def _one_clock(clocks: dict[Path, Clock]) -> Clock:
    kinds = set(clocks.values())
    if len(clocks) > 1 and ("start" in kinds or len(kinds) > 1):
        odd = next((path for path, clock in clocks.items() if clock == "start"), next(iter(clocks)))
        problem = "has times of its own, which cannot be put beside those of the other files"
        raise InputError(shown(odd), "", problem, "profile it alone")
    return next(iter(kinds))


def _take(reading: Reading, path: Path, piles: _Piles) -> Source:
    counts = {"requests": 0, "bad": 0, "left_out": 0}
    for rows in _together(reading.found, counts):
        counts["requests"] += len(rows)
        piles.add(rows)
    if not counts["requests"]:
        raise InputError(shown(path), "", "holds no request", "name a file of requests to a model")
    try:
        size, digest = path.stat().st_size, _sha256(path)
    except OSError as error:
        raise unreadable(path, error) from error
    quotes = tuple(reading.open_quotes)
    return Source(kind=reading.kind, sha256=digest, bytes=size, **counts, open_quotes=quotes)


def _sha256(path: Path) -> str:
    with open_file(path) as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _together(found: Iterator[Found], counts: dict[str, int]) -> Iterator[list[Row]]:
    """Yield requests many at a time; what is none is counted."""
    rows: list[Row] = []
    for one in found:
        if isinstance(one, Row):
            rows.append(one)
            if len(rows) >= TOGETHER:
                yield rows
                rows = []
        else:
            counts["bad" if isinstance(one, Bad) else "left_out"] += 1
    if rows:
        yield rows
