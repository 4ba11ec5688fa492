"""What a language says of the derivations of a round, and the page that tells them all: what is alike, told once."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from markupsafe import Markup, escape

from generator.render.views.derivations import BETWEEN, IS, Fact, Facts, Kind, place, source_text
from generator.render.wording.numbers import Printer, linked
from generator.render.wording.phrases import ORIGINS, phrases
from generator.text import Lang

MetricKey = tuple[str, str | None]
ROWS: Final = ("first(", "last(")
"""What a formula says of rows, which is explained where it does."""


@dataclass(frozen=True, slots=True)
class MetricWords:
    """What is said of every number of a metric."""

    key: str
    """Where the glossary explains it."""
    title: str
    meaning: str
    why: str


@dataclass(frozen=True, slots=True)
class Words:
    """What a language says of some facts; ``places`` and ``reasons`` stand as those of the facts do."""

    lang: Lang
    metrics: Mapping[MetricKey, MetricWords]
    places: tuple[Markup, ...]
    reasons: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Group:
    """The numbers that are computed by one formula, or read of one metric, as the page prints them."""

    said: MetricWords
    formula: Markup
    has_rows: bool
    numbers: Markup


def words_of(facts: Facts, printer: Printer) -> Words:
    """Return what a language says of some facts."""
    metrics = {kind.metric: printer.graph.metrics[kind.metric] for kind in facts.kinds}
    return Words(
        lang=printer.lang,
        metrics={
            key: MetricWords(
                one.key, printer.words(one.title), printer.words(one.meaning), printer.words(one.why) if one.why else ""
            )
            for key, one in metrics.items()
        },
        places=tuple(place(address, printer) for address in facts.places),
        reasons=tuple(printer.words(reason) for reason in facts.reasons),
    )


def groups(facts: Facts, words: Words) -> list[Group]:
    """Return all numbers as the page of derivations tells them: below what is said of all that are computed alike."""
    teller = _Teller(facts, words)
    alike: dict[tuple[MetricKey, Markup], list[Fact]] = {}
    for fact in facts.facts:
        kind = facts.kinds[fact.kind]
        alike.setdefault((kind.metric, kind.formula), []).append(fact)
    return [
        Group(
            words.metrics[metric], formula, any(row in formula for row in ROWS), Markup("\n").join(map(teller.tell, of))
        )
        for (metric, formula), of in alike.items()
    ]


class _Teller:
    """Tells single numbers. There are thousands: each is put together from pieces of HTML that are made once."""

    def __init__(self, facts: Facts, words: Words) -> None:
        self.facts, self.words = facts, words
        self.by_id = {fact.id: fact for fact in facts.facts}
        self.links = {fact.id: linked(fact.id, fact.shown) for fact in facts.facts}
        self.origins = {key: escape(text[words.lang]) for key, text in ORIGINS.items()}
        self.between, self.is_ = escape(BETWEEN[words.lang]), escape(IS[words.lang])
        self.t = {name: escape(text) for name, text in phrases(words.lang).items()}
        self.as_input: dict[str, str] = {}

    def tell(self, fact: Fact) -> Markup:
        """Return one number: of what, how much, from where, computed from what."""
        kind = self.facts.kinds[fact.kind]
        told = [
            f'<li id="{fact.id}"><span class="of">{self.words.places[fact.place]}</span>{self.is_}',
            f"<b>{self.links[fact.id]}</b>{self._origin(fact)}",
            f'<p class="formula numbers">= {self._numbers(fact, kind)}</p>' if kind.formula else "",
            f"<ul>{''.join(map(self._input, fact.inputs))}</ul>" if fact.inputs else "",
            self._labelled("caveat" if fact.exact else "reason", self.words.reasons[fact.reason])
            if fact.reason is not None
            else "",
            self._labelled("source", self._source(fact), "source") if fact.source else "",
            self._labelled("exact", fact.exact, "exact") if fact.exact else "",
            "</li>",
        ]
        return Markup("".join(told))  # noqa: S704  # put together from HTML, and from what is escaped here

    def _origin(self, fact: Fact) -> str:
        if fact.origin is None:
            return ""
        rests_on = self.t["rests_on"].format(self.origins[fact.rests_on]) if fact.rests_on else ""
        return f' <span class="origin">{self.origins[fact.origin]}{rests_on}</span>'

    def _numbers(self, fact: Fact, kind: Kind) -> str:
        inputs = (self.by_id[id_] for id_ in fact.inputs)
        shown = [one.shown for one in inputs]
        return "".join(shown[one] if isinstance(one, int) else one for one in kind.numbers)

    def _input(self, id_: str) -> str:
        if id_ not in self.as_input:
            fact = self.by_id[id_]
            source = f' <span class="source">{escape(self._source(fact))}</span>' if fact.source else ""
            title = escape(self.words.metrics[self.facts.kinds[fact.kind].metric].title)
            of = self.words.places[fact.place]
            origin = f' <span class="origin">{self.origins[fact.origin]}</span>' if fact.origin else ""
            self.as_input[id_] = f"<li>{title}{self.between}{of}{self.is_}{self.links[id_]}{origin}{source}</li>"
        return self.as_input[id_]

    def _source(self, fact: Fact) -> str:
        return source_text(fact.source, self.words.lang)

    def _labelled(self, label: str, text: str, class_: str = "") -> str:
        said = f'<span class="{class_}">{escape(text)}</span>' if class_ else escape(text)
        return f"<p><b>{self.t[label]}</b> {said}</p>"
