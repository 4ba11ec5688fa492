"""What each tool means by its names: the mappings of all importers, by the name that runs give their tool."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import generator.importers
from generator.kinds import Importer
from generator.mapping import Mapped
from generator.registry import discover


@cache
def importers_by_tool() -> Mapping[str, Importer]:
    """Return the importer of each tool, by every name that a run may give it; of several, the one that says most."""
    importers = sorted(discover(generator.importers, Importer).values(), key=lambda one: len(one.mapping))
    return {name: one for one in importers for name in one.names}


def same_names(one: Importer, other: Importer) -> list[Mapped]:
    """Return what one tool calls like a quantity of ours, and is another, where the other tool does give that quantity.

    These are the numbers that two reports could be compared by, and must not be.
    """
    given = {mapped.quantity for mapped in other.mapping if mapped.why is None}
    own = {mapped.quantity for mapped in one.mapping if mapped.why is None}
    return [mapped for mapped in one.mapping if mapped.why is not None and mapped.quantity in given - own]
