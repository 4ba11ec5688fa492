"""Data as JSON that a program reads fast and a person can page through: objects key by key, lists item by item."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Final

ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
"""Runs in C, for it does not indent; what an item holds it writes at once."""


def in_lines(thing: object, end: str = "") -> str:
    """Return data as text, Unicode as it is: an object with a line for each key, a list of objects with one for each.

    Args:
        thing: what to write.
        end: what stands behind it.

    Raises:
        ValueError: a number is NaN or infinite.
        TypeError: a key is no text, or something is nothing that JSON knows.
    """
    return "".join([*_pieces(thing, "\n"), end])


def _pieces(thing: object, line: str) -> Iterator[str]:
    """Yield the text in pieces, which are joined once: tens of megabytes would be copied at each level.

    ``line`` begins each line at the depth of the thing; one space more a level.
    """
    inner = line + " "
    if isinstance(thing, dict) and thing:
        before = "{"
        for key, part in thing.items():
            yield f"{before}{inner}{_key(key)}: "
            yield from _pieces(part, inner)
            before = ","
        yield line + "}"
    elif isinstance(thing, list | tuple) and any(isinstance(part, dict | list | tuple) for part in thing):
        before = "["
        for part in thing:
            yield before + inner
            yield ENCODER.encode(part)
            before = ","
        yield line + "]"
    else:
        yield ENCODER.encode(thing)


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{key!r} is no key of JSON")
    return ENCODER.encode(key)
