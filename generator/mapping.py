"""What the numbers of a tool's file mean, as data: where each stands, in which unit, and what the tool means by it.

A number that is one of ours by another name says which. One that merely looks like it says why it is another
quantity: it is kept under its own name, so that nothing is ever ranked against it.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from generator.text import Text
from generator.units import FACTORS

SLOT: Final = "{}"
"""Where the word of a statistic stands in a field, and its name in a metric."""
LATENCIES: Final = frozenset({"ttft", "tpot", "itl", "e2el"})
"""Quantities of which each statistic is a metric."""
Words = str | tuple[str, ...]

AS_NAMED: Final[Mapping[str, Words]] = {"mean": "mean", "p50": "p50", "p90": "p90", "p95": "p95", "p99": "p99"}
"""The statistics of a metric, for tools that call them as we do."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One name that a number may stand under."""

    field: str
    metric: str
    unit: str
    zero_is_missing: bool = False


@dataclass(frozen=True, slots=True)
class Mapped:
    """A number of a tool's file, or a block of statistics of one quantity.

    Attributes:
        field: where it stands: a dotted path as in the file; with ``{}`` for the word of a statistic.
        unit: its unit in the file.
        definition: how the tool computes it.
        metric: which of our metrics it is, with ``{}`` for a block; with ``why``, which of ours it is easily taken for.
        why: why it is another quantity than any of ours; None where it is the same.
        statistics: our name of a statistic -> the word, or the words in order of preference, that the tool has for it.
        aliases: further fields under which some versions, or printed tables, give the same number.
        zero_is_missing: whether the tool writes 0 where it has no sample.
        versions: which versions of the tool write it; empty for all.
    """

    field: str
    unit: str
    definition: Text
    metric: str = ""
    why: Text | None = None
    statistics: Mapping[str, Words] = dataclasses.field(default_factory=dict)
    aliases: tuple[str, ...] = ()
    zero_is_missing: bool = False
    versions: str = ""

    def __post_init__(self) -> None:
        """Refuse what could not be read as it was meant.

        Raises:
            TypeError: the unit is none of ours, or a block and its statistics do not go together.
        """
        fields = (self.field, *self.aliases, *([self.metric] if self.metric else []))
        if any((SLOT in one) is not bool(self.statistics) for one in fields):
            raise TypeError(f"{self.field}: a block has {SLOT} in its fields and its metric, and statistics; else none")
        if self.why is None and (not self.metric or self.unit not in FACTORS):
            raise TypeError(f"{self.field}: give its metric and a known unit, or say why it is none of ours")

    @property
    def quantity(self) -> str:
        """Return which of our quantities it is, or is taken for: ``ttft`` of ``ttft_{}``, and of ``ttft_mean``."""
        quantity, _, _ = self.metric.partition("_")
        return quantity if quantity in LATENCIES else self.metric.replace(f"_{SLOT}", "")

    def entries(self) -> Iterator[Entry]:
        """Yield the names that it may stand under, the preferred one of each metric first."""
        for template in (self.field, *self.aliases):
            if not self.statistics:
                yield Entry(template, self.metric, self.unit, self.zero_is_missing)
            for name, words in self.statistics.items():
                for word in (words,) if isinstance(words, str) else words:
                    of_block = self.metric.replace(SLOT, name)
                    yield Entry(template.replace(SLOT, word), of_block, self.unit, self.zero_is_missing)


def spelled(block: Mapped) -> tuple[Mapped, ...]:
    """Return one entry for each statistic of a block: for names that say nothing without the word of the statistic."""
    if block.aliases:
        raise TypeError(f"{block.field}: spell its aliases as further words of its statistics")
    return tuple(_of_one(block, name, words) for name, words in block.statistics.items())


def _of_one(block: Mapped, name: str, words: Words) -> Mapped:
    fields = [block.field.replace(SLOT, word) for word in ((words,) if isinstance(words, str) else words)]
    metric = block.metric.replace(SLOT, name)
    return dataclasses.replace(block, field=fields[0], aliases=tuple(fields[1:]), metric=metric, statistics={})


def ours(mapping: Iterable[Mapped]) -> Iterator[Entry]:
    """Yield the names under which a file gives numbers of our metrics, in the order of the mapping."""
    for mapped in mapping:
        if mapped.why is None:
            yield from mapped.entries()
