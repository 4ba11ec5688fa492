"""Totals that a file does not give, from the numbers that it does: told with the names of both."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from generator.errors import InputError, quote
from generator.runs.imported import RECORDS_BESIDE, Reported, Run
from generator.runs.requests import Requests
from generator.store.foreign import REMEDY, number_at
from generator.store.numbers import LARGEST

WHOLE: Final = 1e-6
"""Relative distance from a whole number within which a product of a mean is that number."""


def of_same_run(requests: Requests | None, counted: float | None) -> tuple[dict[str, float], Requests | None]:
    """Return the requests that lie beside a result, where they are as many as it counts.

    Where they are not, what its summary is to say of them instead: how many there are.
    """
    if requests is None or len(requests) == counted:
        return {}, requests
    return {RECORDS_BESIDE: float(len(requests))}, None


def total_of(document: object, mean: str, count: str, metric: str) -> list[Reported]:
    """Return the total that a mean was taken from; nothing where one is missing, below 0, or beyond what is counted."""
    each, times = number_at(document, mean), number_at(document, count)
    if each is None or times is None or each < 0 or times < 0 or each * times > LARGEST:
        return []
    total = each * times
    near = round(total)
    exact = float(near) if abs(total - near) <= WHOLE * max(total, 1.0) else total
    return [Reported(metric, f"{mean} × {count}", "tok", exact)]


def span_of(document: object, count: str, rate: str, per: float = 1.0) -> list[Reported]:
    """Return the seconds that a rate was taken over, if they can be; ``per`` are those of the rate's unit of time."""
    times, each = number_at(document, count), number_at(document, rate)
    if times is None or each is None or times <= 0 or each <= 0 or times * per > LARGEST * each:
        return []
    unit = f" × {per:g}" if per != 1 else ""
    return [Reported("duration", f"{count} ÷ {rate}{unit}", "s", times / each * per)]


def answered(run: Run, document: object, total: str, *lost: str, file: str) -> Run:
    """Return a run with ``completed``: the requests of ``total`` less the lost ones.

    The key that it stands under is the subtraction itself; where a count is missing, nothing is said.

    Args:
        run: the run; where it says ``completed`` already, it stays as it is.
        document: where the counts stand.
        total: dotted path of the requests that were sent.
        lost: dotted paths of those that came to nothing.
        file: how error lines call the file.

    Raises:
        InputError: more were lost than sent.
    """
    counts = [number_at(document, path) for path in (total, *lost)]
    if None in counts or any(one.metric == "completed" for one in run.reported):
        return run
    sent, *gone = (count or 0.0 for count in counts)
    left = sent - sum(gone)
    if left < 0:
        names = " and ".join(quote(path) for path in lost)
        raise InputError(file, run.place, f"{names} count more requests than {quote(total)}", REMEDY)
    found = Reported("completed", " − ".join((total, *lost)), "1", left)
    return replace(run, reported=(*run.reported, found))
