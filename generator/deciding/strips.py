"""Who is ahead where, as strips over the load: measured between neighbouring levels that agree, not beyond them or over one left out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

from generator.deciding.leads import Pair, are_neighbours, common_levels, known_spans, loads_of, pairs_of
from generator.deciding.records import Span, Yardstick
from generator.frame import Analysis
from generator.told.figure_model import LeadStrip, Reach

BEYOND: Final = 2.0
"""How far below the lowest and above the highest level a strip goes on, as a factor."""
FEWEST: Final = 2
"""Levels that a strip needs."""


def lead_strips(analysis: Analysis) -> tuple[LeadStrip, ...]:
    """Return the strips of all pairs, those of a pair together: one for each quantity that is known at some level."""
    return tuple(strip for pair in pairs_of(analysis) for strip in _of_pair(analysis, pair))


def _of_pair(analysis: Analysis, pair: Pair) -> Iterator[LeadStrip]:
    levels = common_levels(analysis, pair)
    if len(levels) < FEWEST:
        return
    ends = levels[0].load / BEYOND, levels[-1].load * BEYOND
    loads = loads_of(analysis, pair)
    yield from (strip(pair, one, found, ends, loads) for one, found in known_spans(analysis, pair))


def strip(
    pair: Pair, yardstick: Yardstick, found: Sequence[Span], ends: tuple[float, float], loads: Sequence[float]
) -> LeadStrip:
    """Return the strip of a quantity.

    Args:
        pair: the two series.
        yardstick: the quantity.
        found: its spans.
        ends: from which load to which the strip goes.
        loads: those of all levels, the ones that a check took out included.
    """
    inside = [
        Reach(span.leader, low, high, is_measured)
        for span in found
        for low, high, is_measured in _stretches(span, loads)
    ]
    before = Reach(found[0].leader, ends[0], found[0].begin.at, is_measured=False)
    after = Reach(found[-1].leader, found[-1].end.at, ends[1], is_measured=False)
    return LeadStrip(yardstick.name, yardstick.metric, (pair[0].id, pair[1].id), (before, *inside, after))


def _stretches(span: Span, loads: Sequence[float]) -> Iterator[tuple[float, float, bool]]:
    """Yield from where to where a span goes on alike, and whether the levels on both sides say so.

    They do not where one between them does not count, nor where the lead changes: where it does is interpolated.
    """
    at = [lead.level.load for lead in span.leads]
    parts = [(span.begin.at, at[0], False)]
    parts += [(low, high, are_neighbours(low, high, loads)) for low, high in pairwise(at)]
    parts.append((at[-1], span.end.at, False))
    wide = (part for part in parts if part[0] < part[1])
    for is_measured, alike in groupby(wide, key=itemgetter(2)):
        joined = list(alike)
        yield joined[0][0], joined[-1][1], is_measured
