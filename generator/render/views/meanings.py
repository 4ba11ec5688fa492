"""Who means what: each tool's fields below the metric that they give, or that they are easily taken for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import groupby

from generator.analysis.graph import Graph
from generator.kinds import Importer, Metric
from generator.mapping import LATENCIES, SLOT, Mapped
from generator.text import Lang, Text


@dataclass(frozen=True, slots=True)
class Named:
    """What a tool calls something: each field with its unit, and the versions that do."""

    tool: str
    fields: tuple[tuple[str, str], ...]
    versions: str


@dataclass(frozen=True, slots=True)
class Told:
    """What one tool, or several in the same words, mean by some fields.

    Attributes:
        why: why it is another quantity; empty where it is the same.
        resembles: whether it is easily taken for one of our metrics.
    """

    named: tuple[Named, ...]
    definition: str
    why: str
    resembles: bool


@dataclass(frozen=True, slots=True)
class Quantity:
    """One of our metrics, or all statistics of one quantity, and what the tools give for it."""

    key: str
    title: str
    meaning: str
    told: tuple[Told, ...]
    """What is the same quantity."""
    resembling: tuple[Told, ...]
    """What is easily taken for it, and is another."""


@dataclass(frozen=True, slots=True)
class Meanings:
    """The page: our quantities, those that most tools give first, what is none of them, and how each tool drives."""

    quantities: tuple[Quantity, ...]
    others: tuple[Told, ...]
    conduct: tuple[tuple[str, str], ...]


def meanings_view(importers: Mapping[str, Importer], graph: Graph, lang: Lang) -> Meanings:
    """Return what all importers' mappings say, by quantity."""
    mapped = [(one, row) for one in importers.values() for row in one.mapping]
    return Meanings(
        tuple(_quantities(mapped, graph, lang)),
        tuple(_told([(one, row) for one, row in mapped if not row.quantity], lang)),
        tuple((one.title[lang], one.conduct[lang]) for one in importers.values() if one.conduct is not None),
    )


def _quantities(mapped: Iterable[tuple[Importer, Mapped]], graph: Graph, lang: Lang) -> Iterator[Quantity]:
    rows = list(mapped)
    by_key = {key: metric for (key, basis), metric in graph.metrics.items() if basis is None}
    of_quantity = {row.quantity: _metric_key(row) for _, row in rows if row.quantity}
    tools = Counter(key for key, _ in {(row.quantity, one.key) for one, row in rows})
    order = {key: nth for nth, key in enumerate(by_key)}
    for key in sorted(of_quantity, key=lambda key: (-tools[key], order[of_quantity[key]])):
        metric = by_key[of_quantity[key]]
        told = _told([(one, row) for one, row in rows if row.quantity == key], lang)
        ours, others = ([one for one in told if bool(one.why) is other] for other in (False, True))
        yield Quantity(key, _title(key, metric, lang), metric.meaning[lang], tuple(ours), tuple(others))


def _metric_key(row: Mapped) -> str:
    """Return the key of a metric that tells of the whole quantity: of a latency, its mean."""
    return f"{row.quantity}_mean" if row.quantity in LATENCIES else row.metric.replace(SLOT, "mean")


def _title(key: str, metric: Metric, lang: Lang) -> str:
    return metric.title[lang] if key == metric.key else key.upper()


def _told(rows: Iterable[tuple[Importer, Mapped]], lang: Lang) -> list[Told]:
    """Return what is said in the same words of several fields once, in the order of the first of each.

    Words are the same where they are in both languages, so that both have the same entries.
    """
    by_words: dict[tuple[Text, Text | None], list[tuple[Importer, Mapped]]] = {}
    for one, row in rows:
        by_words.setdefault((row.definition, row.why), []).append((one, row))
    return [
        Told(
            named=tuple(_by_tool(_named(one, row, lang) for one, row in alike)),
            definition=definition[lang],
            why=why[lang] if why is not None else "",
            resembles=bool(alike[0][1].quantity),
        )
        for (definition, why), alike in by_words.items()
    ]


def _by_tool(named: Iterable[Named]) -> Iterator[Named]:
    """Put the fields of one tool and its versions into one."""
    for _, alike in groupby(named, key=lambda one: (one.tool, one.versions)):
        first, *others = alike
        yield replace(first, fields=sum((one.fields for one in others), first.fields))


def _named(one: Importer, row: Mapped, lang: Lang) -> Named:
    unit = "" if row.unit == "1" else row.unit
    fields = tuple((field.replace(SLOT, "*"), unit) for field in (row.field, *row.aliases))
    return Named(one.title[lang], fields, row.versions)
