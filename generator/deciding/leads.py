"""Who is ahead of whom at each level that two series share, and over which loads."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise

from generator.across.ladders import rungs
from generator.across.levels import amount, numbers_of
from generator.deciding.bounds import by_doubts, by_findings, by_trials, is_close, too_close
from generator.deciding.records import Bound, Edge, Lead, Span, Yardstick, least_sure
from generator.deciding.yardsticks import YARDSTICKS
from generator.frame import Analysis, shared_levels
from generator.model import Level, Series
from generator.values import Address

Pair = tuple[Series, Series]
"""Two series that are compared with each other; where one of them is the baseline, it comes first."""
Known = dict[Yardstick, list[Span]]
"""The spans of each quantity that is known at some of the levels that two series share."""


def pairs_of(analysis: Analysis) -> list[Pair]:
    """Return the baseline with each series that is compared with it; none where the round names no baseline."""
    baseline = analysis.round.baseline
    return [(baseline, other) for other in analysis.round.compared] if baseline is not None else []


def common_levels(analysis: Analysis, series: Sequence[Series]) -> list[Level]:
    """Return the usable levels that all of some series have and that differ in the load alone, by rising load."""
    laid = rungs(_shared(analysis, series), numbers_of(analysis, series[0]))
    kind = analysis.round.load_kinds[0]
    return [level for level in laid if level.load and level.kind == kind]


def other_lengths(analysis: Analysis, series: Sequence[Series]) -> list[Level]:
    """Return the usable levels that all of some series have and that are not among those compared over the load."""
    compared, kind = common_levels(analysis, series), analysis.round.load_kinds[0]
    return [one for one in _shared(analysis, series) if one.load and one.kind == kind and one not in compared]


def loads_of(analysis: Analysis, pair: Pair) -> tuple[float, ...]:
    """Return the loads of the common levels and of those that a check took out on either side, from the lowest on."""
    kind = analysis.round.load_kinds[0]
    excluded = (level for side in pair for level in analysis.excluded(side.id) if level.load and level.kind == kind)
    return tuple(sorted({level.load for level in (*excluded, *common_levels(analysis, pair))}))


def are_neighbours(low: float, high: float, loads: Sequence[float]) -> bool:
    """Say whether no level lies between two loads: one that is there, and does not count, parts them."""
    return not any(low < load < high for load in loads)


def excluded_between(analysis: Analysis, pair: Pair, low: float, high: float) -> list[tuple[Series, Level]]:
    """Return the levels of two series that a check took out, from one load to another."""
    kind = analysis.round.load_kinds[0]
    return [
        (side, level)
        for side in pair
        for level in analysis.excluded(side.id)
        if level.kind == kind and low <= (level.load or 0.0) <= high
    ]


def lead_alike(before: Lead, after: Lead) -> bool:
    """Say whether the same one leads at two levels, surely enough at both to choose by."""
    return before.counts and after.counts and before.leader == after.leader


def is_settled_between(before: Lead, after: Lead, loads: Sequence[float]) -> bool:
    """Say whether one likely leads between two levels as well: nothing parts them, and the same one leads at both.

    What is drawn of a gap and what is told of it goes by this alone.
    """
    return lead_alike(before, after) and are_neighbours(before.level.load, after.level.load, loads)


def _shared(analysis: Analysis, series: Sequence[Series]) -> tuple[Level, ...]:
    first, *others = series
    levels = tuple(analysis.usable(first.id))
    for other in others:
        levels = shared_levels(levels, analysis.usable(other.id))
    return levels


def leads(analysis: Analysis, pair: Pair, yardstick: Yardstick) -> list[Lead]:
    """Return who leads at each common level at which a quantity is known on both sides."""
    return _leads_at(analysis, pair, yardstick, common_levels(analysis, pair))


def leads_at_other_lengths(analysis: Analysis, pair: Pair, yardstick: Yardstick) -> list[Lead]:
    """Return who leads at each shared level that is not among those compared over the load."""
    return _leads_at(analysis, pair, yardstick, other_lengths(analysis, pair))


def _leads_at(analysis: Analysis, pair: Pair, yardstick: Yardstick, levels: Sequence[Level]) -> list[Lead]:
    found = (lead_at(analysis, pair, yardstick, level) for level in levels)
    return [lead for lead in found if lead is not None]


def lead_at(analysis: Analysis, pair: Pair, yardstick: Yardstick, level: Level) -> Lead | None:
    """Return who leads at a level; None where the quantity is not known on both sides."""
    one, other = pair
    first, second = (amount(analysis, yardstick.metric, (side, level)) for side in pair)
    if first is None or second is None:
        return None
    leads_first = first <= second if yardstick.better == "lower" else first >= second
    ahead, behind = (one.id, other.id) if leads_first else (other.id, one.id)
    times = 1.0 if first == second else times_apart(first, second)
    close = is_close(analysis.round, yardstick.metric, times)
    bounds = tuple(bounds_at(analysis, pair, yardstick, level))
    bounds += (too_close(analysis.round, yardstick.metric),) if close else ()
    return Lead(yardstick, level, ahead, behind, times, least_sure(*(one.most for one in bounds)), bounds, close)


def times_apart(first: float, second: float) -> float | None:
    """Return the larger ÷ the smaller; None where one is zero."""
    low, high = sorted((first, second))
    return high / low if low > 0 else None


def bounds_at(analysis: Analysis, pair: Pair, yardstick: Yardstick, level: Level) -> list[Bound]:
    """Return what keeps a comparison of two series at a level from being sure, but for how close they are."""
    sides = [side.id for side in pair]
    addresses = [Address(yardstick.metric, "level", side, level.id) for side in sides]
    ratios = [Address(yardstick.ratio, "pair-level", side, level.id) for side in sides]
    values = [analysis.frame.values[address] for address in addresses]
    return [
        *by_findings(analysis, sides, level.id, is_latency=yardstick.is_latency),
        *by_doubts(analysis, (*addresses, *ratios)),
        *by_trials(*values),
    ]


def known_spans(analysis: Analysis, pair: Pair) -> Iterator[tuple[Yardstick, list[Span]]]:
    """Yield each quantity that is known at some of the common levels, with the loads over which either side leads."""
    for yardstick in YARDSTICKS:
        if found := spans(analysis, pair, leads(analysis, pair, yardstick)):
            yield yardstick, found


def spans(analysis: Analysis, pair: Pair, found: Sequence[Lead]) -> list[Span]:
    """Return over which loads each side leads, by rising load; a level at which both are equal goes with the one before."""
    groups = [tuple(group) for _, group in groupby(_settled(found), key=lambda one: one[0])]
    if not groups:
        return []
    edges = [_end(groups[0][0][1].level)]
    edges += [_edge(analysis, pair, before[-1][1], after[0][1]) for before, after in pairwise(groups)]
    edges.append(_end(groups[-1][-1][1].level))
    return [
        Span(group[0][0], begin, end, tuple(lead for _, lead in group))
        for group, (begin, end) in zip(groups, pairwise(edges), strict=True)
    ]


def _settled(found: Sequence[Lead]) -> list[tuple[str | None, Lead]]:
    """Return each lead under the side it counts for: where both are equal, the last that led, else the next that does."""
    current = next((lead.leader for lead in found if lead.leader is not None), None)
    settled = []
    for lead in found:
        current = lead.leader or current
        settled.append((current, lead))
    return settled


def _end(level: Level) -> Edge:
    return Edge(level.load, (level,))


def _edge(analysis: Analysis, pair: Pair, before: Lead, after: Lead) -> Edge:
    """Return where the lead changes hands between two neighbouring levels: by the crossover of the graph where it is there."""
    between = (before.level, after.level)
    crossing = analysis.frame.values.get(Address(before.yardstick.crossover, "pair", pair[1].id))
    if crossing is not None and crossing.value is not None:
        ends = tuple(one.address.level for one in crossing.inputs if one.address.metric == before.yardstick.ratio)
        if ends == (between[0].id, between[1].id):
            return Edge(crossing.value, between, crossing.address)
    return Edge(math.sqrt(between[0].load * between[1].load), between)
