"""The scripts that bring the panel of a number its derivation: what no language changes, once; the words, in each.

Every string in them is HTML.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from markupsafe import escape

from generator.render.files.drawn import script
from generator.render.page import NOT_IN_HTML, REPLACEMENT
from generator.render.views.derivation_words import MetricKey, MetricWords, Words
from generator.render.views.derivations import BETWEEN, IS, Fact, Facts, said_in
from generator.render.wording.phrases import ORIGINS, phrases

SCRIPT: Final = "derivations.js"
"""The name of both: of the facts among the data of the round, of the words beside the pages."""

OF_PANEL: Final = (
    "rests_on", "reason", "caveat", "first_last", "input", "of", "value", "origin", "source", "exact", "why_two",
    "close", "step_back", "derived", "open_page", "read_from", "more_read",
)  # fmt: skip
"""The phrases of a panel."""
ORIGIN_NUMBERS: Final = {origin: number for number, origin in enumerate(ORIGINS)}

Cell = str | int | None
Row = list[Cell]


def facts_script(facts: Facts) -> str:
    """Return the script of the facts: kinds, places, origins and reasons are numbers in lists that the words have."""
    metrics = _metrics(facts)
    kinds = [[metrics.index(kind.metric), kind.formula, *kind.numbers] for kind in facts.kinds]
    return script("facts", {"kinds": [_clean(one) for one in kinds], "facts": {f.id: _row(f) for f in facts.facts}})


def words_script(facts: Facts, words: Words, way: str) -> str:
    """Return the script of the words; ``way`` leads from the page to the round's data."""
    t, files = phrases(words.lang), {one.source.file for one in facts.facts if one.source}
    places = {one.source.place for one in facts.facts if one.source}
    said = {name: said_in(name, words.lang) for name in sorted(files | places)}
    return script(
        "words",
        {
            "facts": f"{way}{SCRIPT}",
            "metrics": [_clean(_metric(words.metrics[key])) for key in _metrics(facts)],
            "places": _clean(words.places),
            "reasons": _clean(words.reasons),
            "origins": [text[words.lang] for text in ORIGINS.values()],
            "sources": {escape(name): escape(here) for name, here in said.items() if here != name},
            "between": BETWEEN[words.lang],
            "is": IS[words.lang],
            "phrases": {name: escape(t[name]) for name in OF_PANEL},
        },
    )


def _metrics(facts: Facts) -> list[MetricKey]:
    return list(dict.fromkeys(kind.metric for kind in facts.kinds))


def _metric(said: MetricWords) -> Row:
    return [said.key, said.title, said.meaning, said.why]


def _row(fact: Fact) -> Row:
    """Return a fact as a row of cells, without the empty ones at its end; an empty cell is 0 or an empty text."""
    file, place = (fact.source.file, fact.source.place) if fact.source else ("", "")
    origin, rests_on = (ORIGIN_NUMBERS[one] + 1 if one else 0 for one in (fact.origin, fact.rests_on))
    reason = 0 if fact.reason is None else fact.reason + 1
    inputs = " ".join(fact.inputs)
    cells: Row = [fact.kind, fact.place, fact.shown, fact.exact, origin, rests_on, inputs, file, place, reason]
    while not cells[-1] and len(cells) > 1:
        cells.pop()
    return _clean(cells)


def _clean(cells: Iterable[Cell]) -> Row:
    """Return cells as HTML, without the characters that no page may hold."""
    return [NOT_IN_HTML.sub(REPLACEMENT, escape(cell)) if isinstance(cell, str) else cell for cell in cells]
