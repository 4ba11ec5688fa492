"""Which tools give a metric, and which give another quantity by a name that is easily taken for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from generator.kinds import Importer
from generator.text import Lang


@dataclass(frozen=True, slots=True)
class ToolWords:
    """The tools, and ``quantity``, below which their definitions stand on the page of field meanings."""

    quantity: str
    same: tuple[str, ...]
    another: tuple[str, ...]


def tool_words(importers: Mapping[str, Importer], lang: Lang) -> dict[str, ToolWords]:
    """Return what the mappings of all importers say of each metric, by its key."""
    quantity: dict[str, str] = {}
    same: dict[str, dict[str, None]] = {}
    another: dict[str, dict[str, None]] = {}
    for one in importers.values():
        for row in one.mapping:
            for metric in {entry.metric for entry in row.entries() if entry.metric}:
                quantity[metric] = row.quantity
                (same if row.why is None else another).setdefault(metric, {})[one.title[lang]] = None
    return {key: ToolWords(of, tuple(same.get(key, ())), tuple(another.get(key, ()))) for key, of in quantity.items()}
