"""The page that stands in for one that could not be made: others lead there, and have to find why it is not."""

from __future__ import annotations

from collections.abc import Iterable

from generator.errors import InputError
from generator.render.front.gathered import Files, Gathered, in_each_language
from generator.render.page import render


def standing_in(gathered: Gathered, pages: Iterable[str], why: InputError) -> Files:
    """Return a page in each language at the place of each of some that could not be made."""
    return {
        where.in_language(where.lang): render(gathered.site, "standing_in.html", where, why=why)
        for name in pages
        for where in in_each_language(name)
    }
