"""The page that lays any two rounds side by side."""

from __future__ import annotations

from generator.render.front.gathered import Files, Gathered, in_each_language
from generator.render.page import Location, render
from generator.render.views.side_by_side import side_by_side


def files(gathered: Gathered) -> Files:
    """Return the page in each language."""
    return {where.in_language(where.lang): _page(gathered, where) for where in in_each_language("side-by-side.html")}


def _page(gathered: Gathered, where: Location) -> str:
    rounds = [gathered.summaries[one.round.id] for one in gathered.analyses]
    built = [(gathered.against[one.id].base.round.id, one.id) for one in rounds if one.id in gathered.against]
    view = side_by_side(rounds, built, gathered.catalogue.graph, where.lang)
    return render(gathered.site, "side_by_side.html", where, beside=view, words=view.words)
