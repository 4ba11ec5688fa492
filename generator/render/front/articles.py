"""The site's own texts: on its method, and on how to read a report. Their examples are pages of the site."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.model import Round
from generator.render.front.gathered import PROSE, Files, Gathered, Whole, in_each_language
from generator.render.page import Location, render
from generator.render.resources import resource
from generator.render.wording.article import article, wanted
from generator.render.wording.phrases import PHRASES
from generator.store.names import pair_name
from generator.text import Lang, Text

ARTICLES: Final[Mapping[str, Text]] = {"reading": PHRASES["reading"], "about": PHRASES["about"]}
"""Page -> its title."""


@dataclass(frozen=True, slots=True)
class Examples:
    """The round and the comparison that a text leads to; None where the site has none."""

    whole: Whole
    lang: Lang
    round: Round | None
    pair: str | None

    def way(self, kind: str, what: str) -> str | None:
        """Return the way to what is wanted, ``page#anchor``; None where there is no such page or anchor."""
        folders = {
            "example": f"rounds/{self.round.id}/" if self.round else None,
            "compared": f"diff/{self.pair}/" if self.pair else None,
            "site": "",
        }
        folder = folders[kind]
        return folder + what if folder is not None and _is_there(self.whole, self.lang, folder + what) else None


def files(gathered: Gathered, whole: Whole) -> Files:
    """Return each text in each language."""
    return {
        where.in_language(where.lang): _page(gathered, whole, where, name)
        for name in ARTICLES
        for where in in_each_language(f"{name}.html")
    }


def _page(gathered: Gathered, whole: Whole, where: Location, name: str) -> str:
    source = (resource("site_src") / PROSE / f"{name}.{where.lang}.md").read_text(encoding="utf-8")
    examples = _examples(gathered, whole, where.lang, source)
    made = article(source, examples.way)
    return render(
        gathered.site, "article.html", where, title=ARTICLES[name][where.lang], article=made,
        example=examples.round if any(kind == "example" for kind, _ in wanted(source)) else None,
    )  # fmt: skip


def _examples(gathered: Gathered, whole: Whole, lang: Lang, source: str) -> Examples:
    """Choose the round that has most of what a text leads to, the newest of several; and the newest comparison."""
    pairs = [gathered.against[one.round.id] for one in gathered.analyses if one.round.id in gathered.against]
    pair = pair_name(pairs[0].base.round.id, pairs[0].head.round.id) if pairs else None
    found = [Examples(whole, lang, analysis.round, pair) for analysis in gathered.analyses]
    examples = [what for kind, what in wanted(source) if kind == "example"]
    return max(found, key=lambda one: _has(one, examples), default=Examples(whole, lang, None, pair))


def _has(examples: Examples, wanted_of_round: Sequence[str]) -> int:
    return sum(examples.way("example", what) is not None for what in wanted_of_round)


def _is_there(whole: Whole, lang: Lang, wanted_: str) -> bool:
    page, _, anchor = wanted_.partition("#")
    content = whole.get(f"{lang}/{page}")
    return content is not None and (not anchor or f'id="{anchor}"'.encode() in content)
