"""Limits of a load as foreign files write them: a cap of requests in flight, or requests a second."""

from __future__ import annotations

from typing import Any

from generator.store.foreign import number_at
from generator.store.numbers import LARGEST


def limit_at(document: Any, *paths: str) -> float | None:  # noqa: ANN401 - any JSON
    """Return the limit at the first of the paths that has a number; None where nothing is limited.

    Tools write 0, −1, null or infinity for that.
    """
    found = number_at(document, *paths)
    return found if found is not None and 0 < found <= LARGEST else None
