"""Figures: one a file, each a neutral description of what is shown; here, which levels a line over the load connects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from generator.frame import Analysis
from generator.levels import drawn_levels, left_undrawn, place_name, workloads
from generator.model import Level, Series
from generator.sentence import Listing, Sentence
from generator.text import Text


def on_axis(analysis: Analysis, series: Series) -> list[Level]:
    """Return the levels that the line of a series connects: of one kind of load, one limit, and one workload.

    Of several limits or workloads it is that with most levels, the first of several.
    """
    by_limit: dict[float | None, list[Level]] = {}
    for level in drawn_levels(analysis, series):
        if level.load:
            by_limit.setdefault(_limit(level), []).append(level)
    groups = [group for levels in by_limit.values() for group in workloads(analysis, series, levels)]
    return max(groups, key=len, default=[])


def _limit(level: Level) -> float | None:
    """Return the limit that stands beside a rate; None where there is none."""
    return level.concurrency if level.kind == "rate" else None


def left_off(analysis: Analysis) -> list[Sentence]:
    """Say which levels the lines do not connect, and why."""
    places = [(series, level) for series in analysis.round.series for level in drawn_levels(analysis, series)]
    connected = {series.id: on_axis(analysis, series) for series in analysis.round.series}
    reasons: dict[Text, list[Sentence]] = {}
    for series, level in places:
        if level not in connected[series.id]:
            reasons.setdefault(_why_off(level, connected[series.id]), []).append(place_name(series.id, level.id))
    left = [Sentence(why, {"levels": Listing(tuple(names))}) for why, names in reasons.items()]
    return [*left_undrawn(analysis), *left]


def _why_off(level: Level, connected: Sequence[Level]) -> Text:
    """Return why a level is not on the line that connects others."""
    if not level.load:
        return NO_LOAD
    return OTHER_LENGTHS if _limit(level) in {_limit(one) for one in connected} else OTHER_LIMIT


OTHER_LIMIT: Final = Text(
    zh="没有画出 {levels}：并发上限与线上的档位不同。",
    en="Not drawn: {levels}, where the limit on concurrency is not that of the levels on the line.",
)
NO_LOAD: Final = Text(
    zh="没有画出 {levels}：既没有并发数，也没有到达率。",
    en="Not drawn: {levels}, which have neither a concurrency nor an arrival rate.",
)
OTHER_LENGTHS: Final = Text(
    zh="没有画出 {levels}：请求的长度与线上的档位不同。",
    en="Not drawn: {levels}, where requests have other lengths than at the levels on the line.",
)
