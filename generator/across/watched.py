"""Where something was sampled or counted beside the runs: at levels, or else over a series as a whole."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from generator.across.levels import at_total, number_at, place_name, worst_level
from generator.frame import Analysis
from generator.model import Level, Series
from generator.told.quoting import MOST_OF_ALL
from generator.told.sentence import LevelName, Listing, Quantity, Sentence, SeriesName, say
from generator.values import Address

OF_SERIES: Final = "_of_series"
"""What the name of a metric over all samples of a series ends in."""


@dataclass(frozen=True, slots=True)
class Spot:
    """A level of a series, or all of it where ``level`` is None."""

    series: Series
    level: Level | None = None

    def at(self, metric: str) -> Address:
        """Return where a number of it stands, by the name that the number has at a level."""
        if self.level is None:
            return Address(f"{metric}{OF_SERIES}", "series", self.series.id)
        return Address(metric, "level", self.series.id, self.level.id)

    def counted(self, what: str) -> Address:
        """Return where a count of the client's stands: of the level, or in all runs of the series."""
        return at_total(what, self.series.id) if self.level is None else self.at(what)

    def value(self, metric: str) -> Quantity:
        """Quote a number of it."""
        return Quantity(self.at(metric))


def amount_at(analysis: Analysis, spot: Spot, metric: str) -> float | None:
    """Return a number in base units; None where it is unknown, or where a table has no such number as runs have."""
    return number_at(analysis, spot.at(metric))


def spots_of(analysis: Analysis, series: Series, *metrics: str) -> list[Spot]:
    """Return the levels of a series at which any of some numbers is known; where at none, the series if it has one."""
    levels = [Spot(series, level) for level in series.levels]
    known = [spot for spot in levels if _any_known(analysis, spot, metrics)]
    whole = Spot(series)
    return known or ([whole] if _any_known(analysis, whole, metrics) else [])


def _any_known(analysis: Analysis, spot: Spot, metrics: Iterable[str]) -> bool:
    return any(amount_at(analysis, spot, metric) is not None for metric in metrics)


def most(analysis: Analysis, spots: Sequence[Spot], metric: str) -> Spot:
    """Return the one with the largest number, the first of several."""
    return max(spots, key=lambda spot: amount_at(analysis, spot, metric) or 0.0)


def where(spots: Sequence[Spot]) -> Sentence:
    """Return where something was seen, to stand behind 在 in Chinese and alone in English."""
    levels = tuple(LevelName(spot.series.id, spot.level.id) for spot in spots if spot.level is not None)
    if not levels:
        return say(zh="整个系列里", en="over the whole series")
    return say(zh=" {levels} ", en="at {levels}", levels=Listing(levels))


def levels_of(spots: Iterable[Spot]) -> tuple[str, ...]:
    """Return the ids of the levels among them."""
    return tuple(spot.level.id for spot in spots if spot.level is not None)


def evidence(spots: Iterable[Spot], *metrics: str) -> tuple[Address, ...]:
    """Return where numbers of all of them stand."""
    return tuple(spot.at(metric) for spot in spots for metric in metrics)


def of_worst(spots: Sequence[Spot], worst: Spot, told: Sentence) -> Sentence:
    """Return what is told of the worst of some; its name is said where it is one of several levels."""
    return told if worst.level is None else worst_level(told, MOST_OF_ALL, worst.series, worst.level, spots)


def place(spot: Spot) -> Sentence:
    """Return the name of a series together with that of the level."""
    if spot.level is None:
        return say(zh="整个 {s} 系列", en="{s}, over the whole series", s=SeriesName(spot.series.id))
    return place_name(spot.series.id, spot.level.id)
