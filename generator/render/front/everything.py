"""Everything that belongs to the site as a whole: one entry a module of this folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from generator.render.front import (
    articles,
    checks,
    feed,
    glossary,
    guide,
    home,
    lost,
    meanings,
    overview,
    pick,
    pictures,
    search,
    side_by_side,
    sitemap,
    style,
)
from generator.render.front.gathered import Files, Gathered, Whole

FROM_ROUNDS: Final[tuple[Callable[[Gathered], Files], ...]] = (
    pick.files,
    style.files,
    home.files,
    guide.files,
    checks.files,
    meanings.files,
    feed.files,
    lost.files,
    overview.files,
)
"""What is made of the rounds themselves."""

FROM_FILES: Final[tuple[Callable[[Gathered, Whole], Files], ...]] = (
    glossary.files,
    articles.files,
    side_by_side.files,
    search.files,
    pictures.files,
    sitemap.files,
)
"""What is made of all files so far, in this order: each sees those of the one before."""


def front_files(gathered: Gathered) -> Files:
    """Return all that is made of the rounds themselves."""
    return {path: content for make in FROM_ROUNDS for path, content in make(gathered).items()}
