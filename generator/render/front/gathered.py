"""What the pages of the site as a whole are made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from generator.catalogue import Catalogue
from generator.comparing.neighbours import Neighbours
from generator.errors import InputError
from generator.frame import Analysis
from generator.render.files.summary import Summary
from generator.render.kept.keeping import Keeper
from generator.render.page import Location, Site
from generator.render.resources import resource
from generator.render.wording.markdown import render_markdown
from generator.text import LANGS, Lang

Files = dict[str, str | bytes]
"""Path below the site's folder -> what the file holds."""

Whole = dict[str, bytes]
"""The same as they are written."""

PROSE: Final = "pages"
"""The folder of ``site_src`` that holds the site's own texts."""


@dataclass(frozen=True, slots=True)
class Gathered:
    """Every round that could be read, the newest first, and what is shared.

    ``against`` has, for a round compared with the one before it, that pair; ``summaries`` what each round found;
    ``keeper`` what earlier builds made.
    """

    site: Site
    catalogue: Catalogue
    analyses: Sequence[Analysis]
    unreadable: Sequence[tuple[str, InputError]]
    against: Mapping[str, Neighbours]
    summaries: Mapping[str, Summary] = field(default_factory=dict)
    keeper: Keeper = field(default_factory=lambda: Keeper(None))


def in_each_language(name: str) -> tuple[Location, ...]:
    """Return where a page of the site lies in each language."""
    return tuple(Location(lang, name) for lang in LANGS)


def prose_of_site(name: str, lang: Lang) -> str:
    """Return a text of the site's own, as HTML."""
    return render_markdown((resource("site_src") / PROSE / f"{name}.{lang}.md").read_text(encoding="utf-8"))
