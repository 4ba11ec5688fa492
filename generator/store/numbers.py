"""Numbers as people type them into tables: plain decimals, and a clear word on everything else."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from generator.errors import quote

PLAIN: Final = re.compile(r"[+-]?[0-9]+(?:\.(?P<fraction>[0-9]+))?(?P<exponent>[eE][+-]?[0-9]+)?")
GROUPED: Final = re.compile(r"[+-]?[0-9]{1,3}(?:[,_'\u2019 \u00a0\u202f\uff0c][0-9]{3})+(?:\.[0-9]+)?")
NOT_FINITE: Final = frozenset({"nan", "inf", "infinity"})
UNKNOWN_WORDS: Final = frozenset({"-", "--", "—", "–", "n/a", "na", "null", "none", "unknown", "?"})
LARGEST: Final = 1e18


@dataclass(frozen=True, slots=True)
class Typed:
    """A number and how many decimals were typed; None where an exponent leaves that open."""

    value: float
    decimals: int | None


@dataclass(frozen=True, slots=True)
class Rejected:
    """Why a text is no number for us, and what to write instead."""

    problem: str
    remedy: str


def parse_number(text: str, *, may_be_negative: bool = False) -> Typed | Rejected:
    """Read a plain decimal number: digits, point, digits, exponent; nothing grouped, nothing infinite."""
    match = PLAIN.fullmatch(text)
    if match is None:
        return _not_plain(text)
    value = float(text) + 0.0  # turns -0.0 into 0.0
    if value < 0 and not may_be_negative:
        return Rejected(f"{quote(text)} is negative", "write a number not below 0, or leave the cell empty")
    if vanishes(text, value):
        return Rejected(f"{quote(text)} is too near 0 to be told from it", "write 0, or check the exponent")
    if abs(value) > LARGEST:
        return Rejected(f"{quote(text)} is above {LARGEST:g}", "check the number and its unit")
    return Typed(value, None if match["exponent"] else len(match["fraction"] or ""))


def vanishes(text: str, value: float) -> bool:
    """Say whether a number that was typed as other than 0 was read as 0, which no later formula would notice."""
    return value == 0 and re.search(r"[1-9]", re.split("[eE]", text)[0]) is not None


def _not_plain(text: str) -> Rejected:
    bare = text.lstrip("+-").lower()
    if bare in NOT_FINITE:
        return Rejected(f"{quote(text)} is not a finite number", "leave the cell empty where nothing is known")
    if text.lower() in UNKNOWN_WORDS:
        return Rejected(f"{quote(text)} is not a number", "leave the cell empty where nothing is known")
    if GROUPED.fullmatch(text):
        plain = re.sub(r"[^0-9.+-]", "", text)
        return Rejected(f"{quote(text)} has a thousands separator", f"write {quote(plain)[1:-1]}")
    return Rejected(f"{quote(text)} is not a plain decimal number", "write digits and a point, as in 12.5")


def decimals_of(found: float) -> int | None:
    """Return the decimals of the shortest text that reads as this number; None where it takes an exponent."""
    text = repr(float(found))
    if "e" in text:
        return None
    return 0 if text.endswith(".0") else len(text.partition(".")[2])
