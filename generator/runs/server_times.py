"""When a server did something that its log tells, on the clock of the requests of a run."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.float64]
Happening = Literal["launch", "cache_hit", "preemption", "kv_full", "error", "cancel"]
HAPPENINGS: Final[tuple[Happening, ...]] = ("launch", "cache_hit", "preemption", "kv_full", "error", "cancel")
"""A request taken up, a prompt found in the cache, one put back for want of KV, a full pool, an error, one given up."""


@dataclass(frozen=True, slots=True, eq=False)
class ServerTimes:
    """What a log tells of one run.

    Attributes:
        moments: what happened -> when, in seconds after the first sending, in rising order; a kind that the log of
            this server has no words for is missing, one that did not happen is empty.
        file: the log.
    """

    moments: Mapping[Happening, Numbers]
    file: str = ""

    def of(self, *happenings: Happening) -> Numbers:
        """Return when any of some things happened, in rising order."""
        found = [self.moments[one] for one in happenings if one in self.moments]
        return np.sort(np.concatenate([np.zeros(0), *found]))
