"""What a self-check concluded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from generator.told.sentence import Sentence
from generator.values import Address

Status = Literal["pass", "note", "warn", "fail", "unknown"]
Looks = Literal["better", "worse"]
Shown = Literal["fail", "warn", "unknown", "note", "pass", "empty"]
SEVERITY: Final[tuple[Status, ...]] = ("fail", "warn", "unknown", "note", "pass")
"""Statuses in the order in which a reader should meet them."""
GRAVE: Final[frozenset[Status]] = frozenset({"fail", "warn"})
SHOWN: Final[tuple[Shown, ...]] = (*SEVERITY, "empty")
"""What a reader is shown of a finding, in the same order."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One conclusion of one check.

    Attributes:
        series: the series it speaks of; None for the whole round.
        levels: the levels it speaks of.
        evidence: the values it rests on.
        bias: which series it flatters, and in which direction.
        looks: how ``series`` looks for it, beside what it is; None where the bias is of no series, or cuts both ways.
        spoils: the levels of ``series`` that it makes unfit for conclusions; only a ``fail`` may.
        doubts: the values that it puts in doubt though their level stays usable; tables mark them.
        remedy: what to change or run next.
        is_empty: whether a ``pass`` says only that there was nothing to examine.
    """

    check: str
    status: Status
    message: Sentence
    series: str | None = None
    levels: tuple[str, ...] = ()
    evidence: tuple[Address, ...] = ()
    bias: Sentence | None = None
    spoils: tuple[str, ...] = ()
    doubts: tuple[Address, ...] = ()
    remedy: Sentence | None = None
    is_empty: bool = False
    looks: Looks | None = None

    @property
    def shown(self) -> Shown:
        """Return what a reader is shown: the status, but of a pass that had nothing to examine that it had not."""
        return "empty" if self.status == "pass" and self.is_empty else self.status
