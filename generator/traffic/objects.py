"""The objects of a JSON file, one at a time: a list of them, or one after another."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ijson.common import ObjectBuilder

from generator.errors import InputError
from generator.store.files import shown
from generator.store.json_stream import read_events
from generator.store.unpacking import Progress
from generator.traffic.rows import PLACE


def objects(path: Path, progress: Progress = lambda _: None) -> Iterator[dict[str, Any]]:
    """Yield the objects of a file of any length.

    Raises:
        InputError: while iterating; it cannot be read, is no JSON, or holds something else than objects.
    """
    builder, depth, number = None, 0, 0
    for event, value in read_events(path, progress):
        if builder is None:
            if event in ("start_array", "end_array"):
                continue
            if event != "start_map":
                place = f"after object {number}" if number else ""
                raise InputError(shown(path), place, f"holds a bare {event}, not an object", f"take {PLACE}")
            builder, number = ObjectBuilder(), number + 1
        builder.event(event, value)
        depth += event.startswith("start_") - event.startswith("end_")
        if not depth:
            yield builder.value
            builder = None
