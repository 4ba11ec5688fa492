"""Entries of foreign documents that are left out whole: hosts without a scheme, command lines, texts of users."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import Any


def without(document: Any, names: Collection[str]) -> tuple[Any, tuple[str, ...]]:  # noqa: ANN401 - any JSON
    """Return a document without the entries of some names, at any depth, and where those stood.

    Args:
        document: the document, which stays as it is; lists in it are not gone into.
        names: the names; an entry that holds nothing is left out, too, but is not worth a word.
    """
    return _kept(document, names), tuple(dict.fromkeys(_left_out(document, names, "")))


def _kept(document: Any, names: Collection[str]) -> Any:  # noqa: ANN401 - any JSON
    if not isinstance(document, dict):
        return document
    return {name: _kept(inner, names) for name, inner in document.items() if name not in names}


def _left_out(document: Any, names: Collection[str], path: str) -> Iterator[str]:  # noqa: ANN401 - any JSON
    if not isinstance(document, dict):
        return
    for name, inner in document.items():
        below = f"{path}.{name}" if path else name
        if name not in names:
            yield from _left_out(inner, names, below)
        elif inner not in (None, "", [], {}):
            yield below
