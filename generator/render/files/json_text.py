"""Data as JSON that a program reads fast and a person can page through: objects key by key, lists item by item."""

from __future__ import annotations

import json
from typing import Final

ENCODER: Final = json.JSONEncoder(ensure_ascii=False, allow_nan=False)
"""Runs in C, for it does not indent; what an item holds it writes at once."""


def in_lines(thing: object, line: str = "\n") -> str:
    """Return data as text, Unicode as it is: an object with a line for each key, a list of objects with one for each.

    Args:
        thing: what to write.
        line: begins each line at the depth of the thing; one space more a level.

    Raises:
        ValueError: a number is NaN or infinite.
        TypeError: a key is no text, or something is nothing that JSON knows.
    """
    inner = line + " "
    if isinstance(thing, dict) and thing:
        pairs = (f"{_key(key)}: {in_lines(part, inner)}" for key, part in thing.items())
        return f"{{{inner}{f',{inner}'.join(pairs)}{line}}}"
    if isinstance(thing, list | tuple) and any(isinstance(part, dict | list | tuple) for part in thing):
        return f"[{inner}{f',{inner}'.join(map(ENCODER.encode, thing))}{line}]"
    return ENCODER.encode(thing)


def _key(key: object) -> str:
    if not isinstance(key, str):
        raise TypeError(f"{key!r} is no key of JSON")
    return ENCODER.encode(key)
