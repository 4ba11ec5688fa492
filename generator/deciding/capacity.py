"""How much load each series is to be given, and where to switch between two."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from typing import Final, Literal

from generator.across.excluded import barrier
from generator.across.ladders import ladder
from generator.across.levels import amount
from generator.deciding.leads import Pair, leads, leads_at_other_lengths, spans
from generator.deciding.records import Span
from generator.deciding.rules import FAILURES
from generator.deciding.targets import Kept, declared, kept
from generator.deciding.yardsticks import BY_METRIC
from generator.frame import Analysis
from generator.model import Level, Series
from generator.values import Address

THROUGHPUT: Final = BY_METRIC["output_throughput"]
Ends = Literal["targets", "knee", "failures", "excluded", "measured"]
"""What ends the capacity: a target that is missed, throughput that is full, requests that fail, an excluded level, or the measurement."""


@dataclass(frozen=True, slots=True)
class Capacity:
    """The highest level that a series is to be given; None where not even the lowest one will do.

    ``barrier`` is the excluded level above it, where that is what ends the capacity.
    """

    series: Series
    level: Level | None
    ends: Ends
    barrier: Level | None = None


@dataclass(frozen=True, slots=True)
class Switch:
    """Where the better of two changes, by rising load: ``low`` is the last level of the one, ``high`` the first of the other.

    At both one is ahead by enough to choose by; ``even`` are the levels between them, at which either will do. Between
    ``low`` and ``high`` nothing is switched, so that a load that wavers there does not switch to and fro.
    """

    below: str
    above: str
    low: Level
    high: Level
    crossover: Address | None
    even: tuple[Level, ...] = ()


def capacity(analysis: Analysis, series: Series) -> Capacity:
    """Return how far a series is to be loaded: by the targets of the round, else to where its throughput is full.

    Never past an excluded level: more load gets to the levels beyond it only through the load at which it went wrong.
    """
    targets = declared(analysis)
    if targets and (found := kept(analysis, series, targets)).is_known:
        return _by_targets(series, found)
    levels, barred = ladder(analysis, series), barrier(analysis, series)
    knee = analysis.frame.of_series("knee_concurrency", series.id).value
    below = [level for level in levels if knee is None or level.kind == "rate" or level.load <= knee]
    open_ = [level for level in below if barred is None or level.load < barred.load]
    sound = _before_failures(analysis, series, open_)
    if len(sound) < len(open_):
        return Capacity(series, sound[-1] if sound else None, "failures")
    last = open_[-1] if open_ else None
    if len(open_) == len(below) < len(levels):
        return Capacity(series, last, "knee")
    return Capacity(series, last, "measured" if barred is None else "excluded", barred)


def _by_targets(series: Series, found: Kept) -> Capacity:
    if found.broken is not None:
        return Capacity(series, found.last, "targets")
    return Capacity(series, found.last, "measured" if found.barrier is None else "excluded", found.barrier)


def _before_failures(analysis: Analysis, series: Series, levels: list[Level]) -> list[Level]:
    """Return the levels before the first at which too many requests fail."""
    sound = []
    for level in levels:
        if (amount(analysis, "failure_ratio", (series, level)) or 0.0) > FAILURES:
            break
        sound.append(level)
    return sound


def without_failures(analysis: Analysis, found: Capacity) -> tuple[Level, ...]:
    """Return the levels up to a capacity of which it is not known how many requests fail: there, failures bound nothing."""
    series, last = found.series, found.level
    return tuple(
        level
        for level in ladder(analysis, series)
        if last is not None and level.load <= last.load and amount(analysis, "failure_ratio", (series, level)) is None
    )


def switches(analysis: Analysis, pair: Pair) -> list[Switch]:
    """Return where the higher throughput changes sides, by rising load."""
    found = [(span, lead) for span in _by_throughput(analysis, pair) for lead in span.leads]
    clear = [one for one in found if one[1].leader is not None and not one[1].is_close]
    return [
        Switch(
            before.ahead, after.ahead, before.level, after.level, span.end.crossover,
            even=tuple(lead.level for _, lead in found if before.level.load < lead.level.load < after.level.load),
        )
        for (span, before), (_, after) in pairwise(clear)
        if before.ahead != after.ahead
    ]  # fmt: skip


def even_levels(analysis: Analysis, pair: Pair) -> tuple[Level, ...]:
    """Return the common levels at which the throughputs of two series are too close to choose by."""
    return tuple(lead.level for span in _by_throughput(analysis, pair) for lead in span.leads if lead.is_close)


def leader_throughout(analysis: Analysis, pair: Pair) -> str | None:
    """Return who delivers more at every level that two series share; None where that changes, or is not known.

    Levels whose requests have other lengths count as well: a lead that turns with the length is none throughout.
    """
    found = _by_throughput(analysis, pair)
    if len(found) != 1:
        return None
    others = {lead.leader for lead in leads_at_other_lengths(analysis, pair, THROUGHPUT) if lead.counts}
    return found[0].leader if others <= {found[0].leader} else None


def is_settled(analysis: Analysis, pair: Pair) -> bool:
    """Say whether nothing leaves open which of two series has the higher throughput, over any of their loads."""
    return all(span.certainty != "open" for span in _by_throughput(analysis, pair))


def _by_throughput(analysis: Analysis, pair: Pair) -> list[Span]:
    return spans(analysis, pair, leads(analysis, pair, THROUGHPUT))
