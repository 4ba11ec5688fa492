"""Ids for what is imported: names of folders that every disk can hold and that nothing else has."""

from __future__ import annotations

import re
from collections.abc import Iterable
from itertools import count
from typing import Final

from generator.runs.imported import Run
from generator.store.names import objection_to_series

LONGEST_ID: Final = 60


def load_id(run: Run) -> str:
    """Return the id of a level by its load: ``c8``, ``r2.5``, ``r10-c8`` or, without any limit, ``all-at-once``.

    What was run without a server is called as its tool calls it: ``pp512``.
    """
    if run.test is not None:
        return slug(run.test)
    rate = f"r{_number(run.rate)}" if run.rate is not None else ""
    limit = f"c{_number(run.concurrency)}" if run.concurrency is not None else ""
    return "-".join(part for part in (rate, limit) if part) or "all-at-once"


def _number(value: float) -> str:
    """Return a number as short as it can be told from all others; a plus sign is none of an id's."""
    short = f"{value:.10g}"
    return (short if float(short) == value else repr(float(value))).replace("+", "")


def slug(words: str) -> str:
    """Return an id made of some words; ``series`` where nothing of them is left."""
    clean = re.sub(r"[^a-z0-9._]+", "-", words.lower()).strip("-._")
    return clean[:LONGEST_ID].strip("-._") or "series"


def free_id(wanted: str, taken: Iterable[str], beside: Iterable[str] = ()) -> str:
    """Return the id itself, or with ``-2``, ``-3`` … behind it: the first that nothing else has.

    Args:
        wanted: what it should be.
        taken: ids of others.
        beside: names of folders that it may be equal to, but not in other letters.
    """
    others = set(taken)
    candidates = (wanted if nth == 1 else f"{wanted}-{nth}" for nth in count(1))
    return next(one for one in candidates if one not in others and not objection_to_series(one, [*others, *beside]))
