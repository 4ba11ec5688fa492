"""Latency targets: which are set, by which percentile they are held, and up to which load a series keeps them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.excluded import barrier
from generator.across.ladders import ladder
from generator.across.levels import amount
from generator.frame import Analysis
from generator.model import Level, Series
from generator.text import Text, same
from generator.units import to_base

TAILS: Final = ("p95", "p99", "p90")
"""By which percentile of the requests a target is held: the first that is known."""
USUAL: Final = (("ttft", (0.2, 0.5, 1.0, 2.0, 5.0)), ("itl", (0.02, 0.05, 0.1, 0.2)))
"""Targets in seconds that are tried where a round sets none."""


@dataclass(frozen=True, slots=True)
class Target:
    """A latency that requests are to keep, in seconds."""

    quantity: str
    limit: float

    @property
    def name(self) -> Text:
        """Return what readers call the quantity."""
        return same(self.quantity.upper())


@dataclass(frozen=True, slots=True)
class Kept:
    """Up to which level a series keeps some targets.

    Attributes:
        last: the highest level that keeps them, with all below it; None where the lowest does not.
        broken: the first level that does not, with the metric that is above its target; None where none is met.
        barrier: the excluded level above the last, where that is what ends it: what lies beyond is not looked at.
        is_known: whether the targets can be compared with the levels at all.
    """

    last: Level | None
    broken: tuple[Level, str] | None
    is_known: bool = True
    barrier: Level | None = None


def declared(analysis: Analysis) -> tuple[Target, ...]:
    """Return the targets that the round sets."""
    limits = analysis.round.file.workload.targets_ms
    return tuple(Target(key, to_base(limit, "ms")) for key, limit in limits.items())


def tail_of(analysis: Analysis, quantity: str, series: Series, levels: Iterable[Level]) -> str | None:
    """Return the metric by which a target is held at all of some levels; None where no percentile is there at each."""
    places = [(series, level) for level in levels]
    quantities = (quantity, "itl") if quantity == "tpot" else (quantity,)
    keys = (f"{one}_{tail}" for one in quantities for tail in TAILS)
    return next((key for key in keys if places and all(amount(analysis, key, at) is not None for at in places)), None)


def kept(analysis: Analysis, series: Series, targets: Sequence[Target]) -> Kept:
    """Return up to which level of its ladder a series keeps all of some targets."""
    levels, barred = ladder(analysis, series), barrier(analysis, series)
    tails = [(tail_of(analysis, target.quantity, series, levels), target.limit) for target in targets]
    last: Level | None = None
    if not levels or any(key is None for key, _ in tails):
        return Kept(None, None, is_known=False)
    for level in (one for one in levels if barred is None or one.load < barred.load):
        for key, limit in tails:
            if key is not None and (amount(analysis, key, (series, level)) or 0.0) > limit:
                return Kept(last, (level, key))
        last = level
    return Kept(last, None, barrier=barred)
