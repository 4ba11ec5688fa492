"""How many requests were answered, of tools that count those they sent and those that failed."""

from __future__ import annotations

from dataclasses import replace

from generator.errors import InputError, quote
from generator.imported import Reported, Run
from generator.store.foreign import REMEDY, number_at


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
