"""The page on method: where numbers come from, and what is done with them."""

from __future__ import annotations

from generator.render.front.gathered import Files, Gathered, in_each_language, prose_of_site
from generator.render.page import render


def files(gathered: Gathered) -> Files:
    """Return the page in each language."""
    return {
        where.in_language(where.lang): render(
            gathered.site, "about.html", where, prose=prose_of_site("about", where.lang)
        )
        for where in in_each_language("about.html")
    }
