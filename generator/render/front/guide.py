"""The selection guide over all rounds."""

from __future__ import annotations

from generator.render.front.gathered import Files, Gathered, in_each_language
from generator.render.page import render
from generator.render.views.site_guide import advised, site_guide


def files(gathered: Gathered) -> Files:
    """Return the page in each language."""
    graph, rounds = gathered.catalogue.graph, advised(gathered.analyses)
    return {
        where.in_language(where.lang): render(
            gathered.site, "guide.html", where, guide=site_guide(rounds, graph, where.lang)
        )
        for where in in_each_language("guide.html")
    }
