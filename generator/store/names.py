"""Names of folders that every disk can hold: a round is copied to where the case of letters does not count."""

from __future__ import annotations

import re
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path, PurePath
from typing import Final

from generator.errors import quote
from generator.store.manifest import PROSE

PAIR: Final = "..."
"""Between the two rounds of a comparison, in the name of its folder."""
COMPARISONS: Final = "diff"
"""The folder of the comparisons on the site, beside those of the rounds' data."""
RESERVED: Final = re.compile(r"(?:con|prn|aux|nul|com[0-9]|lpt[0-9])(?:\..*)?", re.IGNORECASE)
"""Names that Windows keeps for devices, whatever the extension."""


def pair_name(base: str, head: str) -> str:
    """Return the name of the folder of the comparison of two rounds."""
    return f"{base}{PAIR}{head}"


def objection(name: str, others: Iterable[str]) -> str | None:
    """Return why a name cannot be that of a folder on every disk, or cannot lie beside the others; None if it can."""
    if RESERVED.fullmatch(name):
        return f"the name {quote(name)} is kept for a device on some systems"
    if name.endswith("."):
        return f"the name {quote(name)} ends in a dot, which some systems drop"
    twin = next((other for other in others if other != name and other.lower() == name.lower()), None)
    return f"{quote(name)} and {quote(twin)} differ in case alone" if twin is not None else None


def objection_to_series(series: str, others: Iterable[str]) -> str | None:
    """Return why a folder of a round cannot be that of a series; None if it can."""
    if series.lower() == PROSE:
        return f"{PROSE} is the folder of the round's text"
    return objection(series, others)


def objection_to_round(name: str, others: Iterable[str]) -> str | None:
    """Return why a folder cannot be that of a round, which is also its name on the site; None if it can."""
    if PAIR in name:
        return f"the name {quote(name)} has {PAIR} in it, which stands between two rounds that are compared"
    if name.lower() == COMPARISONS:
        return f"{COMPARISONS} is the folder of the comparisons on the site"
    return objection(name, others)


def folders_beside(folder: Path) -> list[str]:
    """Return the names of the folders beside a folder; none where they cannot be listed."""
    with suppress(OSError):
        return [path.name for path in folder.parent.iterdir() if path.is_dir()]
    return []


Natural = tuple[list[tuple[int, str]], str]
"""What ``natural`` orders by."""


def natural(path: PurePath) -> Natural:
    """Return what paths are ordered by: runs of digits by the number they make, ``c8`` before ``c16``."""
    parts = re.split(r"([0-9]+)", path.name)
    return [(int(part), "") if part[:1].isdecimal() and part.isascii() else (-1, part) for part in parts], path.name
