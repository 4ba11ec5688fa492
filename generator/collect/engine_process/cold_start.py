"""The cold start of an engine: from its spawn to the end of its first answer, on one clock.

``cold_start.json`` holds the moments in seconds from the spawn. The times of a report follow from them:
T1 = ``port_s``, T2 = ``first_token_s`` − ``port_s``, T3 = ``first_completion_s`` − ``port_s``. How long the stages
took of which the engine's own log tells is read off that log, whose lines have the same clock in front.
"""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any, Final

from generator.collect.engine_process.log_format import utc_us
from generator.runs.starts import COARSEST_LOOK_S, FINEST_LOOK_S, LOOK_SHARE
from generator.store.files import write_atomically

if TYPE_CHECKING:
    from pathlib import Path

    from generator.collect.engine_process.first_answer import FirstAnswer
    from generator.collect.engine_process.page_cache import PageCache
    from generator.collect.engine_process.process import EngineProcess
    from generator.collect.engine_process.readiness import Ready

NAME: Final = "cold_start.json"
SCHEMA: Final = 1
NS: Final = 1e9


@dataclass(frozen=True, slots=True)
class ColdStart:
    """The moments of a start; those in seconds count from the spawn, and None is a moment that did not come.

    Attributes:
        spawn_mono_ns: the spawn by CLOCK_MONOTONIC, the clock of the log and of the requests.
        spawn_wall: the spawn by the wall clock, in UTC.
        port_s: somebody listened on the port.
        healthy_s: health was good.
        sent_s: the first request was sent.
        first_token_s: its first token came.
        first_completion_s: its answer was complete.
        reason: why the first answer was not complete.
        page_cache: whether the model's files lay in memory before the spawn.
    """

    spawn_mono_ns: int
    spawn_wall: str
    port_s: float
    healthy_s: float
    sent_s: float
    first_token_s: float | None
    first_completion_s: float | None
    reason: str | None
    page_cache: PageCache

    @property
    def t1(self) -> float:
        """Seconds from the spawn to the port."""
        return self.port_s

    @property
    def t2(self) -> float | None:
        """Seconds from the port to the first token."""
        return None if self.first_token_s is None else self.first_token_s - self.port_s

    @property
    def t3(self) -> float | None:
        """Seconds from the port to the first completion."""
        return None if self.first_completion_s is None else self.first_completion_s - self.port_s


def cold_start_of(process: EngineProcess, ready: Ready, answer: FirstAnswer, cache: PageCache) -> ColdStart:
    """Return the record of a start."""

    def since_spawn(moment: int) -> float:
        return (moment - process.spawned_ns) / NS

    first, ended = answer.first_token_ns, answer.ended_ns
    return ColdStart(
        spawn_mono_ns=process.spawned_ns,
        spawn_wall=utc_us(process.spawned_wall_ns),
        port_s=since_spawn(ready.port_ns),
        healthy_s=since_spawn(ready.healthy_ns),
        sent_s=since_spawn(answer.sent_ns),
        first_token_s=None if first is None else since_spawn(first),
        first_completion_s=None if ended is None else since_spawn(ended),
        reason=answer.reason,
        page_cache=cache,
    )


def write_cold_start(record: ColdStart, folder: Path) -> Path:
    """Write ``cold_start.json`` into the folder of a series, whole or not at all, and return where.

    Raises:
        OSError: it cannot be written.
    """
    known_to = {"share": LOOK_SHARE, "finest_s": FINEST_LOOK_S, "coarsest_s": COARSEST_LOOK_S}
    data: dict[str, Any] = {"schema": SCHEMA, "clock": "CLOCK_MONOTONIC", **asdict(record), "looked_every": known_to}
    path = folder / NAME
    write_atomically(path, json.dumps(data, indent=2).encode() + b"\n")
    return path
