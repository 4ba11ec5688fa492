"""Figures: one a file, each a neutral description of what is shown; here, which levels a line over the load connects."""

from __future__ import annotations

from typing import Final

from generator.frame import Analysis
from generator.levels import drawn_levels, left_undrawn, place_name, workloads
from generator.model import Level, Series
from generator.sentence import Listing, Sentence
from generator.text import Text


def on_axis(analysis: Analysis, series: Series) -> list[Level]:
    """Return the levels that the line of a series connects: of one kind of load, and of one workload.

    Of several workloads it is the one with most levels, the first of several.
    """
    levels = [level for level in drawn_levels(analysis, series) if _why_off(level) is None]
    return max(workloads(analysis, series, levels), key=len, default=[])


def left_off(analysis: Analysis) -> list[Sentence]:
    """Say which levels the lines do not connect, and why."""
    places = [(series, level) for series in analysis.round.series for level in drawn_levels(analysis, series)]
    connected = {(series.id, level.id) for series in analysis.round.series for level in on_axis(analysis, series)}
    reasons: dict[Text, list[Sentence]] = {}
    for series, level in places:
        if (series.id, level.id) not in connected:
            reasons.setdefault(_why_off(level) or OTHER_LENGTHS, []).append(place_name(series.id, level.id))
    left = [Sentence(why, {"levels": Listing(tuple(names))}) for why, names in reasons.items()]
    return [*left_undrawn(analysis), *left]


def _why_off(level: Level) -> Text | None:
    """Return why a level has no place on an axis of its kind of load; None where it has."""
    if level.concurrency is not None and level.rate is not None:
        return LIMITED_RATE
    return AT_ONCE if level.concurrency is None and level.rate is None else None


LIMITED_RATE: Final = Text(
    zh="没有画出 {levels}：请求按到达率发出，并发数只是上限。",
    en="Not drawn: {levels}, where requests arrive at a rate and the concurrency is only a limit.",
)
AT_ONCE: Final = Text(
    zh="没有画出 {levels}：全部请求同时发出，没有并发数。",
    en="Not drawn: {levels}, where all requests were sent at once, without a concurrency.",
)
OTHER_LENGTHS: Final = Text(
    zh="没有画出 {levels}：请求的长度与线上的档位不同。",
    en="Not drawn: {levels}, where requests have other lengths than at the levels on the line.",
)
