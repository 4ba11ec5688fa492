"""Prints what is said of two rounds together: series and levels of both have their names, in one accent each."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from generator.analysis.graph import Graph
from generator.comparing.pairing import SAME_IDS, Pairs
from generator.frame import Analysis, Frame
from generator.model import Series, accents_of
from generator.render.plotting.palette import ACCENTS
from generator.render.wording.numbers import Printer
from generator.text import Lang
from generator.values import Address, Value

OF: Final = "@"
"""Between a series and the round it is of; no id can hold it."""
OVERLAID: Final = ("output_throughput", "itl_p50")
"""The metrics of which figures show both rounds."""


@dataclass(frozen=True)
class DiffPrinter(Printer):
    """A printer of two rounds: a series has one accent, in whichever of them, whatever its id in the base round."""

    base: str = ""
    named: Pairs = field(default_factory=dict)

    def accent(self, series: str) -> int:
        """Return the number of the colour that a series has everywhere."""
        plain = accents_of(one for one in self.analysis.round.series if OF not in one.id)
        id_, _, of = series.partition(OF)
        return plain[self.named.get(id_, id_) if of == self.base else id_] % ACCENTS


def diff_printer(base: Analysis, head: Analysis, graph: Graph, lang: Lang, named: Pairs = SAME_IDS) -> DiffPrinter:
    """Return the printer of two rounds.

    Args:
        base: the one round.
        head: the other one.
        graph: the metrics.
        lang: the language.
        named: series of the base round -> those of another id in the head round that they are compared with.
    """
    return DiffPrinter(_united(base, head, named), graph, lang, base=base.round.id, named=named)


def of_round(series: str, analysis: Analysis) -> str:
    """Return the id under which a series of one of the two rounds is drawn."""
    return f"{series}{OF}{analysis.round.id}"


def _united(base: Analysis, head: Analysis, named: Pairs) -> Analysis:
    """Return one analysis of both: each series as itself, with the levels of both, and as that of either round."""
    plain = _plain(base, head, named)
    apart = [_apart(series, side) for side in (base, head) for series in side.round.series]
    values = {value.address: value for side in (base, head) for value in _renamed(side)}
    united = replace(head.round, series=(*plain, *apart), claims=(), observations=(), requests={}, machines={})
    return Analysis(united, Frame(values), (), titles={**base.titles, **head.titles})


def _plain(base: Analysis, head: Analysis, named: Pairs) -> list[Series]:
    found: dict[str, Series] = {one.id: one for one in head.round.series}
    for one in base.round.series:
        for id_ in dict.fromkeys((named.get(one.id, one.id), one.id)):
            known = found.get(id_, one)
            levels = {level.id: level for level in (*one.levels, *known.levels)}
            found[id_] = Series(known.table, tuple(sorted(levels.values(), key=lambda level: level.order)))
    return list(found.values())


def _apart(series: Series, side: Analysis) -> Series:
    named = f"{side.round.label(series.id)} · {side.round.id}"
    table = {"id": of_round(series.id, side), "engine": named, "precision": None}
    return Series(series.table.model_copy(update=table), series.levels)


def _renamed(side: Analysis) -> Iterator[Value]:
    values: Mapping[Address, Value] = side.frame.values
    for address in _overlaid(side.round.series):
        value = values.get(address)
        if value is not None and address.series is not None:
            yield value._replace(address=address._replace(series=of_round(address.series, side)), inputs=())


def _overlaid(series: Iterable[Series]) -> Iterator[Address]:
    for one in series:
        for level in one.levels:
            yield from (Address(metric, "level", one.id, level.id) for metric in OVERLAID)
