"""Which method fits what there is of a row, and what it finds."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from typing import Final

import numpy as np

from generator.comparing import blocks, exact, noise, telling, welch
from generator.comparing.records import DEFAULT_MARGIN, Estimate, Grade, Measured, MethodKey
from generator.comparing.sides import Side, are_identical, share_runs
from generator.comparing.usual import FAILURES
from generator.told.sentence import Sentence

"""The metric that is a count, and is tested as one."""
ENOUGH_TRIALS: Final = 3
"""Trials on each side for a verdict: of two, the spread says next to nothing."""
FEWEST_TRIALS: Final = 2
"""Trials on each side for an interval."""
NEEDED: Final = {"p50": 20, "p90": 20, "p95": 20, "p99": 100, "mean": 20}
"""Fewest requests that an interval of a statistic can rest on; of a p99, one then lies beyond it."""
DEFAULT_BOUND: Final = math.log1p(DEFAULT_MARGIN)


@dataclass(frozen=True, slots=True)
class Found:
    """What a method finds of a row, before it is judged.

    ``is_firm``: whether it may bear a verdict, or can only suggest one. ``log_bound`` is what noise alone may make.
    ``is_spoilt``: whether the level is unfit for conclusions, so that there is nothing but the numbers themselves;
    ``is_one_spoilt``: whether it is so in one of the rounds alone, which is itself a difference.
    """

    method: MethodKey
    base: Measured
    head: Measured
    estimate: Estimate | None = None
    p: float | None = None
    grade: Grade | None = None
    is_firm: bool = False
    log_bound: float | None = None
    reasons: tuple[Sentence, ...] = ()
    is_spoilt: bool = False
    is_one_spoilt: bool = False


@dataclass(frozen=True)
class Row:
    """A metric of one level, on both sides.

    ``histories`` are values of earlier rounds, one list a setting; ``threshold`` is what noise alone may make of it
    as a share of the base, where somebody set it.
    """

    metric: str
    base: Side
    head: Side
    margin: float
    histories: Sequence[Sequence[float]] = ()
    threshold: float | None = None
    values: tuple[tuple[float, ...], tuple[float, ...]] = field(init=False)

    def __post_init__(self) -> None:
        """Look the values of the trials up."""
        values = (self.base.values(self.metric), self.head.values(self.metric))
        object.__setattr__(self, "values", values)


def find(row: Row) -> Found:
    """Return what there is to be found of a row, by the strongest method that it allows."""
    if all(row.values) and are_identical(row.base, row.head):
        return _identical(row)
    obstacle = _obstacle(row)
    if obstacle is not None:
        return _nothing(row, "none", obstacle)
    if row.metric == FAILURES:
        return _of_shared(row, _counted(row))
    if min(map(min, row.values)) <= 0:
        return _nothing(row, "none", telling.ZERO_BASE)
    found = _of_shared(row, _of_trials(row) or _of_one_run(row) or _of_summaries(row))
    if not _is_spoilt(row):
        return found
    return replace(found, is_firm=False, is_spoilt=True, is_one_spoilt=row.base.is_spoilt != row.head.is_spoilt)


def _of_shared(row: Row, found: Found) -> Found:
    """Take its firmness from what takes runs of both sides to be independent, where one of them is on both."""
    if not share_runs(row.base, row.head):
        return found
    return replace(found, is_firm=False, grade="C", reasons=(*found.reasons, telling.SHARED_RUN))


def _obstacle(row: Row) -> Sentence | None:
    """Return why a row cannot be compared; None where it can. Failures are counted whatever they spoil."""
    if row.metric == FAILURES:
        return None if all(row.values) else telling.ONE_SIDED
    if any(map(_all_failed, _failures(row))):
        return telling.ALL_FAILED
    return None if all(row.values) else telling.ONE_SIDED


def _is_spoilt(row: Row) -> bool:
    return row.base.is_spoilt or row.head.is_spoilt


def _failures(row: Row) -> tuple[tuple[exact.Failures, ...], tuple[exact.Failures, ...]]:
    return row.base.failures(), row.head.failures()


def _all_failed(runs: Sequence[exact.Failures]) -> bool:
    return any(one.sent for one in runs) and all(one.failed == one.sent for one in runs)


def _measured(row: Row, counts: tuple[int | None, int | None] = (None, None)) -> tuple[Measured, Measured]:
    sides = zip(row.values, counts, _failures(row), strict=True)
    before, after = (Measured(_middle(values), len(values), n, _all_failed(runs)) for values, n, runs in sides)
    return before, after


def _middle(values: Sequence[float]) -> float | None:
    """Return the geometric mean; the arithmetic one where a value is not positive, None of nothing."""
    if not values:
        return None
    if len(values) > 1 and min(values) > 0:
        return math.exp(math.fsum(map(math.log, values)) / len(values))
    return math.fsum(values) / len(values)


def _nothing(row: Row, method: MethodKey, reason: Sentence) -> Found:
    return Found(method, *_measured(row), reasons=(reason,))


def _identical(row: Row) -> Found:
    estimate = Estimate(0.0) if min(map(min, row.values)) > 0 else None
    return Found("identical", *_measured(row), estimate, reasons=(telling.IDENTICAL,))


def _counted(row: Row) -> Found:
    """Test counts of failures; trials are pooled where they may share one rate."""
    before, after = _failures(row)
    if not (before and after):
        return _nothing(row, "none", telling.ONE_SIDED)
    pooled = exact.pooled(before), exact.pooled(after)
    sides = _failed(pooled[0], len(before)), _failed(pooled[1], len(after))
    even, spoilt = exact.is_even(before) and exact.is_even(after), _is_spoilt(row)
    reasons = _reasons_of_trials(row) + (() if even else (telling.UNEVEN_FAILURES,))
    reasons += (telling.SPOILT,) if spoilt else ()
    firm = even and _has_enough(row) and not spoilt
    p = exact.p_value(*pooled)
    return Found("exact", *sides, _ratio_of(*pooled), p, "A" if firm else "B", firm, reasons=reasons)


def _failed(pooled: exact.Failures, trials: int) -> Measured:
    return Measured(float(pooled.failed), trials, pooled.sent)


def _ratio_of(base: exact.Failures, head: exact.Failures) -> Estimate | None:
    if not (base.failed and head.failed):
        return None
    return Estimate(math.log(head.failed / head.sent) - math.log(base.failed / base.sent))


def _has_enough(row: Row) -> bool:
    return min(map(len, row.values)) >= ENOUGH_TRIALS


def _reasons_of_trials(row: Row) -> tuple[Sentence, ...]:
    copies = (telling.COPIES,) if row.base.has_copies or row.head.has_copies else ()
    if _has_enough(row):
        return copies
    return (*copies, telling.ONE_RUN if max(map(len, row.values)) == 1 else telling.FEW_TRIALS)


def _of_trials(row: Row) -> Found | None:
    """Test the trials, where there are two on each side at least and they differ from each other."""
    if min(map(len, row.values)) < FEWEST_TRIALS:
        return None
    before, after = (np.array(values, dtype=np.float64) for values in row.values)
    estimate = welch.estimate(before, after, row.margin)
    if estimate is None:
        return None
    firm = _has_enough(row)
    measured = _measured(row, (len(before), len(after)))
    reasons = _reasons_of_trials(row)
    return Found("welch", *measured, estimate, estimate.p, "A" if firm else "C", firm, reasons=reasons)


def _of_one_run(row: Row) -> Found | None:
    """Resample the requests of the two runs, where each side has one and its requests are on record."""
    runs = row.base.requests(), row.head.requests()
    before, after = row.base.deviations(row.metric), row.head.deviations(row.metric)
    if runs[0] is None or runs[1] is None or before is None or after is None:
        return None
    estimate = blocks.estimate(_log_ratio(row), before, after)
    counts = int(runs[0].spoke.sum()), int(runs[1].spoke.sum())
    enough = min(counts) >= NEEDED.get(row.metric.rpartition("_")[2], NEEDED["mean"])
    reasons = _reasons_of_trials(row) + (() if enough else (telling.FEW_SAMPLES,))
    return Found("blocks", *_measured(row, counts), estimate, None, "B" if enough else "C", reasons=reasons)


def _of_summaries(row: Row) -> Found:
    """Hold the change against what noise alone may make."""
    bound, source = _bound(row)
    counts = sorted(map(len, row.values))
    one_sided = counts[0] == 1 < counts[1]
    spread = telling.UNEVEN_RUNS if one_sided else telling.ONE_RUN if counts[1] == 1 else telling.NO_SPREAD
    copies = (telling.COPIES,) if row.base.has_copies or row.head.has_copies else ()
    estimate = Estimate(_log_ratio(row))
    return Found("noise", *_measured(row), estimate, None, "C", log_bound=bound, reasons=(*copies, spread, source))


def _bound(row: Row) -> tuple[float, Sentence]:
    """Return the largest |ln ratio| that noise alone may make, and where it is from."""
    if row.threshold is not None:
        return math.log1p(row.threshold), telling.SET_BOUND
    learnt = noise.bound_of(row.histories)
    return (DEFAULT_BOUND, telling.DEFAULT_BOUND) if learnt is None else (learnt, telling.HISTORY_BOUND)


def _log_ratio(row: Row) -> float:
    """Return ln(head ÷ base) of the geometric means; when the sides are swapped only its sign changes."""
    before, after = (math.fsum(map(math.log, values)) / len(values) for values in row.values)
    return after - before
