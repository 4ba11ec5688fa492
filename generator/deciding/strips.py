"""Who is ahead where, as strips over the load: measured between the levels, hatched beyond them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Final

from generator.deciding.leads import Pair
from generator.deciding.records import Span, Yardstick
from generator.model import Level
from generator.told.blocks import Ranges, Reach
from generator.told.sentence import LevelName, SeriesName, say

BEYOND: Final = 2.0
"""How far below the lowest and above the highest level a strip goes on, as a factor."""
FEWEST: Final = 2
"""Levels that a strip needs."""


def strips(pair: Pair, levels: Sequence[Level], known: Mapping[Yardstick, Sequence[Span]]) -> Ranges | None:
    """Return a strip for each quantity; None where there are too few levels for one.

    Args:
        pair: the two series.
        levels: the levels that they share, by rising load.
        known: the spans of each quantity that is known at some of them.
    """
    if len(levels) < FEWEST:
        return None
    low, high = levels[0].load / BEYOND, levels[-1].load * BEYOND
    return Ranges(
        key=f"guide-ranges-{pair[1].id}",
        caption=say(
            zh="{a} 与 {b}：各个量上，什么负载由谁领先；画斜线的地方没有测过，只是两端的结果照样延伸。",
            en="{a} and {b}: who is ahead in each quantity at which load. Hatched parts were not measured; they only extend the "
            "outermost result.",
            a=SeriesName(pair[0].id),
            b=SeriesName(pair[1].id),
        ),
        strips=tuple((one.name, tuple(_reaches(spans, low, high))) for one, spans in known.items()),
        ticks=tuple((_place(level.load, low, high), LevelName(pair[1].id, level.id)) for level in levels),
    )


def _reaches(spans: Sequence[Span], low: float, high: float) -> list[Reach]:
    first, last = spans[0], spans[-1]
    inside = [
        Reach(span.leader, _place(span.begin.at, low, high), _place(span.end.at, low, high), is_measured=True)
        for span in spans
    ]
    before = Reach(first.leader, 0.0, inside[0].begin, is_measured=False)
    after = Reach(last.leader, inside[-1].end, 1.0, is_measured=False)
    return [before, *inside, after]


def _place(load: float, low: float, high: float) -> float:
    """Return where a load lies between two, on a log axis: 0 at the lower, 1 at the higher."""
    return math.log(load / low) / math.log(high / low)
