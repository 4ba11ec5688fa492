"""The glossary: words that readers stumble over, and every metric with what is known of it."""

from __future__ import annotations

from collections.abc import Mapping

from generator.catalogue import Catalogue
from generator.render.files.printed import Printed
from generator.render.front.gathered import Files, Gathered, Whole, in_each_language
from generator.render.page import Location, render
from generator.render.views.glossary import Beside, glossary_view, metric_titles
from generator.render.views.looked_at import LookedAt, looked_at, looked_at_by
from generator.render.views.printed_in import printed_in, read_printed
from generator.render.views.same_words import tool_words
from generator.render.wording.glossary_words import WORDS
from generator.terms import TOPICS
from generator.text import Lang


def files(gathered: Gathered, whole: Whole) -> Files:
    """Return the page in each language; where metrics are printed is read from the files of the rounds."""
    catalogue = gathered.catalogue
    looked = looked_at(catalogue.checks, gathered.analyses, (key for key, _ in catalogue.graph.metrics))
    rounds = read_printed([one.round.id for one in gathered.analyses], whole)
    return {
        where.in_language(where.lang): _page(gathered, _beside(catalogue, looked, rounds, where.lang), where)
        for where in in_each_language("glossary.html")
    }


def _page(gathered: Gathered, beside: Beside, where: Location) -> str:
    catalogue, lang = gathered.catalogue, where.lang
    return render(
        gathered.site, "glossary.html", where, chapters=glossary_view(catalogue, beside, lang),
        topics=TOPICS, titles=metric_titles(catalogue.graph, lang), w={key: text[lang] for key, text in WORDS.items()},
    )  # fmt: skip


def _beside(catalogue: Catalogue, looked: LookedAt, rounds: Mapping[str, Printed], lang: Lang) -> Beside:
    return Beside(
        tools=tool_words(catalogue.importers, lang),
        checks=looked_at_by(looked),
        printed=printed_in(rounds, catalogue.reports, lang),
    )
