"""All parts of the search in one, as the page's script reads it: what is said twice stands there once."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from generator.render.search.outline import Kind, Place
from generator.render.search.parts import Page, Part

One = TypeVar("One", bound=Hashable)
KINDS: Final[tuple[Kind, ...]] = ("", "f", "t")


@dataclass(slots=True)
class Numbered(Generic[One]):
    """Different things, each with the number under which it is kept, in the order in which they came."""

    numbers: dict[One, int] = field(default_factory=dict)

    def of(self, thing: One) -> int:
        """Return the number of a thing."""
        return self.numbers.setdefault(thing, len(self.numbers))


def joined(parts: Sequence[Part]) -> dict[str, object]:
    """Return the parts as tables of numbers.

    ``strings`` has each text once. ``places`` has five numbers a place: of its kind (0 for a page or a section, 1 for
    a figure, 2 for a table), and in ``strings`` of its anchor, heading, text and names. ``parts`` has for each its
    folder, its name, the numbers of its title and of what it is about, and its pages: path and numbers of the places.
    """
    strings, places = Numbered[str](), Numbered[Place]()
    told = [_part(part, strings, places) for part in parts]
    rows = [number for place in places.numbers for number in _row(place, strings)]
    return {"strings": list(strings.numbers), "places": rows, "parts": told}


def _part(part: Part, strings: Numbered[str], places: Numbered[Place]) -> list[object]:
    pages = [_page(page, places) for page in part.pages]
    return [part.folder, part.name, strings.of(part.title), strings.of(part.about), pages]


def _page(page: Page, places: Numbered[Place]) -> list[object]:
    return [page.path, *(places.of(place) for place in page.places)]


def _row(place: Place, strings: Numbered[str]) -> list[int]:
    return [KINDS.index(place.kind), *map(strings.of, (place.anchor, place.heading, place.text, place.names))]
