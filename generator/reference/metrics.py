"""Every metric: what it means, its unit and scope, where it is read from and how it is computed."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

import generator.metrics
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
    families = metric_families(generator.metrics).items()
    return "\n\n".join(f"## {family}\n\n{_table(metrics, catalogue, lang)}" for family, metrics in families)


def _table(metrics: tuple[Metric, ...], catalogue: Catalogue, lang: Lang) -> str:
    return table(HEADS, (_row(metric, catalogue, lang) for metric in metrics), lang)


def _row(metric: Metric, catalogue: Catalogue, lang: Lang) -> tuple[str, ...]:
    return (
        anchored(name_of(metric), code(name_of(metric))),
        BREAK.join(_words(metric, lang)),
        unit(metric.unit),
        SCOPES[metric.scope][lang],
        BETTER[metric.better][lang],
        BREAK.join(_origins(metric, catalogue, lang)),
    )


def name_of(metric: Metric) -> str:
    """Return the key of a metric, with its basis where it has one: as its function is named."""
    return metric.key if metric.basis is None else f"{metric.key}__{metric.basis}"


def _words(metric: Metric, lang: Lang) -> Iterator[str]:
    yield TITLED.format(title=metric.title, meaning=metric.meaning)[lang]
    if metric.why is not None:
        yield f"*{metric.why[lang]}*"


def _origins(metric: Metric, catalogue: Catalogue, lang: Lang) -> Iterator[str]:
    """Say where a metric is read from and how it is computed, in the order in which that is tried."""
    yield from (said(place, lang) for place in metric.places)
    yield from (code(f"= {way.formula}") for way in metric.derivations)
    bases = [code(basis) for basis in _further(metric, catalogue)]
    if bases:
        yield BASES.format(bases=Text(zh="、".join(bases), en=", ".join(bases)))[lang]


def _further(metric: Metric, catalogue: Catalogue) -> list[str]:
    """Return the bases with which the graph computes a metric besides those that are declared."""
    declared = {one.basis for family in metric_families(generator.metrics).values() for one in family
                if one.key == metric.key}  # fmt: skip
    made = {basis for key, basis in catalogue.graph.metrics if key == metric.key}
    return sorted(basis for basis in made - declared if basis) if metric.basis is None else []
