"""How series differ in what they ran on. What is not known is never the same as what is known."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

from generator.machines.fact_kinds import FactKind, Kind, as_shown, kind_of, place_of
from generator.machines.records import Facts, Machine
from generator.text import Text

MAKERS: Final = re.compile(r"\b(?:nvidia|geforce|amd|radeon|tesla)\b", re.IGNORECASE)
"""Words that one writes in front of a GPU's name and another leaves out."""


@dataclass(frozen=True, slots=True)
class Compared:
    """One fact over several series.

    Attributes:
        path: the fact.
        kind: what it is.
        texts: series (or session) -> the fact; those of which it is not known have no entry.
        differs: whether two that are known are not the same.
        chinese: series -> the words for it on Chinese pages, where its author gave some.
    """

    path: str
    kind: FactKind
    texts: Mapping[str, str]
    differs: bool
    chinese: Mapping[str, str]

    @property
    def title(self) -> Text:
        """Return what the fact is called."""
        return self.kind.title_of(self.path)

    def shown(self, series: str) -> Text | None:
        """Return the fact of a series as a reader is shown it; None where it is not known."""
        text = self.texts.get(series)
        if text is None:
            return None
        zh, en = (as_shown(self.kind, words) for words in (self.chinese.get(series, text), text))
        return Text(zh=zh.zh, en=en.en)


def compare(known: Mapping[str, Facts], kinds: Collection[Kind] | None = None) -> list[Compared]:
    """Compare facts of several series, or of several sessions, in the order of the list of facts.

    Args:
        known: the name of each, and its facts.
        kinds: the kinds of facts that are compared; all of them without it.
    """
    paths = sorted({path for facts in known.values() for path in facts}, key=lambda path: (place_of(path), path))
    found = []
    for path in paths:
        kind = kind_of(path)
        if kind is not None and (kinds is None or kind.kind in kinds):
            texts = {name: facts[path].text for name, facts in known.items() if path in facts}
            differs = len({plain(path, text) for text in texts.values()}) > 1
            found.append(Compared(path, kind, texts, differs, _chinese(path, known)))
    return found


def _chinese(path: str, known: Mapping[str, Facts]) -> dict[str, str]:
    there = {name: facts[path].chinese for name, facts in known.items() if path in facts}
    return {name: words for name, words in there.items() if words is not None}


def facts_of(machines: Mapping[str, Machine]) -> dict[str, Facts]:
    """Return the facts of each series."""
    return {series: machine.facts for series, machine in machines.items()}


def plain(path: str, text: str) -> str:
    """Return what two ways to write one thing share: for a GPU the model, without its maker and its memory."""
    if path != "gpu.gpus.name":
        return text.strip()
    return re.sub(r"[\s_-]+", " ", MAKERS.sub("", text)).strip().lower()
