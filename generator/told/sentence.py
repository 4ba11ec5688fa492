"""Sentences that quote data: their placeholders are filled with values, never with typed digits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal, TypeAlias

from generator.text import Text
from generator.values import Address

Style = Literal["plain", "percent", "times"]


@dataclass(frozen=True, slots=True)
class Quantity:
    """A value to print. ``style``, ``decimals`` and ``unit`` override how its metric is usually shown."""

    address: Address
    style: Style | None = None
    decimals: int | None = None
    unit: str | None = None
    bare: bool = False
    """Leave the unit out: it stands elsewhere, in a column head or behind a range."""


@dataclass(frozen=True, slots=True)
class SeriesName:
    """The name of a series, in its accent."""

    series: str


@dataclass(frozen=True, slots=True)
class LevelName:
    """The name of a level: ``C=32``, or its rate."""

    series: str
    level: str


@dataclass(frozen=True, slots=True)
class RoundName:
    """The id of a round, which stays in one line."""

    round: str


@dataclass(frozen=True, slots=True)
class Count:
    """A number of things on the page itself: levels, requests behind a percentile."""

    number: int


@dataclass(frozen=True, slots=True)
class Listing:
    """Several parts, joined as each language joins a list."""

    parts: tuple[Part, ...]


@dataclass(frozen=True, slots=True)
class SectionLink:
    """The name of another section, which leads there."""

    section: str
    words: Text


Part: TypeAlias = "Quantity | SeriesName | LevelName | RoundName | Count | Listing | SectionLink | Text | Sentence"
"""What can stand in a placeholder."""


@dataclass(frozen=True, slots=True)
class Sentence:
    """A phrase in both languages with ``{name}`` placeholders and what stands in them."""

    text: Text
    parts: Mapping[str, Part] = field(default_factory=dict)


def say(zh: str, en: str, **parts: Part) -> Sentence:
    """Return a sentence."""
    return Sentence(Text(zh=zh, en=en), parts)
