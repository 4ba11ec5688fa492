"""The glossary: an entry for each metric, from its declaration, the graph, the mappings of importers and the rounds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from markupsafe import Markup

from generator.analysis.graph import NAME, Graph, Key, Step
from generator.catalogue import Catalogue
from generator.kinds import Metric
from generator.places import Place
from generator.render.views.printed_in import PrintedIn
from generator.render.views.same_words import ToolWords
from generator.render.wording.formulas import replaced, symbol_html
from generator.render.wording.glossary_words import BASES, DEFINED, DIRECTIONS, SCOPES, WHERE
from generator.render.wording.numbers import unit_sign
from generator.text import Lang
from generator.themes import THEMES

Link = tuple[str, str]
"""Where it leads, and what it says."""


@dataclass(frozen=True, slots=True)
class Definition:
    """A definition of a metric: its basis, and the ways to compute it, the first that has its inputs before the others.

    Attributes:
        title: what it is called, where that is not the title of the entry.
        why: why there is more than one.
    """

    basis: str
    name: str
    title: str
    meaning: str
    why: str
    ways: tuple[Markup, ...]


@dataclass(frozen=True, slots=True)
class Entry:
    """A metric as the glossary prints it; ``key`` is its anchor.

    Attributes:
        kind: what it is a number of, its unit, and which way is better.
        own: the definition that goes without a basis, or the first of a metric that has none.
        others: the further ones.
        places: where it may be read.
        checks: those that look at it.
    """

    key: str
    title: str
    symbol: Markup
    kind: tuple[str, ...]
    own: Definition
    others: tuple[Definition, ...]
    places: tuple[tuple[str, tuple[str, ...]], ...]
    tools: ToolWords | None
    checks: tuple[Link, ...]
    printed: PrintedIn | None


@dataclass(frozen=True, slots=True)
class Chapter:
    """The entries of one theme."""

    key: str
    title: str
    entries: tuple[Entry, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """What stands beside the declarations, by the key of a metric."""

    tools: Mapping[str, ToolWords]
    checks: Mapping[str, Iterable[str]]
    printed: Mapping[str, PrintedIn]


def glossary_view(catalogue: Catalogue, beside: Beside, lang: Lang) -> tuple[Chapter, ...]:
    """Return the entries of all metrics, theme by theme; a theme of no metric is left out."""
    by_key: dict[str, list[Metric]] = {}
    for (key, _), metric in catalogue.graph.metrics.items():
        by_key.setdefault(key, []).append(metric)
    entries: dict[str, list[Entry]] = {}
    for key, metrics in by_key.items():
        entry = _entry(sorted(metrics, key=lambda one: one.basis is not None), catalogue, beside, lang)
        entries.setdefault(catalogue.themes[key].key, []).append(entry)
    return tuple(
        Chapter(f"theme-{theme.key}", theme.title[lang], tuple(entries[theme.key]))
        for theme in THEMES
        if theme.key in entries
    )


def metric_titles(graph: Graph, lang: Lang) -> dict[str, str]:
    """Return what each metric is called, by its key: as the definition without a basis has it, where there is one."""
    own = {key: metric.title[lang] for (key, basis), metric in graph.metrics.items() if basis is None}
    return {key: metric.title[lang] for (key, _), metric in graph.metrics.items()} | own


def _entry(metrics: list[Metric], catalogue: Catalogue, beside: Beside, lang: Lang) -> Entry:
    first, *others = metrics
    checks = ((key, catalogue.checks[key].title[lang]) for key in beside.checks.get(first.key, ()))
    return Entry(
        key=first.key,
        title=first.title[lang],
        symbol=symbol_html(first.symbol),
        kind=_kind(first, lang),
        own=_definition(first, first, catalogue.graph, lang),
        others=tuple(_definition(one, first, catalogue.graph, lang) for one in others),
        places=_read_from((place for one in metrics for place in one.places), lang),
        tools=beside.tools.get(first.key),
        checks=tuple((f"checks.html#{key}", title) for key, title in checks),
        printed=beside.printed.get(first.key),
    )


def _kind(metric: Metric, lang: Lang) -> tuple[str, ...]:
    unit = unit_sign(metric.unit, metric.style)
    told = (SCOPES[metric.scope][lang], unit, DIRECTIONS[metric.better][lang] if metric.better else "")
    return tuple(one for one in told if one)


def _definition(metric: Metric, first: Metric, graph: Graph, lang: Lang) -> Definition:
    """Return one definition of a metric; what the first one says already is left out of a further one."""
    own, named = metric is first, DEFINED.get(metric.basis or "")
    why = metric.why or (BASES.get(metric.basis) if metric.basis else None)
    return Definition(
        basis=metric.basis or "",
        name=named[lang] if named is not None else "",
        title=metric.title[lang] if not own and metric.title != first.title else "",
        meaning=metric.meaning[lang] if own or metric.meaning != first.meaning else "",
        why=why[lang] if why is not None else "",
        ways=tuple(_ways((metric.key, metric.basis), graph)),
    )


def _ways(key: Key, graph: Graph) -> Iterator[Markup]:
    """Yield the formulas of a definition, once each, in the order in which they are tried."""
    formulas = {step.derivation.formula: step for step in reversed(graph.steps[key])}
    return (formula_html(step) for step in reversed(formulas.values()))


def formula_html(step: Step) -> Markup:
    """Return a formula in which the name of each metric leads to its entry."""
    keys = {port.name: port.key[0] for port in step.ports}

    def link(name: str) -> Markup:
        return Markup('<a href="#{}">{}</a>').format(keys[name], name) if name in keys else Markup("{}").format(name)

    return replaced(step.derivation.formula, NAME, lambda found: link(found[0]))


def _read_from(places: Iterable[Place], lang: Lang) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return what kind of place a number may be read from, and the names of the places of that kind."""
    names: dict[str, dict[str, None]] = {}
    for place in places:
        names.setdefault(WHERE[place.kind][lang], {})[place.name] = None
    return tuple((kind, tuple(listed)) for kind, listed in names.items())
