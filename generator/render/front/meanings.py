"""The page of what other tools mean by the names of quantities."""

from __future__ import annotations

from generator.render.front.gathered import Files, Gathered, in_each_language
from generator.render.page import render
from generator.render.views.meanings import meanings_view


def files(gathered: Gathered) -> Files:
    """Return the page in each language."""
    importers, graph = gathered.catalogue.importers, gathered.catalogue.graph
    return {
        where.in_language(where.lang): render(
            gathered.site, "meanings.html", where, view=meanings_view(importers, graph, where.lang)
        )
        for where in in_each_language("meanings.html")
    }
