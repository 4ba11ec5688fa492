"""What a source says of one moment: numbers with names, or why there is none."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Protocol


@dataclass(frozen=True, slots=True)
class Reading:
    """One number of one moment.

    Attributes:
        source: whose number it is: ``gpu0``, ``host``, ``server``, ``engine``.
        field: its name.
        value: in base units (s, B, B/s, Hz, W, J, °C, shares from 0 to 1, counts); None where it cannot be known.
        reason: why it cannot be known, in a word or a few.
    """

    source: str
    field: str
    value: float | None
    reason: str = ""


class Source(Protocol):
    """Something that can be asked once a second. It may be slow, and it may raise."""

    @property
    def name(self) -> str:
        """The name that gaps in its readings go by."""

    def read(self) -> Iterable[Reading]:
        """Return what holds now."""
