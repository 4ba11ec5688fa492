"""How to read a report: a walk through one, from its verdict to its files."""

from __future__ import annotations

from generator.render.front.gathered import Files, Gathered, in_each_language, prose_of_site
from generator.render.page import render


def files(gathered: Gathered) -> Files:
    """Return the page in each language."""
    return {
        where.in_language(where.lang): render(
            gathered.site, "reading.html", where, prose=prose_of_site("reading", where.lang)
        )
        for where in in_each_language("reading.html")
    }
