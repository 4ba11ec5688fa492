"""Waiting until the memory that an engine held is free again, so that the next one does not start into it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

LOOK_S: Final = 0.2
SLACK: Final = 256 * 2**20
"""Bytes above the baseline that count as back: drivers keep some."""


@dataclass(frozen=True, slots=True)
class Freed:
    """How waiting ended.

    Attributes:
        back: whether the memory is as before; None where it cannot be read.
        used: bytes at the end; None where it cannot be read.
        seconds: how long that took.
    """

    back: bool | None
    used: float | None
    seconds: float


async def wait_for(
    memory_used: Callable[[], float | None], baseline: float, timeout_s: float, slack: float = SLACK
) -> Freed:
    """Wait until the memory in use is back.

    Args:
        memory_used: returns the bytes in use, or None where they cannot be read.
        baseline: bytes in use before the engine was started.
        timeout_s: seconds to wait.
        slack: bytes above the baseline that do not matter.
    """
    begun = time.monotonic()
    while True:
        used, took = memory_used(), time.monotonic() - begun
        if used is None:
            return Freed(None, None, took)
        if used <= baseline + slack or took >= timeout_s:
            return Freed(used <= baseline + slack, used, took)
        await asyncio.sleep(min(LOOK_S, timeout_s))
