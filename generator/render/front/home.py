"""The home page: what this is, and every round."""

from __future__ import annotations

from generator.render.front.gathered import Files, Gathered, in_each_language, prose_of_site
from generator.render.page import Location, render
from generator.render.views.finding_groups import tallies


def files(gathered: Gathered) -> Files:
    """Return the page in each language."""
    return {where.in_language(where.lang): _page(gathered, where) for where in in_each_language("index.html")}


def _page(gathered: Gathered, where: Location) -> str:
    return render(
        gathered.site, "index.html", where, analyses=gathered.analyses, unreadable=gathered.unreadable,
        intro=prose_of_site("index", where.lang), tallies=tallies, against=gathered.against,
    )  # fmt: skip
