"""Where the strips of who leads stand below each other, for all drawings of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from generator.deciding.records import NEITHER
from generator.render.wording.numbers import Printer
from generator.text import Text
from generator.told.figure_model import Basis, LeadPlot, LeadStrip

NAME: Final = 18.0
BAR: Final = 20.0
GAP: Final = 8.0
SIGNS: Final[Mapping[Basis, Text]] = {
    "open": Text(zh="未定", en="open"),
    "extrapolated": Text(zh="外推", en="extrapolated"),
}
"""What stands in the legend of stretches that are hatched, and of those that are empty."""


@dataclass(frozen=True, slots=True)
class Placed:
    """The name of a strip, or of the series that the strips below are of; ``base`` is below the words, in pixels."""

    words: str
    base: float
    of: LeadStrip | str


def placed(plot: LeadPlot, printer: Printer) -> tuple[list[Placed], float]:
    """Return the strips below each other and how high they are together.

    Where there are several pairs, the series that is compared with the baseline stands above its strips.
    """
    several = len({strip.sides for strip in plot.strips}) > 1
    found: list[Placed] = []
    at, sides = 0.0, None
    for strip in plot.strips:
        if several and strip.sides != sides:
            at += NAME + GAP
            found.append(Placed(name_of(strip.sides[1], printer), at, strip.sides[1]))
            at += GAP / 2
        sides = strip.sides
        found.append(Placed(strip.name[printer.lang], at + NAME, strip))
        at += NAME + BAR + GAP
    return found, at


def strips_of(several: Iterable[Placed]) -> Iterator[tuple[LeadStrip, float]]:
    """Yield each strip with the upper edge of its bar."""
    yield from ((one.of, one.base) for one in several if isinstance(one.of, LeadStrip))


def leaders(plot: LeadPlot) -> Iterator[str | None]:
    """Yield each series that is ahead somewhere, in the order of the pairs; None last where neither is."""
    ahead = {reach.leader for strip in plot.strips for reach in strip.reaches}
    yield from (side for side in dict.fromkeys(side for strip in plot.strips for side in strip.sides) if side in ahead)
    if None in ahead:
        yield None


def unsettled(plot: LeadPlot) -> Iterator[Basis]:
    """Yield what stretches rest on that are not solid, as far as there are any."""
    there = {reach.basis for strip in plot.strips for reach in strip.reaches}
    yield from (basis for basis in SIGNS if basis in there)


def name_of(leader: str | None, printer: Printer) -> str:
    """Return what a leader is called."""
    return NEITHER[printer.lang] if leader is None else printer.analysis.round.label(leader)


def ends_of(plot: LeadPlot) -> list[float]:
    """Return where stretches begin and end."""
    return [end for strip in plot.strips for reach in strip.reaches for end in (reach.begin, reach.end)]
