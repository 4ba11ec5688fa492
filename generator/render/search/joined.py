"""All parts of the search in one, as the page's script reads it: what is said twice stands there once."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from generator.render.search.outline import Kind, Place
from generator.render.search.parts import Part

One = TypeVar("One", bound=Hashable)
Printed = Mapping[str, Sequence[str]]
"""Metric -> the places that print it, as ``page#anchor``."""
KINDS: Final[tuple[Kind, ...]] = ("", "f", "t")
DIGITS: Final = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
HALF: Final = len(DIGITS) // 2
"""Digits of the lower half end a number, those of the upper half go on."""


@dataclass(slots=True)
class Numbered(Generic[One]):
    """Different things, each with the number under which it is kept, in the order in which they came."""

    numbers: dict[One, int] = field(default_factory=dict)

    def of(self, thing: One) -> int:
        """Return the number of a thing."""
        return self.numbers.setdefault(thing, len(self.numbers))


def joined(parts: Sequence[Part], printed: Mapping[str, Printed]) -> dict[str, object]:
    """Return the parts as tables of numbers, most of them packed (``packed``).

    ``strings`` has each text once, a line each, the empty one first. ``places`` has five numbers a place: of its kind
    (0 for a page or a section, 1 for a figure, 2 for a table), and in ``strings`` of its anchor, heading, text and
    names, counted from 1; 0 is the next text that nothing before it has. ``loads`` has the number of each place that
    tells of some and what it says of them, ``metricOf`` that of each word and the metric that it becomes. ``parts``
    has for each its folder, its name, the numbers of its title and of what it is about, its pages, where it prints
    metrics, and its mark where it has one. A page is the number of its path in ``paths`` and its places, as runs of
    numbers: the first and how many. ``metrics`` has each key once, ``printing`` what places print, as numbers of
    metrics; a part has how far on the next place is that prints some, and the number of that.

    Args:
        parts: in the order in which places come that fit alike.
        printed: where rounds print their metrics, by their ids.
    """
    strings, paths, places, metrics = Numbered[str](), Numbered[str](), Numbered[Place](), Numbered[str]()
    sets = Numbered[tuple[int, ...]]()
    strings.of("")  # which most places have somewhere: its number is the shortest
    told = [
        [
            part.folder, part.name, strings.of(part.title), strings.of(part.about),
            [packed([paths.of(page.path), *runs(places.of(place) for place in page.places)]) for page in part.pages],
            packed(_printing(part, printed.get(part.name, {}), metrics, sets)), *filter(None, [part.mark]),
        ]
        for part in parts
    ]  # fmt: skip
    rows = [number for place in places.numbers for number in _row(place, strings)]
    return {
        "strings": "\n".join(strings.numbers),
        "paths": list(paths.numbers),
        "places": packed(rows),
        "loads": [one for place, number in places.numbers.items() if place.loads for one in (number, place.loads)],
        "metricOf": [one for place, number in places.numbers.items() if place.number for one in (number, place.number)],
        "parts": told,
        "metrics": list(metrics.numbers),
        "printing": list(sets.numbers),
    }


def packed(numbers: Iterable[int]) -> str:
    """Return numbers as text, the digits of each from the lowest on: most take half of what they take in JSON."""
    return "".join(_digits(number) for number in numbers)


def _digits(number: int) -> str:
    told = ""
    while number >= HALF:
        number, digit = divmod(number, HALF)
        told += DIGITS[HALF + digit]
    return told + DIGITS[number]


def runs(numbers: Iterable[int]) -> Iterator[int]:
    """Yield numbers as runs of such as follow each other: the first of each, and how many."""
    first, length = 0, 0
    for number in numbers:
        if length and number == first + length:
            length += 1
            continue
        if length:
            yield from (first, length)
        first, length = number, 1
    if length:
        yield from (first, length)


def _printing(part: Part, printed: Printed, metrics: Numbered[str], sets: Numbered[tuple[int, ...]]) -> Iterator[int]:
    """Yield where a part prints metrics: how far on from the place before, and the number of what is printed there."""
    by_place: dict[str, list[int]] = {}
    for metric, ways in printed.items():
        for way in ways:
            by_place.setdefault(way, []).append(metrics.of(metric))
    ways_of_places = (f"{page.path}#{place.anchor}" for page in part.pages for place in page.places)
    before = 0
    for number, way in enumerate(ways_of_places):
        if way in by_place:
            yield from (number - before, sets.of(tuple(by_place[way])))
            before = number


def _row(place: Place, strings: Numbered[str]) -> list[int]:
    texts = (place.anchor, place.heading, place.text, place.names)
    return [KINDS.index(place.kind), *(_way_to(text, strings) for text in texts)]


def _way_to(text: str, strings: Numbered[str]) -> int:
    """Return 0 for a text that was not said yet, which is the next of all; else its number and one."""
    known = len(strings.numbers)
    number = strings.of(text)
    return 0 if number == known else number + 1
