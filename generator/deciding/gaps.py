"""Loads between those that the scenarios choose by, and who leads there: a load that no rule asks for is not passed over."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.deciding.leads import common_levels
from generator.deciding.records import Criterion, Lead, Rule
from generator.deciding.rules import ANSWER, FIRST_TOKEN_TAIL, RULES, THROUGHPUT
from generator.deciding.weigh import candidates, in_flight, leads_of
from generator.frame import Analysis
from generator.model import Level, Series

TOLD: Final[tuple[Criterion, ...]] = (THROUGHPUT, FIRST_TOKEN_TAIL, ANSWER)
"""The quantities whose leads are told of a gap."""


@dataclass(frozen=True, slots=True)
class Gap:
    """Requests in flight, from ``low`` to ``high``, by which no scenario chooses.

    Attributes:
        levels: the levels there that all series have, by rising load.
        beside: where there are none, the nearest ones: below and above, as far as there are any.
        leads: who leads there, in each of the quantities that are told; a quantity that is not known has none.
    """

    low: int
    high: int
    levels: tuple[Level, ...]
    beside: tuple[Level, ...]
    leads: tuple[tuple[Lead, ...], ...]


def gaps(analysis: Analysis) -> tuple[Gap, ...]:
    """Return the gaps between the scenarios of a round, by rising load; none without two series to choose between."""
    among = candidates(analysis)
    if len(among) < 2:  # noqa: PLR2004  # two sides
        return ()
    loads = [(level, in_flight(analysis, among, level)) for level in common_levels(analysis, among)]
    known = [(level, load) for level, load in loads if load is not None]
    return tuple(_gap(analysis, among, (low, high), known) for low, high in between(RULES))


def between(rules: Iterable[Rule]) -> Iterator[tuple[int, int]]:
    """Yield the loads, from and to, that lie between the ranges of the rules that choose by the load."""
    reached = 0
    for rule in sorted((one for one in rules if one.decides.scale == "load"), key=lambda one: one.low):
        low = math.ceil(rule.low)
        if low > reached + 1:
            yield reached + 1, low - 1
        if math.isinf(rule.high):
            return
        reached = max(reached, math.floor(rule.high))


def _gap(
    analysis: Analysis, among: Sequence[Series], ends: tuple[int, int], known: Sequence[tuple[Level, float]]
) -> Gap:
    low, high = ends
    levels = tuple(level for level, load in known if low <= load <= high)
    under = [level for level, load in known if load < low][-1:]
    over = [level for level, load in known if load > high][:1]
    found = (leads_of(analysis, criterion, among, levels) for criterion in TOLD)
    return Gap(low, high, levels, () if levels else (*under, *over), tuple(tuple(one) for one in found if one))
