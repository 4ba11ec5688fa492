"""JSON that a server or a file says, whatever it is: what is not there is empty, and nothing is raised."""

from __future__ import annotations

import json
from typing import Any


def object_of(page: str) -> dict[str, Any]:
    """Return the object that a page holds; an empty one where it holds none."""
    try:
        told = json.loads(page)
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}


def first_model(models_page: str) -> dict[str, Any]:
    """Return the first entry of what an engine answers at /v1/models; an empty one where there is none."""
    listed = object_of(models_page).get("data")
    first = listed[0] if isinstance(listed, list) and listed else None
    return first if isinstance(first, dict) else {}
