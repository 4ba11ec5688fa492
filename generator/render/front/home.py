"""The home page: what this is, and what each round found."""

from __future__ import annotations

from generator.render.front.gathered import Files, Gathered, in_each_language, prose_of_site
from generator.render.page import Location, render
from generator.render.views.home import home


def files(gathered: Gathered) -> Files:
    """Return the page in each language."""
    return {where.in_language(where.lang): _page(gathered, where) for where in in_each_language("index.html")}


def _page(gathered: Gathered, where: Location) -> str:
    found = [gathered.summaries[one.round.id] for one in gathered.analyses]
    against = {head: pair.base.round.id for head, pair in gathered.against.items()}
    return render(
        gathered.site, "index.html", where, home=home(found, against, where.lang), unreadable=gathered.unreadable,
        intro=prose_of_site("index", where.lang),
    )  # fmt: skip
