"""Who is ahead where, as strips over the load: what is told of the gaps between levels, drawn."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

from generator.deciding.leads import Pair, common_levels, is_settled_between, known_spans, loads_of, pairs_of
from generator.deciding.records import Span, Yardstick
from generator.frame import Analysis
from generator.told.figure_model import Basis, LeadStrip, Reach

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
    inside = [Reach(span.leader, low, high, basis) for span in found for low, high, basis in _stretches(span, loads)]
    before = Reach(found[0].leader, ends[0], found[0].begin.at, "extrapolated")
    after = Reach(found[-1].leader, found[-1].end.at, ends[1], "extrapolated")
    return LeadStrip(yardstick.name, yardstick.metric, (pair[0].id, pair[1].id), (before, *inside, after))


def _stretches(span: Span, loads: Sequence[float]) -> Iterator[tuple[float, float, Basis]]:
    """Yield from where to where a span goes on alike, and whether the levels on both sides settle that.

    They do not where the lead changes beside the span: where it does is interpolated.
    """
    first, last = span.leads[0].level.load, span.leads[-1].level.load
    parts: list[tuple[float, float, Basis]] = [(span.begin.at, first, "open")]
    parts += [
        (one.level.load, next_.level.load, "measured" if is_settled_between(one, next_, loads) else "open")
        for one, next_ in pairwise(span.leads)
    ]
    parts.append((last, span.end.at, "open"))
    wide = (part for part in parts if part[0] < part[1])
    for basis, alike in groupby(wide, key=itemgetter(2)):
        joined = list(alike)
        yield joined[0][0], joined[-1][1], basis
