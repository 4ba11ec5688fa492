"""What ``nvidia-smi -q`` says of a GPU, as text and as XML: the same tree, whose keys repeat, so paths are compared.

Neither form is guaranteed to stay as it is: sections and keys have been renamed, and each field has several paths.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Final

from generator.telemetry.cells import flag, is_missing, number
from generator.telemetry.samples import Gathering

Path = tuple[str, ...]
"""The keys from the GPU down, as they are when case, blanks and underscores do not count."""

FIELDS: Final[Mapping[str, tuple[Path, ...]]] = {
    "power": tuple(
        (section, key)
        for section in ("gpupowerreadings", "powerreadings")
        for key in ("averagepowerdraw", "powerdraw", "instantpowerdraw", "instantaneouspowerdraw")
    ),
    "power_limit": (
        *((section, key) for section in ("gpupowerreadings", "powerreadings")
          for key in ("enforcedpowerlimit", "currentpowerlimit", "powerlimit")),
        ("gpupowerreadings", "gpuceilingpowerlimit", "currentpowerlimit"),
    ),
    "temperature": (("temperature", "gpucurrenttemp"), ("temperature", "gputemp")),
    "sm_clock": (("clocks", "sm"), ("clocks", "smclock")),
    "sm_clock_most": (("maxclocks", "sm"), ("maxclocks", "smclock")),
    "memory_clock": (("clocks", "memory"), ("clocks", "memclock")),
    "utilisation_gpu": (("utilization", "gpu"), ("utilization", "gpuutil")),
    "memory_used": (("fbmemoryusage", "used"),),
}  # fmt: skip
"""Field -> where it may stand, the preferred place first."""
REASON_SECTIONS: Final = frozenset({"clockseventreasons", "clocksthrottlereasons"})
REASON: Final = re.compile(r"clocks(?:event|throttle)reason(?=.)")
BITS: Final = {
    "idle": 0x1, "gpuidle": 0x1, "applicationsclockssetting": 0x2, "swpowercap": 0x4, "hwslowdown": 0x8,
    "syncboost": 0x10, "swthermalslowdown": 0x20, "hwthermalslowdown": 0x40, "hwpowerbrakeslowdown": 0x80,
    "hwpowerbrake": 0x80, "displayclocksetting": 0x100, "displayclockssetting": 0x100,
}  # fmt: skip
WANTED: Final = frozenset(path for paths in FIELDS.values() for path in paths)


def plain(key: str) -> str:
    """Return a key as paths have it."""
    return re.sub(r"[\s_]+", "", key).lower()


@dataclass(slots=True)
class Page:
    """One GPU of one log while it is being read: path -> what stands there, the first of several."""

    cells: dict[Path, str] = field(default_factory=dict)

    def put(self, path: Iterable[str], cell: str) -> None:
        """Take what stands at a path that is read; whatever else there is, however much, takes no room."""
        at = tuple(path)
        if at in WANTED or (at[0] in REASON_SECTIONS and REASON.sub("", at[-1]) in BITS):
            self.cells.setdefault(at, cell)

    def numbers(self, gathering: Gathering) -> dict[str, float]:
        """Return the fields that are there; those that the GPU does not give are noted."""
        found: dict[str, float] = {}
        for name, paths in FIELDS.items():
            for cell in (self.cells[path] for path in paths if path in self.cells):
                value = number(cell, name)
                if value is not None:
                    found.setdefault(name, value)
                elif is_missing(cell):
                    gathering.missing[name] = cell
        reasons = self._reasons()
        return found if reasons is None else found | {"event_reasons": float(reasons)}

    def _reasons(self) -> int | None:
        said = [
            (bit, yes)
            for path, cell in self.cells.items()
            if path[0] in REASON_SECTIONS
            and (bit := BITS.get(REASON.sub("", path[-1]))) is not None
            and (yes := flag(cell)) is not None
        ]
        return sum({bit for bit, yes in said if yes}) if said else None
