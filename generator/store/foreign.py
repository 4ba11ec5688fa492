"""A run from a foreign document: its numbers by what the mapping says they mean, its plain entries as they are."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from generator.errors import InputError, quote
from generator.mapping import Mapped, ours
from generator.redaction import redact
from generator.runs.imported import ENTRIES_LEFT_OUT, IMPOSSIBLE_TIMES, Reported, Run
from generator.runs.requests import Requests
from generator.store.numbers import LARGEST, PLAIN
from generator.store.redact import redact_entry

Scalar = str | float | bool | None

TEXTS: Final = frozenset({"generated_text", "generated_texts", "prompt", "prompts", "text", "texts", "content"})
"""Names of entries that hold texts of users."""
LONGEST_TEXT: Final = 1000
"""Characters of the longest entry that is taken for a setting; what is longer is taken for a text of a user."""
LONGEST_READ: Final = 8 * LONGEST_TEXT
"""Characters in which secrets are looked for, before a text is cut: half a key looks like none."""
LONGEST_NAME: Final = 200
MOST_ENTRIES: Final = 5000
"""Plain entries of a run that are kept."""
REMEDY: Final = "correct the entry, or import the file as the tool wrote it"


def number(value: object) -> float | None:
    """Return a number, also one that is written as text; None for what is none, True and False among it."""
    if isinstance(value, str) and PLAIN.fullmatch(value.strip()):
        value = float(value)
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    try:
        return float(value) + 0.0 if math.isfinite(value) else None  # −0.0 is 0
    except OverflowError:
        return None


def pick(document: object, path: str) -> Any:  # noqa: ANN401 - whatever stands there
    """Return what stands at a dotted path, None where nothing does.

    Names may hold dots themselves: the longest name that is there goes first. A number is the place in a list.
    """
    if isinstance(document, list):
        step, _, rest = path.partition(".")
        inner = document[int(step)] if step.isdecimal() and int(step) < len(document) else None
        return pick(inner, rest) if rest else inner
    if not isinstance(document, dict):
        return None
    if path in document:
        return document[path]
    return next((found for found in _below(document, path) if found is not None), None)


def _below(document: Mapping[str, Any], path: str) -> Iterator[Any]:
    end = path.rfind(".")
    while end > 0:
        if path[:end] in document:
            yield pick(document[path[:end]], path[end + 1 :])
        end = path.rfind(".", 0, end)


def number_at(document: object, *paths: str) -> float | None:
    """Return the number at the first of the paths that has one."""
    found = (number(pick(document, path)) for path in paths)
    return next((one for one in found if one is not None), None)


def limit_at(document: object, *paths: str) -> float | None:
    """Return the limit of a load at the first of the paths that has a number; None where nothing is limited.

    Tools write 0, −1, null or infinity for that.
    """
    found = number_at(document, *paths)
    return found if found is not None and 0 < found <= LARGEST else None


def text_at(document: object, *paths: str) -> str | None:
    """Return the text at the first of the paths that has one, free of what must not be published."""
    for path in paths:
        found = pick(document, path)
        if isinstance(found, str) and found.strip():
            return redact_entry(path.rpartition(".")[2], found.strip()[:LONGEST_READ])[:LONGEST_TEXT]
    return None


def run_of(
    document: object,
    mapping: Iterable[Mapped],
    *,
    file: str,
    place: str = "",
    derived: Iterable[Reported] = (),
    **facts: Any,
) -> Run:
    """Return the run that a document tells of.

    Args:
        document: the document; what was not kept of it is not there.
        mapping: what its numbers mean.
        file: how error lines call the file.
        place: which part of the file it is.
        derived: numbers that were made of those of the document, told behind them.
        facts: the other fields of the run.

    Raises:
        InputError: a number cannot be what the mapping says.
    """
    summary, struck_out = plain_entries(document)
    facts = {"reported": reported_in(document, mapping, file, place), **facts}
    facts["reported"] = (*facts["reported"], *derived)
    facts["struck_out"] = (*struck_out, *facts.get("struck_out", ()))
    facts["summary"] = summary | dict(facts.get("summary", {})) | _impossible(facts.get("requests"))
    return Run(place=place, **facts)


def _impossible(requests: Requests | None) -> dict[str, Scalar]:
    return {IMPOSSIBLE_TIMES: float(requests.impossible)} if requests is not None and requests.impossible else {}


def reported_in(document: object, mapping: Iterable[Mapped], file: str, place: str = "") -> tuple[Reported, ...]:
    """Return the numbers of our metrics that a document gives, of each metric the preferred one.

    What is missing, no number, or 0 where the tool writes that for want of a sample, is left out.

    Raises:
        InputError: a number is below 0, or beyond what is counted.
    """
    found: dict[str, Reported] = {}
    for entry in ours(mapping):
        if entry.metric in found:
            continue
        value = number(pick(document, entry.field))
        if value is None or (value == 0 and entry.zero_is_missing):
            continue
        if not 0 <= value <= LARGEST:
            problem = f"{quote(entry.field)} is {value:g}, where a number from 0 to {LARGEST:g} should be"
            raise InputError(file, place, problem, REMEDY)
        found[entry.metric] = Reported(entry.metric, entry.field, entry.unit, value)
    return tuple(found.values())


def plain_entries(document: object) -> tuple[dict[str, Scalar], tuple[str, ...]]:
    """Return every plain entry of a document by its dotted path, and the names of those that hold texts of users.

    Lists are not gone into: what stands in them is of single requests, or of parts that are runs of their own.
    """
    plain: dict[str, Scalar] = {}
    struck: dict[str, None] = {}
    more = 0
    for path, value in _walk(document, ""):
        if _is_text(path, value):
            struck[redact(path[:LONGEST_READ])[:LONGEST_NAME]] = None
        elif len(plain) < MOST_ENTRIES:
            name = path.rpartition(".")[2]
            plain[redact(path)] = redact_entry(name, value) if isinstance(value, str) else value
        else:
            more += 1
    if more:
        plain[ENTRIES_LEFT_OUT] = float(more)
    return plain, tuple(struck)


def _walk(document: object, path: str) -> Iterator[tuple[str, Scalar]]:
    if isinstance(document, dict):
        for name, value in document.items():
            yield from _walk(value, f"{path}.{name}" if path else str(name))
    elif isinstance(document, int) and not isinstance(document, bool):
        yield path, document if abs(document) <= LARGEST else str(document)[:LONGEST_TEXT]
    elif isinstance(document, float):
        yield path, document if math.isfinite(document) else None
    elif document is None or isinstance(document, str | bool):
        yield path, document


def _is_text(path: str, value: Scalar) -> bool:
    if len(path) > LONGEST_NAME:
        return True
    return isinstance(value, str) and (path.rpartition(".")[2] in TEXTS or len(value) > LONGEST_TEXT)
