"""What a client has to say of itself: whether it kept up, or measured its own slowness."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from generator.collect.clock import EVERY_S, S, Times, WallClock, now
from generator.collect.outcome import NO_TIMES, Outcome
from generator.numeric.statistics import percentile

TICK_S: Final = 0.05


@dataclass(frozen=True, slots=True)
class Lag:
    """How late something was, in seconds; NaN where nothing was timed."""

    p50: float
    p99: float
    most: float


@dataclass(frozen=True, slots=True)
class ClientMeasures:
    """The client's own measures over the steady part of a level.

    Attributes:
        wall_s: seconds from the first sending to the end of the last answer.
        processes: how many the client had.
        cpu_share: CPU time over wall time of the process that had most; 1 is one whole core.
        cpu_total: the same of all processes together.
        schedule_lag: sending after the time that the schedule gives it; in a closed loop, after its turn came.
        loop_lag: how late the event loop was for a timer; its timers are coarse to 1 ms.
        stamp_lag: how long bytes had lain in the socket when they were read. It is no error of times that are the
            kernel's, and all of the error of those that are not; NaN where no read has a stamp of the kernel.
        kernel_share: reads with a stamp of the kernel, of all.
        chunks_per_read: events with tokens for each read that completed any; NaN where there was none.
        most_chunks_per_read: the most in one.
        retries: requests sent again because a kept-alive connection was dead.
        parsed_early: answers parsed while the level ran, because more was kept than is wanted in memory.
        clock_steps: times the wall clock was set meanwhile.
    """

    wall_s: float
    processes: int
    cpu_share: float
    cpu_total: float
    schedule_lag: Lag
    loop_lag: Lag
    stamp_lag: Lag
    kernel_share: float
    chunks_per_read: float
    most_chunks_per_read: int
    retries: int
    parsed_early: int
    clock_steps: int


@dataclass(frozen=True, slots=True)
class Watched:
    """What one process saw of itself over the steady part of a level.

    Attributes:
        wall_s: seconds that it took.
        cpu_s: CPU seconds.
        lags: how late each timer of the event loop was, in ns.
        clock_steps: times the wall clock was set meanwhile.
        parsed_early: answers parsed while the level ran.
    """

    wall_s: float
    cpu_s: float
    lags: tuple[int, ...] = ()
    clock_steps: int = 0
    parsed_early: int = 0

    @property
    def cpu_share(self) -> float:
        """Return CPU time over wall time; NaN where there was none."""
        return self.cpu_s / self.wall_s if self.wall_s > 0 else float("nan")


class SelfWatch:
    """Watches this process while a level runs: its CPU time, its event loop, and the wall clock."""

    def __init__(self, clock: WallClock) -> None:
        self._clock = clock
        self._lags: list[int] = []
        self._ticking: asyncio.Task[None] | None = None
        self.wall_s = self.cpu_s = 0.0
        self.steps = 0

    async def __aenter__(self) -> SelfWatch:
        self._clock.sample()
        self._known_steps = len(self._clock.steps())
        self._ticking = asyncio.create_task(self._tick())
        self._began, self._cpu = now(), time.process_time()
        return self

    async def __aexit__(self, *_: object) -> None:
        self.wall_s, self.cpu_s = (now() - self._began) / S, time.process_time() - self._cpu
        if self._ticking is not None:
            self._ticking.cancel()
        self._clock.sample()
        self.steps = len(self._clock.steps()) - self._known_steps

    async def _tick(self) -> None:
        sampled = now()
        while True:
            due = now() + int(TICK_S * S)
            await asyncio.sleep(TICK_S)
            self._lags.append(now() - due)
            if now() - sampled > EVERY_S * S:
                self._clock.sample()
                sampled = now()

    def watched(self, parsed_early: int) -> Watched:
        """Return what was seen, and how many answers were parsed meanwhile, as the caller counted them."""
        return Watched(self.wall_s, self.cpu_s, tuple(self._lags), self.steps, parsed_early)


def measures_of(outcomes: Sequence[Outcome], watched: Sequence[Watched]) -> ClientMeasures:
    """Return what is to be said of the client.

    Lags are those of all processes together, in one sample: a percentile of percentiles would be none.

    Args:
        outcomes: what became of the steady requests, of all processes.
        watched: what each process saw of itself; at least one.
    """
    in_reads = _chunks_in_reads(outcomes)
    reads = sum(one.reads for one in outcomes)
    shares = [one.cpu_share for one in watched if one.wall_s > 0] or [float("nan")]
    return ClientMeasures(
        wall_s=max(one.wall_s for one in watched),
        processes=len(watched),
        cpu_share=max(shares),
        cpu_total=sum(shares),
        schedule_lag=lag_of(np.array([one.sent - one.asked.scheduled for one in outcomes if one.sent])),
        loop_lag=lag_of(np.concatenate([NO_TIMES, *(np.array(one.lags, dtype=np.int64) for one in watched)])),
        stamp_lag=lag_of(np.concatenate([NO_TIMES, *(one.late_ns for one in outcomes)])),
        kernel_share=sum(len(one.late_ns) for one in outcomes) / reads if reads else float("nan"),
        chunks_per_read=float(in_reads.mean()) if len(in_reads) else float("nan"),
        most_chunks_per_read=int(in_reads.max(initial=0)),
        retries=sum(one.retries for one in outcomes),
        parsed_early=sum(one.parsed_early for one in watched),
        clock_steps=max(one.clock_steps for one in watched),
    )


def lag_of(ns: Times) -> Lag:
    """Return the lag in seconds of delays in ns, (n,)."""
    if not len(ns):
        return Lag(float("nan"), float("nan"), float("nan"))
    ordered = np.sort(ns.astype(np.float64)) / S
    return Lag(percentile(ordered, 50), percentile(ordered, 99), float(ordered[-1]))


def _chunks_in_reads(outcomes: Sequence[Outcome]) -> Times:
    """Return how many chunks came in each read that completed any: those of one read have one time."""
    counts = [np.unique(one.chunks, return_counts=True)[1] for one in outcomes if len(one.chunks)]
    return np.concatenate(counts).astype(np.int64) if counts else np.zeros(0, dtype=np.int64)
