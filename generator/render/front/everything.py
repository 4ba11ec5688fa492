"""Everything that belongs to the site as a whole: one entry a module of this folder."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from generator.render.front import about, checks, guide, home, meanings, pick, side_by_side, style
from generator.render.front.gathered import Files, Gathered

FROM_ROUNDS: Final[tuple[Callable[[Gathered], Files], ...]] = (
    pick.files,
    style.files,
    home.files,
    side_by_side.files,
    guide.files,
    about.files,
    checks.files,
    meanings.files,
)
"""What is made of the rounds themselves."""


def front_files(gathered: Gathered) -> Files:
    """Return all of these files."""
    return {path: content for make in FROM_ROUNDS for path, content in make(gathered).items()}
