"""The page of all self-checks, and what each said of every round."""

from __future__ import annotations

from generator.render.front.gathered import Files, Gathered, in_each_language
from generator.render.page import render
from generator.render.views.checks import check_views


def files(gathered: Gathered) -> Files:
    """Return the page in each language."""
    return {
        where.in_language(where.lang): render(
            gathered.site, "all_checks.html", where,
            stages=check_views(gathered.catalogue.checks, gathered.analyses, where.lang),
        )
        for where in in_each_language("checks.html")
    }  # fmt: skip
