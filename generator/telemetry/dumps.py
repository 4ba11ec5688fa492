"""Pages of /metrics that were saved one after the other: by how much each counter grew from the first to the last."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from generator.telemetry.page import QUANTITIES, Growth, Scrape, growth

BEFORE: Final = "metrics-before.prom"
AFTER: Final = "metrics-after.prom"
NUMBERED: Final = re.compile(r"metrics-\d{1,6}\.prom")
"""Names of pages that were saved, in the order of time by their numbers."""
COUNTERS: Final = frozenset(name for name, quantity in QUANTITIES.items() if quantity.counter)


def is_dump(name: str) -> bool:
    """Say whether a file of this name is a saved page."""
    return name in (BEFORE, AFTER) or NUMBERED.fullmatch(name) is not None


@dataclass(frozen=True, slots=True)
class Dump:
    """A page that was saved, and the name of its file."""

    name: str
    page: Scrape


@dataclass(frozen=True, slots=True)
class Grown:
    """By how much a counter grew over some windows between dumps.

    Attributes:
        amount: the sum over the windows in which it is known; None where it is known in none.
        windows: the names of those windows.
        lost: window -> why it is not known there.
    """

    amount: float | None
    windows: tuple[str, ...]
    lost: Mapping[str, str]


def windows(dumps: Sequence[Dump]) -> list[tuple[str, dict[str, Growth]]]:
    """Return for each pair of neighbouring dumps its name and by how much each counter grew, or why that is unknown."""
    return [(f"{a.name} to {b.name}", growth(a.page, b.page)) for a, b in pairwise(dumps)]


def grown(dumps: Sequence[Dump]) -> dict[str, Grown]:
    """Return by how much each counter grew; a window in which the server was restarted is lost and never guessed."""
    pairs = windows(dumps)
    names = dict.fromkeys(name for _, found in pairs for name in found)
    return {name: _over(pairs, name) for name in names}


def _over(pairs: Sequence[tuple[str, dict[str, Growth]]], name: str) -> Grown:
    found = [(window, growths[name]) for window, growths in pairs if name in growths]
    known = [(window, one.amount) for window, one in found if one.amount is not None]
    lost = {window: one.reason for window, one in found if one.amount is None}
    amount = sum(amount for _, amount in known) if known else None
    return Grown(amount, tuple(window for window, _ in known), lost)


def fullest(dumps: Sequence[Dump], gauge: str) -> float | None:
    """Return the largest value of a gauge on any of the pages; None where none has it."""
    found = [value for dump in dumps if (value := dump.page.value(gauge)) is not None]
    return max(found, default=None)
