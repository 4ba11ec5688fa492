"""The word of HTTP for the code that a program writes beside a request that failed."""

from __future__ import annotations

from http import HTTPStatus

from generator.store.foreign import number


def reason(code: object) -> str:
    """Return the reason of an HTTP status, as ``Too Many Requests`` of 429 or "429.0"; else a word for any failure."""
    found = number(code)
    try:
        return HTTPStatus(int(found)).phrase if found is not None else "failed"
    except ValueError:
        return "failed"
