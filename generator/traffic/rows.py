"""One request as a file tells it, and its numbers as they stand in cells and entries."""

from __future__ import annotations

import math
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Final

from generator.declared.profiles import FARTHEST
from generator.errors import quote

LONGEST: Final = 2_000_000
"""Tokens of the longest prompt or answer."""
QUICK: Final = 6
"""Digits of a length that is read without further ado; nearly all have no more."""
NOTHING: Final = object()
PLACE: Final = "the file as it was published"


@dataclass(frozen=True, slots=True)
class Row:
    """One request; None is what is not known.

    Attributes:
        text: its prompt.
        input_tokens: tokens of its prompt.
        output_tokens: tokens of its answer; 0 where it had none.
        at: when it came, in s on the clock of the file.
        duration: how long it took, in s.
    """

    text: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    at: float | None = None
    duration: float | None = None


class UnfitError(ValueError):
    """A cell or an entry that is not what it has to be.

    Attributes:
        field: which entry; empty where the place says it.
        said: what is wrong, without a word of the file.
        problem: the same, with what was found.
        remedy: what to do about it.
    """

    def __init__(self, field: str, said: str, remedy: str = f"take {PLACE}", *, found: object = NOTHING) -> None:
        """Keep the parts of the line that the user may be shown."""
        super().__init__(said)
        self.field, self.said, self.remedy = field, said, remedy
        self._found = found

    @property
    def problem(self) -> str:
        """Return what is wrong, with what was found quoted."""
        return self.said if self._found is NOTHING else f"{quote(self._found)} {self.said}"


def number(raw: object, field: str = "") -> float:
    """Return a finite number.

    Raises:
        UnfitError: it is none.
    """
    try:
        found = float(raw) if isinstance(raw, int | float | str) and not isinstance(raw, bool) else math.nan
    except (ValueError, OverflowError):
        found = math.nan
    if not math.isfinite(found):
        raise UnfitError(field, "is no number", found=raw)
    return found


def length(raw: object, field: str = "") -> int:
    """Return a length in tokens; 0 is one as well, of a request that failed.

    Raises:
        UnfitError: it is no whole number, or too large for one.
    """
    if isinstance(raw, str) and len(raw) <= QUICK and raw.isdecimal():
        return int(raw)
    found = number(raw, field)
    if not 0 <= found <= LONGEST or found != int(found):
        said = f"is no length: expected a whole number of tokens up to {LONGEST}"
        raise UnfitError(field, said, "correct the line, or remove it", found=raw)
    return int(found)


def date(raw: str, field: str = "") -> float:
    """Return a date in s since 1970; one without a zone is taken for UTC.

    Raises:
        UnfitError: it is none.
    """
    try:
        read = datetime.fromisoformat(raw.strip())
        return (read if read.tzinfo is not None else read.replace(tzinfo=UTC)).timestamp()
    except (ValueError, OverflowError) as error:
        raise UnfitError(field, "is no date", found=raw) from error


def moment(raw: object, field: str = "", per_second: float = 1.0) -> float:
    """Return a time in s, told in a unit of which a second has ``per_second``.

    Raises:
        UnfitError: it is no number, or no time that a request can have come at.
    """
    found = number(raw, field) / per_second
    if not abs(found) <= FARTHEST:
        raise UnfitError(field, "is no time", found=raw)
    return found


def duration(raw: object, field: str = "", per_second: float = 1.0) -> float:
    """Return a span of time in s, told in a unit of which a second has ``per_second``.

    Raises:
        UnfitError: it is no number, below 0, or longer than anything lasts.
    """
    found = number(raw, field) / per_second
    if not 0 <= found <= FARTHEST:
        raise UnfitError(field, "is no span of time", found=raw)
    return found
