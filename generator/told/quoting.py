"""Short ways to quote a value of a round in a sentence, a table or a ledger; and sentences in a row."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, TypedDict, Unpack

from generator.text import Text, same
from generator.told.sentence import LevelName, Listing, Part, Quantity, Sentence, SeriesName, Style
from generator.values import Address

LONGEST: Final = 60
"""Characters of a text of a file that a sentence quotes."""


class How(TypedDict, total=False):
    """How a quantity is printed where its metric's usual way does not fit (see Quantity)."""

    style: Style
    decimals: int
    unit: str
    bare: bool


def round_value(metric: str, basis: str | None = None, **how: Unpack[How]) -> Quantity:
    """Quote a value of the whole round."""
    return Quantity(Address(metric, "round", basis=basis), **how)


def series_value(metric: str, series: str, basis: str | None = None, **how: Unpack[How]) -> Quantity:
    """Quote a value of a series."""
    return Quantity(Address(metric, "series", series, basis=basis), **how)


def level_value(metric: str, series: str, level: str, basis: str | None = None, **how: Unpack[How]) -> Quantity:
    """Quote a value of a level."""
    return Quantity(Address(metric, "level", series, level, basis), **how)


def pair_value(metric: str, compared: str, basis: str | None = None, **how: Unpack[How]) -> Quantity:
    """Quote a value of a series against the baseline."""
    return Quantity(Address(metric, "pair", compared, basis=basis), **how)


def pair_level_value(metric: str, compared: str, level: str, **how: Unpack[How]) -> Quantity:
    """Quote a value of a series against the baseline at one level."""
    return Quantity(Address(metric, "pair-level", compared, level), **how)


def crossing(address: Address) -> Quantity:
    """Quote a load at which two curves meet: it is interpolated, so a tenth is all that it bears, on every page."""
    return Quantity(address, decimals=1)


def crossing_of(metric: str, compared: str) -> Quantity:
    """Quote where a series and the baseline meet."""
    return crossing(Address(metric, "pair", compared))


def passage(*sentences: Sentence) -> Sentence:
    """Return sentences one behind the other; English, unlike Chinese, has a space between them."""
    return joined(sentences, Text(zh="", en=" "))


CLAUSES: Final = Text(zh="；", en="; ")
"""Parts clauses that hold commas or lists themselves."""


def joined(sentences: Iterable[Sentence], between: Text = CLAUSES) -> Sentence:
    """Return sentences, or clauses, with something between them in each language."""
    named = {f"s{number}": sentence for number, sentence in enumerate(sentences)}
    slots = [f"{{{name}}}" for name in named]
    return Sentence(Text(zh=between.zh.join(slots), en=between.en.join(slots)), named)


def filled(text: Text, parts: Mapping[str, Part]) -> Sentence:
    """Return a sentence of a text and those of some parts that it names."""
    return Sentence(text, {name: part for name, part in parts.items() if f"{{{name}}}" in text.en})


MOST_OF_ALL: Final = Text(zh="最多的是 {level}，{told}", en="most of all at {level}, {told}")
FURTHEST_OFF: Final = Text(zh="差得最多的是 {level}，{told}", en="furthest off at {level}, {told}")


def worst_of(told: Sentence, text: Text, level: LevelName, *, one_of_several: bool) -> Sentence:
    """Return what is told of the worst level; of several, with its name, for which ``text`` has ``{level}``."""
    return Sentence(text, {"level": level, "told": told}) if one_of_several else told


def series_names(series: Iterable[str]) -> Listing:
    """Return the names of several series."""
    return Listing(tuple(SeriesName(one) for one in series))


def listed_levels(series: str, levels: Iterable[str]) -> Listing:
    """Return the names of levels of a series, by their ids, one behind the other."""
    return Listing(tuple(LevelName(series, level) for level in levels))


def clipped(text: str) -> Text:
    """Return a text of a file as a sentence quotes it, cut where it is too long."""
    return same(text if len(text) <= LONGEST else f"{text[:LONGEST]}…")
