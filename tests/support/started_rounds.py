"""Rounds in memory whose engine was started, once or repeatedly, with what its log told of each start."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from generator.model import Round
from generator.values import Observation
from tests.support.memory_round import NOTHING, Numbers, address, memory_round, observation


@dataclass(frozen=True)
class Start:
    """A start, in s since the spawn, and what of the model's files lay in memory; None is not known.

    ``log`` is what its log told, by the names of its facts: clocks count from the machine's start, 100 s before the
    spawn.
    """

    resident: float | None = 1.0
    port: float = 1.0
    healthy: float | None = 2.0
    token: float | None = 4.0
    completion: float | None = 4.5
    before: float | None = None
    log: Mapping[str, float] = field(default_factory=dict)

    @property
    def numbers(self) -> dict[str, float]:
        """Return what is known of it, by metric."""
        found = {
            "cold_start_spawn_clock": 100.0, "cold_start_t1": self.port, "cold_start_healthy": self.healthy,
            "cold_start_first_token": self.token, "cold_start_first_completion": self.completion,
            "cold_start_resident": self.resident, "cold_start_resident_before": self.before,
            **{f"log_{fact}_of_series": seconds for fact, seconds in self.log.items()},
        }  # fmt: skip
        return {metric: number for metric, number in found.items() if number is not None}


TOLD: Mapping[str, float] = {
    "start_clock": 100.25, "ready_clock": 101.75, "stage_engine": 0.5, "stage_weights": 0.75, "stages_told": 1.25,
}  # fmt: skip
"""A log that tells 0.25 s of imports and 1.25 s of stages: of 2 s, half a second is told by none of its lines."""


def started_round(starts: Sequence[Start], series: str = "s", *, others: Mapping[str, Numbers] = NOTHING) -> Round:
    """Make a round of a series that was started; its sessions are numbered from 1.

    Args:
        starts: the starts, the first of which is that of the series.
        series: its id.
        others: further series, of which numbers are declared.
    """
    seen = [one for number, start in enumerate(starts, start=1) for one in _seen(series, start, number)]
    first = {series: starts[0].numbers} if starts else {}
    return memory_round({series: {}, **{other: {} for other in others}}, of_series={**first, **others}, further=seen)


def _seen(series: str, start: Start, number: int) -> list[Observation]:
    places = {metric: address(metric, "series", series, trial=number) for metric in start.numbers}
    return [observation(places[metric], seconds, "measured") for metric, seconds in start.numbers.items()]


def started_in_every_way() -> Round:
    """Return a round with two starts of each kind, and a series of which only the times from the port are declared."""
    kinds = (0.0, 0.0, 1.0, 1.0, None, 0.5)
    starts = [
        Start(resident, port=1.0 + at, healthy=3.0 + at, token=5.0 + 2 * at, completion=6.0 + 3 * at, log=TOLD)
        for at, resident in enumerate(kinds)
    ]
    declared = {"cold_start_t1": 20.0, "cold_start_t2": 1.5, "cold_start_t3": 2.0}
    return started_round(starts, others={"declared": declared})
