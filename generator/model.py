"""What a round is: the records read from a round's folder."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import count
from typing import Final, Literal

from generator.declared.profiles import ProfileFile
from generator.declared.round_tables import RoundFile, SeriesTable
from generator.machines.records import Machine
from generator.runs.requests import Requests
from generator.text import Lang, Text
from generator.told.claims import Claim
from generator.told.prose import Prose
from generator.values import Address, Observation

OWN_ACCENTS: Final[Mapping[str, int]] = {"vllm": 0, "llama": 1, "sglang": 4}
"""Engines that have one number in all rounds, by a word of their kind or name."""
NARROW_SPACE: Final = "\u202f"
NO_BREAK_SPACE: Final = "\u00a0"
"""Between a number and its unit."""

LoadKind = Literal["concurrency", "rate"]
LOAD_LABELS: Final[Mapping[LoadKind, Text]] = {
    "concurrency": Text(zh="并发", en="concurrency"),
    "rate": Text(zh="到达率 req/s", en="arrival rate, req/s"),
}


@dataclass(frozen=True, slots=True)
class Level:
    """One load point of a series: a concurrency (closed loop) or an arrival rate in req/s (open loop).

    Beside a rate, a concurrency is only a limit.

    ``trials`` is how often it was run; ``from_runs`` whether the runs themselves are there, not a table of results.
    """

    id: str
    concurrency: float | None = None
    rate: float | None = None
    trials: int = 1
    from_runs: bool = False

    @property
    def runs(self) -> tuple[int | None, ...]:
        """Return the numbers of the trials; None alone where the level was run once."""
        return (None,) if self.trials == 1 else tuple(range(1, self.trials + 1))

    @property
    def name(self) -> str:
        """Return what a reader calls the level: its rate with its limit, if any, else its concurrency, else its id."""
        slots = f"C={self.concurrency:.10g}" if self.concurrency is not None else ""
        if self.rate is None:
            return slots or self.id
        arrivals = f"{self.rate:.10g}{NARROW_SPACE}req/s"
        return f"{arrivals} ≤ {slots}" if slots else arrivals

    @property
    def load(self) -> float:
        """Return the load: the rate, else the concurrency. Compare it among levels of one kind only."""
        return self.rate if self.rate is not None else self.concurrency or 0.0

    @property
    def kind(self) -> LoadKind:
        """Return what the load is a number of."""
        return "concurrency" if self.rate is None else "rate"

    @property
    def order(self) -> tuple[LoadKind, float, float]:
        """Return what levels are ordered by: those of one kind together, by rising load, then by rising limit."""
        return self.kind, self.load, math.inf if self.concurrency is None else self.concurrency


@dataclass(frozen=True, slots=True)
class Series:
    """One engine configuration and its levels, by rising load."""

    table: SeriesTable
    levels: tuple[Level, ...]

    @property
    def id(self) -> str:
        """Return the id: the folder's name."""
        return self.table.id

    @property
    def label(self) -> str:
        """Return the name a reader knows it by: engine and precision, else the id."""
        named = [part for part in (self.table.engine, self.table.precision) if part]
        return " ".join(named) if self.table.engine else self.id


def accents_of(series: Iterable[Series]) -> dict[str, int]:
    """Return the number by which each of some series is told apart, in whichever round.

    The first series of a known engine has the number of that engine; the others have those that no engine owns.
    Where no engine is known they are counted.
    """
    held = list(series)
    own: dict[str, int] = {}
    for one in held:
        number = _own_accent(one.table)
        if number is not None and number not in own.values():
            own[one.id] = number
    kept = set(OWN_ACCENTS.values()) if own else set()
    free = (number for number in count() if number not in kept)
    return {one.id: own[one.id] if one.id in own else next(free) for one in held}


def _own_accent(table: SeriesTable) -> int | None:
    name = f"{table.kind or ''} {table.engine or ''}".lower()
    return next((number for word, number in OWN_ACCENTS.items() if word in name), None)


@dataclass(frozen=True, slots=True)
class Integrity:
    """How the data compare with MANIFEST.json; ``changed`` names the files that differ, are gone or are new."""

    status: Literal["absent", "intact", "changed"]
    changed: tuple[str, ...] = ()


Trial = tuple[str, str, int | None]
"""A series, one of its levels, and the number of the trial; None where the level was run once."""


@dataclass(frozen=True, slots=True)
class Round:
    """One campaign as read from its folder: what was declared, and every number found."""

    id: str
    file: RoundFile
    series: tuple[Series, ...]
    observations: tuple[Observation, ...]
    integrity: Integrity
    data_sha256: str
    prose: tuple[Prose, ...] = ()
    requests: Mapping[Trial, Requests] = field(default_factory=dict)
    described: Mapping[Trial, Mapping[str, str]] = field(default_factory=dict)
    """What each run says of itself that is no result: tool, model, engine, label, settings."""
    claims: tuple[Claim, ...] = ()
    """The statements that its data are compared with."""
    machines: Mapping[str, Machine] = field(default_factory=dict)
    """What each series ran on; a series of which nothing is known may be missing."""
    unread: Mapping[Address, Text] = field(default_factory=dict)
    """Why numbers that were looked for beside the runs cannot be known."""
    profile: ProfileFile | None = None
    """What the traffic looks like that its engines are to serve."""

    @property
    def title(self) -> Text:
        """Return the title in both languages."""
        return self.file.round.title.text()

    @property
    def baseline(self) -> Series | None:
        """Return the series that the others are compared with, if the round names one."""
        return next((s for s in self.series if s.id == self.file.round.baseline), None)

    @property
    def compared(self) -> tuple[Series, ...]:
        """Return the series that are compared with the baseline; none without a baseline."""
        return tuple(s for s in self.series if self.baseline is not None and s.id != self.baseline.id)

    @property
    def accents(self) -> dict[str, int]:
        """Return the number of each series, by which figures tell them apart."""
        return accents_of(self.series)

    @property
    def load_kinds(self) -> tuple[LoadKind, ...]:
        """Return the kinds of load that there are, that of most levels first; closed loop where there is no level."""
        counted = Counter(level.kind for series in self.series for level in series.levels)
        return tuple(sorted(counted, key=lambda kind: (-counted[kind], kind))) or ("concurrency",)

    @property
    def with_gpu(self) -> tuple[Series, ...]:
        """Return the series that are not known to have run without a GPU."""
        without = {series for series, machine in self.machines.items() if machine.has_no_gpu}
        return tuple(series for series in self.series if series.id not in without)

    @property
    def load_label(self) -> Text:
        """Return what the load of this round is called, over all its levels."""
        kind, *others = self.load_kinds
        return Text(zh="负载", en="load") if others else LOAD_LABELS[kind]

    def prose_of(self, section: str, lang: Lang) -> Prose | None:
        """Return what the authors wrote for a section."""
        return next((one for one in self.prose if (one.section, one.lang) == (section, lang)), None)

    def series_by_id(self, series: str) -> Series:
        """Return one series by its id."""
        return next(s for s in self.series if s.id == series)

    def label(self, series: str) -> str:
        """Return the name of a series that no other series of the round shares."""
        label = self.series_by_id(series).label
        shared = sum(1 for s in self.series if s.label == label) > 1
        return f"{label} ({series})" if shared else label
