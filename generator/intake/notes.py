"""What is to be said of an import besides where each run went: a line a thing."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from generator.errors import InputError, quote
from generator.intake.mixing import Mixed
from generator.intake.placing import Placed
from generator.intake.taking_in import Outcome
from generator.runs.imported import (
    BATCHES_TOGETHER,
    ENTRIES_LEFT_OUT,
    IMPOSSIBLE_TIMES,
    RECORDS_BESIDE,
    REQUESTS_IN_A_SAMPLE,
    Run,
)
from generator.store.files import printable, shown
from generator.store.round_file import ROUND_FILE
from generator.text import counted

MOST_NAMES: Final = 4
"""Names that a line repeats; of the others it says how many."""
MOST_LOOKS: Final = 10
"""Lines about files that were passed over."""
LEFT_OUT: Final = {
    RECORDS_BESIDE: "beside it {n:lies|lie} {n} single {n:request|requests}, not as many as it counts: its totals "
    "alone were taken",
    REQUESTS_IN_A_SAMPLE: "it holds {n} of its requests, and not all: its totals alone were taken",
    ENTRIES_LEFT_OUT: "{n} of its entries {n:was|were} not kept, for there are too many",
    IMPOSSIBLE_TIMES: "a time of {n} of its requests cannot be, and is taken for unknown",
    BATCHES_TOGETHER: "its {n} batches are too many for a run each, and are taken together",
}
"""Entry of a summary -> what it says of what was not taken."""
LOAD_NAME: Final = re.compile(r"(?<!acceptance_)rate|concurren|parallel|users|qps|rps", re.IGNORECASE)
"""What stands in the name of an entry that tells the load, if only that there was no limit."""


def notes(outcome: Outcome, into: Path) -> Iterator[str]:
    """Yield what the user should know of an import, a line each.

    Args:
        outcome: what came of it.
        into: the round's folder.
    """
    for name, what in outcome.repeated.items():
        yield f"{printable(name)} {what}; it counts once"
    yield from (_mixed(one) for one in outcome.mixed)
    if outcome.tables and outcome.placed:
        yield f"beside what was imported, the round has tables of results that no run backs: {_listed(outcome.tables)}"
    yield from _left_out(outcome.placed)
    yield from _passed(outcome.passed)
    yield from _without_load(outcome.placed)
    if outcome.new_series:
        yield f"{shown(into / ROUND_FILE)} now has {_listed(outcome.new_series)}; complete it (docs/rounds.md)"


def _mixed(one: Mixed) -> str:
    told = [f"{quote(name)}{_texts(texts)}" for name, texts in one.told.items()]
    return (
        f"{one.series}: trials of {_listed(one.levels)} differ in {_listed(told)}; "
        "where they are different configurations, import each with a --series of its own"
    )


def _texts(texts: Sequence[str]) -> str:
    """Return what the runs say, in brackets; nothing where only some of them have the entry at all."""
    return f" ({' / '.join(quote(text) for text in texts[:MOST_NAMES])})" if len(texts) > 1 else " (not in all)"


def _listed(names: Sequence[str]) -> str:
    if len(names) > MOST_NAMES:
        return f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more"
    *first, last = names
    return f"{', '.join(first)} and {last}" if first else last


def _left_out(placed: Sequence[Placed]) -> Iterator[str]:
    """Yield what was not taken of results, those of which the same is to be said in one line."""
    groups: dict[str, list[str]] = defaultdict(list)
    for one in placed:
        for name, said in LEFT_OUT.items():
            count = one.arrived.run.summary.get(name)
            if isinstance(count, int | float):
                groups[counted(said, n=f"{count:.0f}")].append(printable(one.arrived.name))
    for said, names in groups.items():
        yield f"{_listed(names)}: {said}"


def _passed(passed: Sequence[InputError]) -> Iterator[str]:
    """Yield what the files look like that were passed over, those that look alike in one line."""
    groups: dict[str, list[str]] = defaultdict(list)
    for one in passed:
        groups[one.problem].append(one.file)
    for problem, files in list(groups.items())[:MOST_LOOKS]:
        yield f"passed over: {_listed(files)}: {problem}"
    left = sum(len(files) for files in list(groups.values())[MOST_LOOKS:])
    if left:
        yield counted("passed over: {n} more {n:file|files} of no known format", n=left)


def _without_load(placed: Sequence[Placed]) -> Iterator[str]:
    """Yield what to write down of levels whose files say nothing of their load."""
    silent = [one for one in placed if _says_no_load(one.arrived.run)]
    for series, level in dict.fromkeys((one.series, one.level) for one in silent):
        yield (
            f"{series}/{level}: the files say nothing of the load; where it is known, add to {ROUND_FILE}: "
            f'[[level]], series = ["{series}"], id = "{level}" and concurrency = … or rate = …, a line each'
        )


def _says_no_load(run: Run) -> bool:
    # One that is called by its place in a table has no other name.
    known = run.concurrency is not None or run.rate is not None or run.test not in (None, run.place)
    results = {one.key for one in run.reported}
    return not known and not any(LOAD_NAME.search(name) for name in run.summary if name not in results)
