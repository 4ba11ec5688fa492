"""Shares that are set for single metrics, as margins and thresholds: which one holds for a metric, and who said so."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from generator.errors import InputError, nearest, quote
from generator.kinds import Metric
from generator.text import Text

QUANTITIES: Final = ("ttft", "itl", "tpot", "e2el")
"""Quantities of which several statistics are compared: what is set for one holds for all of them."""

Shares = Mapping[str, float]
"""Metric, or quantity -> share of the base."""


@dataclass(frozen=True, slots=True)
class Said:
    """A share that was set for a metric or a quantity, with who set it."""

    of: str
    share: float
    by: Text


def share_for(metric: str, shares: Shares) -> float | None:
    """Return the share of a metric: its own before that of its quantity; None where neither was set."""
    return shares.get(metric, shares.get(quantity_of(metric)))


def quantity_of(metric: str) -> str:
    """Return the quantity that a metric is a statistic of; the metric itself where it is of none."""
    quantity = metric.rpartition("_")[0]
    return quantity if quantity in QUANTITIES else metric


def refuse_unknown(names: Iterable[str], declared: Mapping[str, Metric], file: str, place: str) -> None:
    """Refuse shares of what is no metric of a level, and no quantity.

    Raises:
        InputError: there is such a one.
    """
    known = [*declared, *QUANTITIES]
    for name in names:
        if name not in known:
            raise InputError(file, place, f"there is no metric {quote(name)} of a level", nearest(name, known))


def among(tables: Mapping[str, Shares], *, largest: bool) -> dict[str, tuple[float, tuple[str, ...]]]:
    """Return what holds where each of several rounds sets shares: of two for one metric, the smaller or larger one.

    Args:
        tables: round -> its shares.
        largest: whether the larger one holds.

    Returns:
        Metric or quantity -> the share, and the rounds that set it.
    """
    found = {}
    for name in dict.fromkeys(name for shares in tables.values() for name in shares):
        said = {round_: share for round_, shares in tables.items() if (share := share_for(name, shares)) is not None}
        holds = max(said.values()) if largest else min(said.values())
        found[name] = holds, tuple(round_ for round_, share in said.items() if share == holds)
    return found


def without(said: Sequence[Said], names: Iterable[str]) -> tuple[Said, ...]:
    """Return what is left where something else was said of some metrics or quantities."""
    taken = set(names)
    return tuple(one for one in said if one.of not in taken and quantity_of(one.of) not in taken)
