"""The page of all self-checks, and what each said of every round."""

from __future__ import annotations

from generator.render.front.gathered import Files, Gathered, in_each_language
from generator.render.page import Location, render
from generator.render.views.checks import Rounds, check_views
from generator.render.views.looked_at import LookedAt, looked_at


def files(gathered: Gathered) -> Files:
    """Return the page in each language."""
    catalogue = gathered.catalogue
    looked = looked_at(catalogue.checks, gathered.analyses, (key for key, _ in catalogue.graph.metrics))
    return {where.in_language(where.lang): _page(gathered, looked, where) for where in in_each_language("checks.html")}


def _page(gathered: Gathered, looked: LookedAt, where: Location) -> str:
    rounds = Rounds(gathered.analyses, gathered.catalogue.graph)
    stages = check_views(gathered.catalogue.checks, rounds, looked, where.lang)
    return render(gathered.site, "all_checks.html", where, stages=stages)
