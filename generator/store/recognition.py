"""Telling the kind of a file by how it begins: by what stands in it, never by its name.

A recogniser says how many marks of its own it finds, 0 for none. The most marks win, so that of two tools whose files
share entries the one that is known more closely takes the file.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Final

from generator.errors import InputError
from generator.kinds import Importer
from generator.store.files import shown
from generator.store.unpacking import unpacked_head

Recogniser = Callable[[bytes], int]
BEGINS_JSON: Final = re.compile(rb"\s*(?:\{\s*(?:[\"}]|\Z)|\[\s*(?:[\[{\]]|\Z))")
"""How JSON begins that may be a result, against a log line that begins with a bracket."""


def is_json(path: Path) -> bool:
    """Say whether a file begins as JSON does that may be a result.

    Raises:
        InputError: it cannot be read or unpacked.
    """
    return BEGINS_JSON.match(unpacked_head(path)) is not None


def json_entries(*names: str, without: Iterable[str] = ()) -> Recogniser:
    """Return a recogniser of JSON in whose beginning all names stand as those of entries, at any depth.

    Args:
        names: the names; a file has as many marks as there are.
        without: names that files of this kind never have.
    """
    wanted = [_entry(name) for name in names]
    others = [_entry(name) for name in without]

    def recognise(head: bytes) -> int:
        if not BEGINS_JSON.match(head) or any(other.search(head) for other in others):
            return 0
        return len(wanted) if all(one.search(head) for one in wanted) else 0

    return recognise


def _entry(name: str) -> re.Pattern[bytes]:
    return re.compile(rb'"' + re.escape(name.encode()) + rb'"\s*:')


def yaml_entries(*names: str) -> Recogniser:
    """Return a recogniser of YAML in whose beginning all names stand as those of entries, at any depth."""
    return text_marks(*(rb"^[ -]*" + re.escape(name.encode()) + rb":(?:\s|$)" for name in names))


def text_marks(*patterns: bytes) -> Recogniser:
    """Return a recogniser of texts, no JSON, in whose beginning all patterns are found."""
    wanted = [re.compile(pattern, re.MULTILINE) for pattern in patterns]

    def recognise(head: bytes) -> int:
        return 0 if BEGINS_JSON.match(head) or not all(one.search(head) for one in wanted) else len(wanted)

    return recognise


def csv_header(*names: str) -> Recogniser:
    """Return a recogniser of tables one row of whose beginning has all names as cells."""
    cells = {name.encode() for name in names}

    def recognise(head: bytes) -> int:
        rows = (re.split(rb"[,;\t|]", line) for line in head.splitlines())
        found = any(cells <= {cell.strip(b" \"'") for cell in row} for row in rows)
        return len(cells) if found and not BEGINS_JSON.match(head) else 0

    return recognise


def best_of(*recognisers: Recogniser) -> Recogniser:
    """Return a recogniser of whatever one of several takes, with as many marks as the best of them finds."""
    return lambda head: max(int(one(head)) for one in recognisers)


def recognise(path: Path, importers: Mapping[str, Importer]) -> Importer | None:
    """Return the importer that takes a file, by its first bytes; None where none does.

    Raises:
        InputError: the file cannot be read or unpacked, or is as much of one kind as of another.
    """
    head = unpacked_head(path)
    marks = {key: int(importer.recognises(head)) for key, importer in importers.items()}
    most = max(marks.values(), default=0)
    best = [key for key, found in marks.items() if found == most]
    if not most:
        return None
    if len(best) > 1:
        problem = f"may be of {' or of '.join(best)}: it has as many marks of each"
        raise InputError(shown(path), "", problem, "say which with --format")
    return importers[best[0]]
