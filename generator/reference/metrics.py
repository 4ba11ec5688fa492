"""Every metric: what it means, its unit and scope, where it is read from and how it is computed."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Final

import generator.metrics
from generator.analysis.graph import Key
from generator.catalogue import Catalogue
from generator.kinds import Metric
from generator.reference.markdown import BREAK, anchored, code, table
from generator.reference.places import said, unit
from generator.registry import metric_families
from generator.text import Lang, Text
from generator.values import Scope

HEADS: Final = (
    Text(zh="键", en="key"),
    Text(zh="名称与含义", en="name and meaning"),
    Text(zh="单位", en="unit"),
    Text(zh="对象", en="of a"),
    Text(zh="更好", en="better"),
    Text(zh="由来", en="from"),
)
SCOPES: Final[Mapping[Scope, Text]] = {
    "round": Text(zh="轮次", en="round"),
    "series": Text(zh="系列", en="series"),
    "level": Text(zh="档位", en="level"),
    "pair": Text(zh="两个系列", en="pair of series"),
    "pair-level": Text(zh="两个系列的同一档", en="level of a pair"),
}
BETTER: Final[Mapping[str | None, Text]] = {
    "lower": Text(zh="越低越好", en="lower"),
    "higher": Text(zh="越高越好", en="higher"),
    None: Text(zh="", en=""),
}
TITLED: Final = Text(zh="**{title}**：{meaning}", en="**{title}**: {meaning}")
BASES: Final = Text(zh="另有口径：{bases}", en="also on the basis {bases}")


def tables_of_metrics(catalogue: Catalogue, lang: Lang) -> str:
    """Return a table for each family of metrics, under the name of its file."""
    families = metric_families(generator.metrics)
    further = _further({(one.key, one.basis) for family in families.values() for one in family}, catalogue)
    return "\n\n".join(
        f"## {family}\n\n{table(HEADS, (_row(metric, further, lang) for metric in metrics), lang)}"
        for family, metrics in families.items()
    )


def _further(declared: Collection[Key], catalogue: Catalogue) -> Mapping[str, Sequence[str]]:
    """Return by key the bases with which the graph computes a metric besides those that are declared."""
    found: dict[str, list[str]] = {}
    for key, basis in catalogue.graph.metrics:
        if basis is not None and (key, basis) not in declared:
            found.setdefault(key, []).append(basis)
    return found


def _row(metric: Metric, further: Mapping[str, Sequence[str]], lang: Lang) -> tuple[str, ...]:
    bases = further.get(metric.key, ()) if metric.basis is None else ()
    return (
        anchored(name_of(metric), code(name_of(metric))),
        BREAK.join(_words(metric, lang)),
        unit(metric.unit),
        SCOPES[metric.scope][lang],
        BETTER[metric.better][lang],
        BREAK.join(_origins(metric, bases, lang)),
    )


def name_of(metric: Metric) -> str:
    """Return the key of a metric, with its basis where it has one: as its function is named."""
    return metric.key if metric.basis is None else f"{metric.key}__{metric.basis}"


def _words(metric: Metric, lang: Lang) -> Iterator[str]:
    yield TITLED.format(title=metric.title, meaning=metric.meaning)[lang]
    if metric.why is not None:
        yield f"*{metric.why[lang]}*"


def _origins(metric: Metric, bases: Sequence[str], lang: Lang) -> Iterator[str]:
    """Say where a metric is read from and how it is computed, in the order in which that is tried."""
    yield from (said(place, lang) for place in metric.places)
    yield from (code(f"= {way.formula}") for way in metric.derivations)
    if bases:
        named = [code(basis) for basis in sorted(bases)]
        yield BASES.format(bases=Text(zh="、".join(named), en=", ".join(named)))[lang]
