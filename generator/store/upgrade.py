"""The schema number of round.toml, and the chain that brings old files to the present form."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from generator import SCHEMA
from generator.errors import InputError

Table = dict[str, Any]
"""A TOML table as parsed."""

Upgrade = Callable[[Table], Table]
"""Takes a file of one schema number and returns the same in the form of the next."""

UPGRADES: Final[Mapping[int, Upgrade]] = {}
"""Schema number -> the step that leads from it to the next."""


def upgrade(raw: Table, file: str, current: int = SCHEMA, steps: Mapping[int, Upgrade] = UPGRADES) -> Table:
    """Return the file in the form of the current schema number.

    Raises:
        InputError: the number is missing, is none that ever was, or belongs to a later program.
    """
    found = _schema(raw, file, current)
    while found < current:
        raw = steps[found](raw)
        found += 1
    return {**raw, "schema": current}


def _schema(raw: Table, file: str, current: int) -> int:
    found = raw.get("schema")
    remedy = f"add schema = {current} as the first line"
    if found is None:
        raise InputError(file, "", "has no schema number", remedy)
    if not isinstance(found, int) or isinstance(found, bool) or found < 1:
        raise InputError(file, "schema", "expected a whole number from 1 on", f"write schema = {current}")
    if found > current:
        raise InputError(file, "schema", "written by a newer Rounds", "update Rounds to read it")
    return found
