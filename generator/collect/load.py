"""One level of load: a closed loop with so many in flight, or an open one on an absolute schedule.

Nothing is parsed while it runs (unless memory would run out), so that the client has time for the clock.
"""

from __future__ import annotations

import asyncio
import gc
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import httpx

from generator.collect.arrivals import Seconds
from generator.collect.clock import S, WallClock, now
from generator.collect.measures import ClientMeasures, SelfWatch, Watched, measures_of
from generator.collect.outcome import Asked, Outcome, Phase, outcome_of
from generator.collect.recorded import RecordingTransport
from generator.collect.recording import EXTENSION, MIB, Recording

LEAD_NS: Final = 20_000_000
"""ns between the start of an open loop and its first request, so that the first is not late already."""

HEADERS: Final = {"Content-Type": "application/json", "Accept": "text/event-stream", "Accept-Encoding": "identity"}


@dataclass(frozen=True, slots=True)
class Job:
    """One request to be sent: where to, below the URL of the server, and its body, JSON."""

    path: str
    body: bytes


@dataclass(frozen=True, eq=False)
class Plan:
    """One level.

    Attributes:
        jobs: the requests in order: those of the warm-up first.
        concurrency: requests in flight at most; None for no limit, in an open loop alone.
        arrivals: when the steady ones are sent, in seconds after the start; None for a closed loop.
        cold: how many of the jobs are sent first, one after the other: what a server does not know yet.
        warm: how many are sent then, as many at once as later.
        most_kept: bytes of answers that are kept to be parsed later; those beyond are parsed as they end.
        headers: to be sent with each request.
    """

    jobs: Sequence[Job]
    concurrency: int | None = None
    arrivals: Seconds | None = None
    cold: int = 0
    warm: int = 0
    most_kept: int = 512 * MIB
    headers: Mapping[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        steady = len(self.jobs) - self.cold - self.warm
        if min(self.cold, self.warm, steady) < 0:
            raise ValueError("the warm-up has more requests than there are")
        if self.arrivals is not None and len(self.arrivals) != steady:
            raise ValueError("each steady request needs one arrival")
        if self.arrivals is None and self.concurrency is None:
            raise ValueError("a closed loop needs a number in flight")
        if self.concurrency is not None and self.concurrency < 1:
            raise ValueError("nothing can be sent with none in flight")

    @property
    def steady(self) -> range:
        """Return the numbers of the jobs that are measured."""
        return range(self.cold + self.warm, len(self.jobs))


@dataclass(frozen=True, eq=False, slots=True)
class LevelRun:
    """What came of a level: outcomes in the order of the plan, the client's own measures, whether it was cut short.

    Requests whose turn had not come when it was cut short have no outcome.
    """

    outcomes: tuple[Outcome, ...]
    measures: ClientMeasures
    cancelled: bool

    def of_phase(self, phase: Phase) -> tuple[Outcome, ...]:
        """Return the outcomes of one part."""
        return of_phase(self.outcomes, phase)


def of_phase(outcomes: Sequence[Outcome], phase: Phase) -> tuple[Outcome, ...]:
    """Return the outcomes of one part of a level."""
    return tuple(one for one in outcomes if one.asked.phase == phase)


@dataclass(frozen=True, eq=False, slots=True)
class Part:
    """What one process did of a level: its outcomes, what it saw of itself, and whether it was cut short."""

    outcomes: tuple[Outcome, ...]
    watched: Watched
    cancelled: bool


Gate = Callable[[], Awaitable[int]]
"""Called once the connections are open; returns when the steady part begins, ns of CLOCK_MONOTONIC."""


Ready = Callable[[], Awaitable[None]]
"""Called once the warm-up is over, before the first request that is measured."""


async def run_level(plan: Plan, url: str, transport: RecordingTransport, *, ready: Ready | None = None) -> LevelRun:
    """Send the requests of a plan, and return what became of each. No failure of a server is an exception.

    When the task is cancelled (Ctrl-C under ``asyncio.run``), requests in flight are ended, and what came so far is
    returned with ``cancelled`` set: the caller stops then. The transport stays open.

    Args:
        plan: what to send, and when.
        url: of the server: scheme, host, port, and the path that those of the jobs are below.
        transport: what writes the answers down; see ``transport_for``.
        ready: what is to be done between warm-up and measurement.
    """

    async def gate() -> int:
        if ready is not None:
            await ready()
        return _begins(plan)

    part = await run_part(plan, url, transport, gate=gate)
    measures = measures_of(of_phase(part.outcomes, "steady"), [part.watched])
    return LevelRun(part.outcomes, measures, part.cancelled)


async def run_part(plan: Plan, url: str, transport: RecordingTransport, *, gate: Gate | None = None) -> Part:
    """Do in this process what ``run_level`` says, or a part of it that begins when others do.

    Args:
        plan: what to send, and when.
        url: of the server.
        transport: what writes the answers down.
        gate: says when the steady part begins; without it, at once.
    """
    clock = WallClock()
    client = httpx.AsyncClient(transport=transport, base_url=url, headers={**HEADERS, **plan.headers}, trust_env=False)
    level = _Level(plan, client, clock)
    watch = SelfWatch(clock)
    cancelled = False
    with quiet_collector():
        try:
            await level.warm_up(transport, url)
            begins = await gate() if gate is not None else _begins(plan)
            await _until(begins - LEAD_NS)
            async with watch:
                await _until(begins)
                await level.steady(begins)
        except asyncio.CancelledError:
            cancelled = True
    outcomes = level.outcomes()
    return Part(outcomes, watch.watched(level.parsed_early), cancelled)


def _begins(plan: Plan) -> int:
    """Return when a part begins that waits for no other."""
    return now() + (LEAD_NS if plan.arrivals is not None else 0)


async def _until(at: int) -> None:
    if at > now():
        await asyncio.sleep((at - now()) / S)


@contextmanager
def quiet_collector() -> Iterator[None]:
    """Keep the garbage collector from stopping the loop: a full collection of a large process takes long."""
    was_on = gc.isenabled()
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        if was_on:
            gc.enable()


class _Level:
    def __init__(self, plan: Plan, client: httpx.AsyncClient, clock: WallClock) -> None:
        self.parsed_early = 0
        self._plan, self._client, self._clock = plan, client, clock
        # httpx merges URLs and headers anew for each request, which takes longer than all else of one: done here once.
        self._urls = {path: client.build_request("POST", path).url for path in {job.path for job in plan.jobs}}
        self._recorded: list[tuple[Asked, Recording]] = []
        self._parsed: list[Outcome] = []
        self._kept = 0

    def outcomes(self) -> tuple[Outcome, ...]:
        """Parse what was written down; the order is that of the plan."""
        self._parsed += [outcome_of(asked, recording, self._clock) for asked, recording in self._recorded]
        self._recorded.clear()
        return tuple(sorted(self._parsed, key=lambda one: one.asked.number))

    async def warm_up(self, transport: RecordingTransport, url: str) -> None:
        """Send the cold requests one by one, then the warm ones; then have the connections open."""
        plan = self._plan
        at_once = plan.concurrency or max(plan.warm, 1)
        await self._closed_loop(range(plan.cold), "cold", 1)
        await self._closed_loop(range(plan.cold, plan.cold + plan.warm), "warm", at_once)
        await transport.warm(url, min(plan.concurrency or len(plan.steady), len(plan.steady), MOST_WARM))

    async def steady(self, begins: int) -> None:
        """Send the requests that are measured; those of a schedule so long after its beginning, in ns."""
        if self._plan.arrivals is None:
            await self._closed_loop(self._plan.steady, "steady", self._plan.concurrency or 1)
        else:
            await self._open_loop(self._plan.arrivals, begins)

    async def _closed_loop(self, numbers: range, phase: Phase, at_once: int) -> None:
        turns = iter(numbers)

        async def worker() -> None:
            for number in turns:
                await self._send(Asked(number, phase, now()))

        async with asyncio.TaskGroup() as workers:
            for _ in range(min(at_once, len(numbers))):
                workers.create_task(worker())

    async def _open_loop(self, arrivals: Seconds, begins: int) -> None:
        free = asyncio.Semaphore(self._plan.concurrency or len(arrivals) + 1)

        async def one(asked: Asked) -> None:
            try:
                await self._send(asked)
            finally:
                free.release()

        async with asyncio.TaskGroup() as sending:
            for number, after in zip(self._plan.steady, arrivals, strict=True):
                due = begins + round(float(after) * S)
                await asyncio.sleep(max(due - now(), 0) / S)
                await free.acquire()
                sending.create_task(one(Asked(number, "steady", due)))

    async def _send(self, asked: Asked) -> None:
        """Send one request and keep what was written down of it, whatever happens."""
        job, recording = self._plan.jobs[asked.number], Recording(asked=now())
        extensions = {EXTENSION: recording}
        try:
            request = httpx.Request(
                "POST", self._urls[job.path], headers=self._client.headers, content=job.body, extensions=extensions
            )
            await self._client.send(request, stream=True)
        except httpx.HTTPError:
            recording.finish("not_sent")
        finally:
            recording.finish("cancelled")
            self._keep(asked, recording)

    def _keep(self, asked: Asked, recording: Recording) -> None:
        if self._kept + recording.kept <= self._plan.most_kept:
            self._kept += recording.kept
            self._recorded.append((asked, recording))
            return
        self.parsed_early += 1
        self._clock.sample()
        self._parsed.append(outcome_of(asked, recording, self._clock))


MOST_WARM: Final = 1024
"""Connections opened beforehand, at most: an open loop without a limit may need fewer than it has requests."""
