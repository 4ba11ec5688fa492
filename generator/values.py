"""A number and all that is known of it: where it stands, where it came from, what it was computed from."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple

from generator.text import Text

Scope = Literal["round", "series", "level", "pair", "pair-level"]
Origin = Literal["measured", "reported", "transcribed", "declared", "assumed", "derived"]

STRENGTH: Final[tuple[Origin, ...]] = ("measured", "reported", "transcribed", "declared", "assumed")
"""Origins of inputs, strongest first; a derived value is as weak as its weakest input."""


class Source(NamedTuple):
    """Where a number was read: a file of the round's folder, and the place in it."""

    file: str
    place: str

    def __str__(self) -> str:
        """Return both as one phrase."""
        return f"{self.file}, {self.place}"


class Address(NamedTuple):
    """What a value is the value of. For pairs ``series`` is the compared one.

    ``trial`` is the number of a run of a level, or without a level that of a start of the series' engine.
    """

    metric: str
    scope: Scope
    series: str | None = None
    level: str | None = None
    basis: str | None = None
    trial: int | None = None


class Observation(NamedTuple):
    """A number as a file of the round gives it, in base units.

    ``decimals`` is how many the author typed, so that the page prints the number as it was published.
    ``priority`` orders several places of one metric: the lowest wins.
    """

    address: Address
    value: float
    origin: Origin
    source: Source
    decimals: int | None = None
    priority: int = 0


class Input(NamedTuple):
    """One value that a formula was evaluated on, under the name it has in the formula."""

    name: str
    address: Address


class Value(NamedTuple):
    """A number in base units, or None with the reason why it cannot be known.

    Attributes:
        origin: where it came from; None where nothing is known.
        rests_on: the weakest origin among all that it was computed from.
        formula: how it was computed from ``inputs``; None for a number that was read.
        n: how many trials, or starts of an engine, it is the median of; None elsewhere.
        low: the smallest of several trials; ``high`` the largest.
    """

    address: Address
    value: float | None
    reason: Text | None = None
    origin: Origin | None = None
    rests_on: Origin | None = None
    formula: str | None = None
    inputs: tuple[Input, ...] = ()
    source: Source | None = None
    decimals: int | None = None
    n: int | None = None
    low: float | None = None
    high: float | None = None


def weakest(origins: list[Origin]) -> Origin | None:
    """Return the weakest of several origins; None for none."""
    return max(origins, key=STRENGTH.index) if origins else None
