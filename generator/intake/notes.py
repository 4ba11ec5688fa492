"""What is to be said of an import besides where each run went: a line a thing."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from generator.errors import quote
from generator.intake.mixing import Mixed
from generator.intake.taking_in import Outcome
from generator.store.files import printable, shown
from generator.store.round_file import ROUND_FILE

MOST_NAMES: Final = 4
"""Names that a line repeats; of the others it says how many."""


def notes(outcome: Outcome, into: Path) -> Iterator[str]:
    """Yield what the user should know of an import, a line each.

    Args:
        outcome: what came of it.
        into: the round's folder.
    """
    for name, what in outcome.repeated.items():
        yield f"{printable(name)} {what}; it counts once"
    yield from (_mixed(one) for one in outcome.mixed)
    if outcome.tables and outcome.placed:
        yield f"beside what was imported, the round has tables of results that no run backs: {_listed(outcome.tables)}"
    if outcome.new_series:
        yield f"{shown(into / ROUND_FILE)} now has {_listed(outcome.new_series)}; complete it (docs/rounds.md)"


def _mixed(one: Mixed) -> str:
    told = [f"{quote(name)}{_texts(texts)}" for name, texts in one.told.items()]
    return (
        f"{one.series}: trials of {_listed(one.levels)} differ in {_listed(told)}; "
        "where they are different configurations, import each with a --series of its own"
    )


def _texts(texts: Sequence[str]) -> str:
    """Return what the runs say, in brackets; nothing where only some of them have the entry at all."""
    return f" ({' / '.join(quote(text) for text in texts[:MOST_NAMES])})" if len(texts) > 1 else " (not in all)"


def _listed(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMES:
        return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more"
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last
