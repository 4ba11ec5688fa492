"""From what a method found to a verdict: what may be concluded, what is only suggested, and what stands in the way."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from generator.comparing import telling
from generator.comparing.estimating import Found
from generator.comparing.families import benjamini_hochberg, holm
from generator.comparing.records import SIGNIFICANCE, Difference, Direction, Setting, Verdict
from generator.kinds import Better
from generator.told.sentence import Sentence
from generator.values import Address

TOO_MANY: Final = 2
"""Things that changed at once from which on no cause can be named."""


@dataclass(frozen=True, slots=True)
class Judged:
    """A row with all that its verdict depends on, but p of the other rows.

    ``things`` counts what changed at once; ``is_other_work`` says that the sides were not asked the same,
    ``is_other_output`` that the metric depends on how long answers are, and that they are not of one length.
    """

    address: Address
    better: Better | None
    found: Found
    margin: float
    is_primary: bool
    settings: tuple[Setting, ...] = ()
    things: int = 0
    is_other_work: bool = False
    is_other_output: bool = False

    @property
    def has_no_cause(self) -> bool:
        """Say whether a difference cannot be owed to any one thing."""
        return self.things >= TOO_MANY or self.is_other_output


def judge(rows: Sequence[Judged]) -> list[Difference]:
    """Return the rows with their verdicts; p values are adjusted within the primary metric, and within all others."""
    adjusted: dict[int, float] = {}
    for is_primary, adjust in ((True, holm), (False, benjamini_hochberg)):
        family = [(at, row.found.p) for at, row in enumerate(rows) if row.is_primary == is_primary and _counts(row)]
        corrected = adjust([p for _, p in family if p is not None])
        adjusted.update(zip((at for at, _ in family), corrected, strict=True))
    return [_judged(row, adjusted.get(at)) for at, row in enumerate(rows)]


def _counts(row: Judged) -> bool:
    is_fit = not row.found.is_spoilt or row.found.is_one_spoilt
    return row.found.p is not None and not row.is_other_work and is_fit


def _judged(row: Judged, p: float | None) -> Difference:
    verdict, suggests, reasons = _verdict(row, p)
    found, is_tested = row.found, row.found.grade is not None and verdict != "not_comparable"
    is_confounded = row.has_no_cause and is_tested
    return Difference(
        row.address, row.better, found.base, found.head, found.method, row.is_primary, row.margin, verdict,
        estimate=found.estimate, p=found.p, p_adjusted=p,
        bound=None if found.log_bound is None else math.expm1(found.log_bound),
        suggests=suggests,
        grade="D" if is_confounded else found.grade if is_tested else None,
        reasons=reasons + (tuple(_confounders(row)) if is_confounded else ()),
        changed=row.settings,
    )  # fmt: skip


def _confounders(row: Judged) -> Iterator[Sentence]:
    if row.things >= TOO_MANY:
        yield telling.changed_at_once(row.things)
    if row.is_other_output:
        yield telling.OTHER_OUTPUT


Judgement = tuple[Verdict, Direction | None, tuple[Sentence, ...]]


def _verdict(row: Judged, p: float | None) -> Judgement:
    found = row.found
    if row.is_other_work:
        return "not_comparable", None, (telling.OTHER_WORK, *found.reasons)
    if found.method == "none":
        return ("inconclusive" if telling.ZERO_BASE in found.reasons else "not_comparable"), None, found.reasons
    if found.method == "identical":
        return "same", None, found.reasons
    if found.is_spoilt:
        return _of_spoilt(row, p)
    return _of_tested(row, p)


def _of_tested(row: Judged, p: float | None) -> Judgement:
    """Judge a row of which there is something to be found."""
    found = row.found
    if row.is_other_output:
        return "confounded", _direction(row) if _stands_out(found, p) else None, found.reasons
    if _is_same(found):
        small = (telling.SMALL,) if found.p is not None and found.p < SIGNIFICANCE else ()
        return "same", None, (*found.reasons, telling.WITHIN_MARGIN, *small)
    return _by_direction(row, p)


def _of_spoilt(row: Judged, p: float | None) -> Judgement:
    """Judge a row of a level that is unfit for conclusions.

    It has no direction, but may show that things changed; where one round alone is unfit there, and its numbers stand
    out, it points somewhere: a level that dips below its neighbours is often the regression itself.
    """
    if row.has_no_cause and _stands_out(row.found, row.found.p):
        return "confounded", None, (telling.SPOILT, *row.found.reasons)
    if row.found.is_one_spoilt and _stands_out(row.found, p):
        return "inconclusive", _direction(row), (telling.SPOILT, *row.found.reasons)
    return "not_comparable", None, (telling.SPOILT,)


def _is_same(found: Found) -> bool:
    p = None if found.estimate is None else found.estimate.p_same
    return found.is_firm and p is not None and p < SIGNIFICANCE


def _by_direction(row: Judged, p: float | None) -> Judgement:
    """Judge a row that is not shown to be the same: by its direction where it stands out, else not at all."""
    found = row.found
    if not _stands_out(found, found.p):
        return "inconclusive", None, (*found.reasons, telling.NOT_FOUND)
    direction = _direction(row)
    if direction is None:
        return "inconclusive", None, (*found.reasons, telling.NO_DIRECTION)
    if not _stands_out(found, p):
        leans = None if row.things >= TOO_MANY or found.is_spoilt else direction
        return "inconclusive", leans, (*found.reasons, telling.ONE_OF_MANY)
    if row.things >= TOO_MANY:
        return "confounded", direction, found.reasons
    return (direction if found.is_firm else "inconclusive"), direction, found.reasons


def _stands_out(found: Found, p: float | None) -> bool:
    """Say whether a difference is beyond what noise makes, by the method's own measure."""
    if found.p is not None:
        return p is not None and p < SIGNIFICANCE
    if found.estimate is None:
        return False
    if found.log_bound is not None:
        return abs(found.estimate.log_ratio) > found.log_bound
    low, high = found.estimate.log_low, found.estimate.log_high
    return low is not None and high is not None and not low <= 0 <= high


def _direction(row: Judged) -> Direction | None:
    """Return whether the head round is better or worse by the numbers alone."""
    rise = _rise(row.found)
    if row.better is None or rise == 0:
        return None
    return "better" if (rise > 0) == (row.better == "higher") else "worse"


def _rise(found: Found) -> float:
    """Return a number whose sign says where the value went; counts are compared with all requests."""
    if found.estimate is not None:
        return found.estimate.log_ratio
    before, after = ((one.value or 0.0) / (one.n or 1) for one in (found.base, found.head))
    return after - before
