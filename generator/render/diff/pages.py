"""The pages of a site that hold rounds against each other: both ways round, in both languages, with their data."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from generator.catalogue import Catalogue
from generator.comparing.deciding import decide, level_metrics
from generator.comparing.held import Held, hold
from generator.comparing.neighbours import Neighbours
from generator.model import Round
from generator.render.diff.figures import figure_views, overlays
from generator.render.diff.json import diff_json
from generator.render.diff.printer import DiffPrinter
from generator.render.diff.rows import Side
from generator.render.diff.view import DiffView, Sides, printer_of
from generator.render.files.drawn import as_json, charts, figure_files
from generator.render.page import Location, Site, picture_of, render
from generator.render.preview.card import Card, picture
from generator.render.search.parts import pair_part, part_file
from generator.render.wording.numbers import Printer
from generator.store.names import pair_name
from generator.text import LANGS, Lang
from generator.told.figure_model import FigureModel

Files = dict[str, str | bytes]
DERIVATION: Final = re.compile(r'<li id="([^"]+)"')
"""The anchors on a round's page of derivations."""


@dataclass(frozen=True, slots=True)
class Traced:
    """Which numbers of the rounds have a derivation on the site: round -> their anchors."""

    anchors: Mapping[str, frozenset[str]]

    def way(self, side: Side, round_: Round) -> str | None:
        """Return the way from the page of a comparison to the derivation of a number; None where there is none."""
        if side.anchor is None or side.anchor not in self.anchors.get(round_.id, frozenset()):
            return None
        return f"../../rounds/{round_.id}/how.html#{side.anchor}"


def diff_files(
    site: Site,
    catalogue: Catalogue,
    pair: Neighbours,
    printers: Mapping[str, Printer],
    files: Mapping[str, str | bytes],
) -> Files:
    """Return the pages of a pair of rounds, both ways round, and what lies below them.

    Args:
        site: what all pages share.
        catalogue: what the rounds were analysed with.
        pair: which rounds, the earlier one first.
        printers: round -> what prints it.
        files: the pages of the rounds themselves, and that of histories, by their way on the site.

    Raises:
        InputError: a round names a primary metric that can decide nothing.
    """
    has_history = f"{LANGS[0]}/history.html" in files
    metrics, found = level_metrics(catalogue.graph.metrics.values()), Files()
    traced = Traced({one.round.id: _anchors(one.round.id, files) for one in (pair.base, pair.head)})
    for base, head in ((pair.base, pair.head), (pair.head, pair.base)):
        held = hold(base, head, metrics, earlier=pair.earlier)
        sides = (printers[base.round.id], printers[head.round.id])
        made = _files(site, catalogue, held, sides, traced, has_history=has_history)
        found |= {**made, **_parts(held, made, is_swapped=base is not pair.base)}
    return found


def refuse(catalogue: Catalogue, pair: Neighbours) -> None:
    """Refuse a pair of rounds that cannot be compared with each other as they ask for.

    Raises:
        InputError: a round names a metric or a series that is not there, or a primary metric that decides nothing.
    """
    decide(pair.base, pair.head, level_metrics(catalogue.graph.metrics.values()))


def _anchors(round_id: str, files: Mapping[str, str | bytes]) -> frozenset[str]:
    page = files.get(f"{LANGS[0]}/rounds/{round_id}/how.html", "")
    return frozenset(DERIVATION.findall(page if isinstance(page, str) else page.decode()))


def _files(site: Site, catalogue: Catalogue, held: Held, sides: Sides, traced: Traced, *, has_history: bool) -> Files:
    path = f"diff/{pair_name(held.base.round.id, held.head.round.id)}"
    where = {lang: Location(lang, f"{path}/index.html") for lang in LANGS}
    printers = {lang: printer_of(held, catalogue.graph, lang) for lang in LANGS}
    models = overlays(held, catalogue.graph)
    views = {
        lang: _view(held, printer, sides, models, f"{where[lang].root}data/{path}/")
        for lang, printer in printers.items()
    }
    drawn = figure_files(models, {lang: view.figures for lang, view in views.items()}, printers)
    described = as_json(diff_json(held, printers))
    below = {f"data/{path}/{name}": text for name, text in {"diff.json": described, **drawn}.items()}
    return {**below, **dict(_pages(site, where, views, traced, has_history=has_history))}


def _parts(held: Held, made: Mapping[str, str | bytes], *, is_swapped: bool) -> Files:
    """Return what the search knows of a comparison, in each language."""
    name = pair_name(held.base.round.id, held.head.round.id)
    pages = {lang: str(made[f"{lang}/diff/{name}/index.html"]) for lang in LANGS}
    standing = held.comparison.banner.standing
    return {
        part_file(f"diff/{name}", lang): pair_part(name, html, standing, is_swapped=is_swapped)
        for lang, html in pages.items()
    }


def _view(held: Held, printer: DiffPrinter, sides: Sides, models: Mapping[str, FigureModel], data: str) -> DiffView:
    base, head = (one.in_language(printer.lang) for one in sides)
    return DiffView(held, printer, (base, head), figure_views(models, printer, data), data)


def _pages(
    site: Site, where: Mapping[Lang, Location], views: Mapping[Lang, DiffView], traced: Traced, *, has_history: bool
) -> Iterator[tuple[str, str | bytes]]:
    for lang, view in views.items():
        sides, described = {"base": view.held.base.round, "head": view.held.head.round}, _described(view)
        page = render(
            site, "diff.html", where[lang], view=view, traced=traced, words=view.phrases,
            has_history=has_history, described=described, round=_simulated(*sides.values()),
            swapped=pair_name(sides["head"].id, sides["base"].id), **sides,
        )  # fmt: skip
        yield where[lang].in_language(lang), page
        yield where[lang].in_language(lang).removesuffix("index.html") + "charts.js", charts(view.figures, lang)
        if lang in site.pictures:
            yield picture_of(where[lang]), _picture(site, view, described)


def _described(view: DiffView) -> str:
    """Return what a comparison comes to, in a line: whether the rounds can be compared, and how many rows say what."""
    return " · ".join([view.standing, *(one.said[view.lang] for one in view.tallies)])


def _picture(site: Site, view: DiffView, described: str) -> bytes:
    pair = pair_name(view.held.base.round.id, view.held.head.round.id)
    drawing = next((figure.narrow_drawing for figure in view.figures.values()), None)
    return picture(Card(pair, view.phrases["title"], described, site.title[view.lang], drawing))


def _simulated(base: Round, head: Round) -> Round:
    """Return the round whose head of the page warns of simulated series: that which has any."""
    return base if any(one.table.kind == "reference" for one in base.series) else head
