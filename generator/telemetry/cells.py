"""Cells as nvidia-smi prints them: numbers with units, the many words for there being none, times, yes and no."""

from __future__ import annotations

import math
import re
from datetime import UTC, datetime
from typing import Final

from generator.telemetry.samples import LARGEST, Clock

NUMBER: Final = re.compile(r"([-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?)\s*([^\s\d][^\s]*)?")
MASK: Final = re.compile(r"0[xX][0-9a-fA-F]{1,16}")
MOST_DIGITS: Final = 40
"""Characters of a cell that can be a number or a time."""

MEBI: Final = float(2**20)
UNITS: Final = {
    "W": 1.0, "mW": 1e-3, "MHz": 1e6, "GHz": 1e9, "Hz": 1.0, "%": 0.01, "C": 1.0,
    "B": 1.0, "KiB": 2.0**10, "MiB": MEBI, "MB": MEBI, "GiB": 2.0**30,
}  # fmt: skip
"""Unit -> how many base units it is. What old releases print as MB are MiB."""

WITHOUT_UNIT: Final = {
    "power": "W", "power_limit": "W", "sm_clock": "MHz", "sm_clock_most": "MHz", "memory_clock": "MHz",
    "utilisation_gpu": "%", "temperature": "C", "memory_used": "MiB",
}  # fmt: skip
"""Field -> the unit in which it is printed where none is."""

WORDS: Final = re.compile(
    r"\[?(?:N/?A|Not Supported|Not Available|Unknown Error|Insufficient Permissions|GPU is lost[^\]]*|Unknown|"
    r"Requested functionality has been deprecated|-)\]?|",
    re.IGNORECASE,
)
"""What stands where there is no number."""
YES: Final = "active"
NO: Final = "not active"


def is_missing(cell: str) -> bool:
    """Say whether a cell holds a word for there being no number, or nothing."""
    return WORDS.fullmatch(cell.strip()) is not None


def number(cell: str, name: str, unit: str = "") -> float | None:
    """Return the number of a cell in base units; None where it is none.

    Args:
        cell: as printed: ``76.78 W``, ``0 %``, ``3201``, ``0x0000000000000004``.
        name: of the field.
        unit: in which it is where the cell does not say; the usual one of the field where this is empty.
    """
    text = cell.strip()[:MOST_DIGITS]
    if MASK.fullmatch(text):
        return float(int(text, 16))
    found = NUMBER.fullmatch(text)
    if found is None:
        return None
    factor = UNITS.get(found[2] or unit or WITHOUT_UNIT.get(name, ""), None if found[2] or unit else 1.0)
    value = math.nan if factor is None else float(found[1]) * factor
    return value if abs(value) < LARGEST else None


def flag(cell: str) -> bool | None:
    """Return what ``Active`` and ``Not Active`` say; None for any other word."""
    return {YES: True, NO: False}.get(cell.strip().lower())


FORMS: Final = ("%Y/%m/%d %H:%M:%S.%f", "%Y/%m/%d %H:%M:%S", "%a %b %d %H:%M:%S %Y", "%Y%m%d %H:%M:%S")


def moment(text: str) -> tuple[float, Clock] | None:
    """Return a time in seconds since 1970 and the clock that it is of; None where it cannot be read.

    nvidia-smi prints local time without a zone; scripts write ISO 8601, with a zone or without, or seconds since 1970.
    A time without a zone is taken as if it were UTC: its differences are right, and nothing else of it is used.
    """
    text = " ".join(text.split())
    if len(text) > MOST_DIGITS:
        return None
    if re.fullmatch(r"\d{9,10}(?:\.\d{1,9})?", text):
        return float(text), "utc"
    found = _iso(text) or next((time for form in FORMS if (time := _formed(text, form)) is not None), None)
    if found is None:
        return None
    clock: Clock = "local" if found.tzinfo is None else "utc"
    try:
        return (found if found.tzinfo is not None else found.replace(tzinfo=UTC)).timestamp(), clock
    except (ValueError, OverflowError):
        return None


def _iso(text: str) -> datetime | None:
    if not re.match(r"\d{4}-\d{2}-\d{2}[T ]\d{2}:", text):
        return None
    try:
        return datetime.fromisoformat(text)
    except ValueError:
        return None


def _formed(text: str, form: str) -> datetime | None:
    try:
        return datetime.strptime(text, form)  # noqa: DTZ007  # the file has no zone
    except ValueError:
        return None
