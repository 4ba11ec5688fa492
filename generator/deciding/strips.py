"""Who is ahead where, as strips over the load: measured between neighbouring levels, hatched beyond them and over one left out."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby, pairwise
from operator import itemgetter
from typing import Final

from generator.deciding.leads import Pair, are_neighbours
from generator.deciding.records import Edge, Span, Yardstick
from generator.model import Level
from generator.told.blocks import Ranges, Reach
from generator.told.sentence import LevelName, SeriesName, say

BEYOND: Final = 2.0
"""How far below the lowest and above the highest level a strip goes on, as a factor."""
FEWEST: Final = 2
"""Levels that a strip needs."""


def strips(
    pair: Pair, levels: Sequence[Level], known: Mapping[Yardstick, Sequence[Span]], loads: Sequence[float]
) -> Ranges | None:
    """Return a strip for each quantity; None where there are too few levels for one.

    Args:
        pair: the two series.
        levels: the levels that they share, by rising load.
        known: the spans of each quantity that is known at some of them.
        loads: those of all levels, the ones that a check took out included.
    """
    if len(levels) < FEWEST:
        return None
    low, high = levels[0].load / BEYOND, levels[-1].load * BEYOND
    return Ranges(
        key=f"guide-ranges-{pair[1].id}",
        caption=say(
            zh="{a} 与 {b}：各个量上，什么负载由谁领先。画斜线的地方没有可用的测量：两端之外只是把两端的结果外推，中间是跨过了不计在内的档位。",
            en="{a} and {b}: who is ahead in each quantity at which load. Hatched parts have no usable measurement: at the ends they only "
            "extend the outermost result, in between they pass over a level that does not count.",
            a=SeriesName(pair[0].id),
            b=SeriesName(pair[1].id),
        ),
        strips=tuple((one.name, tuple(_reaches(spans, (low, high), loads))) for one, spans in known.items()),
        ticks=tuple((_place(level.load, low, high), LevelName(pair[1].id, level.id)) for level in levels),
    )


def _reaches(spans: Sequence[Span], ends: tuple[float, float], loads: Sequence[float]) -> list[Reach]:
    inside = [
        Reach(span.leader, _place(low, *ends), _place(high, *ends), is_measured=is_measured)
        for span in spans
        for low, high, is_measured in _stretches(span, loads)
    ]
    before = Reach(spans[0].leader, 0.0, _place(spans[0].begin.at, *ends), is_measured=False)
    after = Reach(spans[-1].leader, _place(spans[-1].end.at, *ends), 1.0, is_measured=False)
    return [before, *inside, after]


def _stretches(span: Span, loads: Sequence[float]) -> Iterator[tuple[float, float, bool]]:
    """Yield from where to where a span goes on alike, and whether no level is passed over there."""
    at = [lead.level.load for lead in span.leads]
    parts = [(span.begin.at, at[0], _is_clear(span.begin, loads))]
    parts += [(low, high, are_neighbours(low, high, loads)) for low, high in pairwise(at)]
    parts.append((at[-1], span.end.at, _is_clear(span.end, loads)))
    wide = (part for part in parts if part[0] < part[1])
    for is_measured, alike in groupby(wide, key=itemgetter(2)):
        joined = list(alike)
        yield joined[0][0], joined[-1][1], is_measured


def _is_clear(edge: Edge, loads: Sequence[float]) -> bool:
    return are_neighbours(edge.between[0].load, edge.between[-1].load, loads)


def _place(load: float, low: float, high: float) -> float:
    """Return where a load lies between two, on a log axis: 0 at the lower, 1 at the higher."""
    return math.log(load / low) / math.log(high / low)
