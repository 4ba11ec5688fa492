"""Everything that belongs to the site as a whole: one entry a module of this folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from typing import Final, NamedTuple

from generator.errors import InputError
from generator.render.front import (
    articles,
    checks,
    feed,
    glossary,
    guide,
    home,
    lost,
    meanings,
    overview,
    pick,
    pictures,
    search,
    side_by_side,
    sitemap,
    style,
)
from generator.render.front.gathered import Files, Gathered, Whole
from generator.render.front.standing_in import standing_in

Made = Callable[[Gathered, Whole], Files]


class Part(NamedTuple):
    """What a module makes of all rounds and of the files so far.

    ``pages`` are those among it that others lead to: where they cannot be made, a page stands in for each, and the rest
    of the site is built. Without ``pages`` it is what every page loads, or what publishing rests on: there is no site
    without it.
    """

    make: Made
    pages: tuple[str, ...] = ()


def _of_rounds(make: Callable[[Gathered], Files]) -> Made:
    return lambda gathered, _: make(gathered)


PARTS: Final[tuple[Part, ...]] = (
    Part(_of_rounds(pick.files)),
    Part(_of_rounds(style.files)),
    Part(_of_rounds(home.files), ("index.html",)),
    Part(_of_rounds(guide.files), ("guide.html",)),
    Part(_of_rounds(checks.files), ("checks.html",)),
    Part(_of_rounds(meanings.files), ("meanings.html",)),
    Part(_of_rounds(feed.files)),
    Part(_of_rounds(lost.files)),
    Part(_of_rounds(overview.files)),
    Part(glossary.files, ("glossary.html",)),
    Part(articles.files, tuple(f"{name}.html" for name in articles.ARTICLES)),
    Part(side_by_side.files, ("side-by-side.html",)),
    Part(search.files, ("search.html", "contents.html")),
    Part(pictures.files),
    Part(sitemap.files),
)
"""In this order: each sees the files of the ones before."""


class Losses(NamedTuple):
    """How what cannot be made is noted: under its name, with the file that an error line names; and why it was not."""

    leaving_out: Callable[[str, str], AbstractContextManager[None]]
    why: Mapping[str, InputError]


def front_files(gathered: Gathered, whole: Whole, losses: Losses) -> Iterator[Files]:
    """Yield the files of each part; who takes them adds them to the whole before the next is made."""
    for part in PARTS:
        yield _made(part, gathered, whole, losses) if part.pages else part.make(gathered, whole)


def _made(part: Part, gathered: Gathered, whole: Whole, losses: Losses) -> Files:
    name, found = part.pages[0], Files()
    with losses.leaving_out(name, name):
        found = part.make(gathered, whole)
    return found or standing_in(gathered, part.pages, losses.why[name])
