"""The part of the search that a round, a pair of rounds or the site itself brings, as JSON.

It is made with the pages that it is read off and kept with them: a round that did not change is not read again.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import astuple, dataclass, replace
from typing import Final, Literal

from generator.comparing.records import Standing
from generator.model import Round
from generator.render.page import NOT_IN_HTML, REPLACEMENT
from generator.render.search.outline import BETWEEN, Place, outline
from generator.render.search.synonyms import Device
from generator.text import Lang

Mark = Literal["", Device, Standing]
UNTOLD: Final = frozenset({"how.html"})
"""Pages whose places no search leads to: every number of the reports leads to its derivation itself."""
FRONT: Final = "index.html"
Outlined = Callable[[str], Sequence[Place]]


@dataclass(frozen=True, slots=True)
class Page:
    """A page and its places, the first of them the page itself."""

    path: str
    """Below the folder of its part."""
    places: tuple[Place, ...]


@dataclass(frozen=True, slots=True)
class Part:
    """Pages in one folder that tell of one thing; all of them can be found by ``title`` and ``about``."""

    folder: str
    """Below that of the language; it ends in a slash, or is empty."""
    name: str
    """The id of the round, the name of the pair; none of the site itself."""
    title: str
    about: str
    pages: tuple[Page, ...]
    mark: Mark = ""
    """What a round ran on, as far as that is known; of a pair, how far the two can be compared."""


def part_file(folder: str, lang: Lang) -> str:
    """Return where a part lies on the site; ``folder`` is ``round-2``, or ``diff/round-1...round-2``."""
    return f"data/{folder}/search.{lang}.json"


def round_part(round_: Round, lang: Lang, files: Mapping[str, str | bytes]) -> str:
    """Return the part of a round; ``files`` are its pages in one language, by their way on the site."""
    title = _said(round_.title[lang])
    folder = f"rounds/{round_.id}/"
    pages = [_beside_title(page, title) for page in _pages(files, f"{lang}/{folder}", outline)]
    return _written(Part(folder, round_.id, title, _about(round_, lang), tuple(pages), _device(round_)))


def pair_part(name: str, html: str, standing: Standing, *, is_swapped: bool) -> str:
    """Return the part of a page that holds two rounds against each other; what the swapped one says is the same."""
    places = [place for place in outline(html) if place.kind != "t"][: 1 if is_swapped else None]
    return _written(Part(f"diff/{name}/", name, places[0].heading, "", (Page(FRONT, tuple(places)),), standing))


def site_part(lang: Lang, files: Mapping[str, str | bytes], outlined: Outlined = outline) -> Part:
    """Return the part of the site's own pages in one language, the home page first; ``outlined`` reads each of them."""
    own = {path: html for path, html in files.items() if path.startswith(f"{lang}/") and path.count("/") == 1}
    first = {home: own.pop(home) for home in (f"{lang}/index.html",) if home in own}
    return Part("", "", "", "", tuple(_pages({**first, **own}, f"{lang}/", outlined)))


def read_part(text: str | bytes) -> Part:
    """Return a part that ``round_part`` or ``pair_part`` wrote."""
    table = json.loads(text)
    pages = (Page(path, tuple(Place(*each) for each in places)) for path, places in table.pop("pages"))
    return Part(**table, pages=tuple(pages))


def _written(part: Part) -> str:
    pages = [[page.path, [_told(place) for place in page.places]] for page in part.pages]
    table: dict[str, object] = {
        "folder": part.folder,
        "name": part.name,
        "title": part.title,
        "about": part.about,
        "pages": pages,
    }
    if part.mark:
        table["mark"] = part.mark
    return json.dumps(table, ensure_ascii=False, separators=(",", ":")) + "\n"


def _told(place: Place) -> list[str]:
    """Return what is told of a place, without what is not at its end."""
    told = list(astuple(place))
    while told and not told[-1]:
        told.pop()
    return told


def _pages(files: Mapping[str, str | bytes], folder: str, outlined: Outlined) -> Iterable[Page]:
    for path, content in files.items():
        name = path.removeprefix(folder)
        if name.endswith(".html") and name not in UNTOLD:
            yield Page(name, tuple(outlined(content if isinstance(content, str) else content.decode())))


def _beside_title(page: Page, title: str) -> Page:
    """Return a page of a round without the round's title in its own, where it has another beside it."""
    first, *others = page.places
    own = first.heading.removeprefix(title + BETWEEN).removesuffix(f" {title}")
    return replace(page, places=(replace(first, heading=own), *others))


def _about(round_: Round, lang: Lang) -> str:
    """Return what the home page says of a round: its id, date, model, device and series."""
    table = round_.file
    told = [table.round.when, table.hardware.gpu.text() if table.hardware.gpu else None]
    known = [table.model.name, *(text[lang] for text in told if text), *(round_.label(one.id) for one in round_.series)]
    return BETWEEN.join(_said(one) for one in (round_.id, *known))


def _device(round_: Round) -> Device | Literal[""]:
    """Return what kind of device a round ran on; nothing where no machine is described."""
    if not round_.with_gpu:
        return "cpu" if round_.series else ""
    return "gpu" if any(machine.text("gpu.gpus.name") for machine in round_.machines.values()) else ""


def _said(text: str) -> str:
    """Return a text as pages say it."""
    return " ".join(NOT_IN_HTML.sub(REPLACEMENT, text).split())
