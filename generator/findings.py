"""What a self-check concluded."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from generator.sentence import Sentence
from generator.values import Address

Status = Literal["pass", "note", "warn", "fail", "unknown"]
SEVERITY: Final[tuple[Status, ...]] = ("fail", "warn", "unknown", "note", "pass")
"""Statuses in the order in which a reader should meet them."""


@dataclass(frozen=True, slots=True)
class Finding:
    """One conclusion of one check.

    Attributes:
        series: the series it speaks of; None for the whole round.
        levels: the levels it speaks of.
        evidence: the values it rests on.
        bias: which series it flatters, and in which direction.
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
