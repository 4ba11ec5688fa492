"""A level driven by several processes of this machine, where one would be late: one clock, one beginning, one record.

The parts are cut so that each number of the plan is sent by one process alone. Stamps are of CLOCK_MONOTONIC, which is
the same for all of them. What a process that dies was to send has outcomes with a reason, and the others go on.
"""

from __future__ import annotations

import asyncio
import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np

import generator
from generator.collect.clock import S, now
from generator.collect.crew_messages import Order, frame, read_frame, unpacked_part
from generator.collect.load import LevelRun, Part, Plan, Ready, run_level
from generator.collect.measures import Watched, measures_of
from generator.collect.outcome import NO_TIMES, Asked, Outcome
from generator.collect.recorded import RecordingTransport
from generator.collect.recording import Limits

DIED: Final = "client_died"
HEAD_START_NS: Final = 100_000_000
"""ns between the moment at which all are ready and their beginning: each has to hear of it."""
ENDING_S: Final = 60.0
"""Seconds that processes which are cut short have to say what came so far: they parse it first."""

_MODULE: Final = "generator.collect.crew_worker"
_ROOT: Final = str(Path(generator.__file__).parents[1])


@dataclass(frozen=True, eq=False, slots=True)
class Share:
    """What one process sends: the numbers of its requests in the whole plan, and a plan of its own."""

    numbers: tuple[int, ...]
    plan: Plan


def shares_of(plan: Plan, processes: int) -> list[Share]:
    """Cut the steady part of a plan into parts for at most so many processes, none of them empty.

    In a closed loop, slots are dealt out in turn and requests to the slots; under a schedule, requests are dealt out
    in turn and keep their time. A limit is dealt out as well: one process may wait at its own while another has room.
    """
    steady = plan.steady
    slots = plan.concurrency if plan.concurrency is not None else len(steady)
    count = min(processes, slots, len(steady))
    cycle = slots if plan.arrivals is None else count
    dealt = np.arange(len(steady)) % cycle % count
    return [_share(plan, np.flatnonzero(dealt == one), one, count) for one in range(count)]


def _share(plan: Plan, places: np.ndarray[tuple[int], np.dtype[np.intp]], one: int, count: int) -> Share:
    numbers = tuple(plan.steady[int(place)] for place in places)
    slots = None if plan.concurrency is None else plan.concurrency // count + (one < plan.concurrency % count)
    own = Plan(
        jobs=[plan.jobs[number] for number in numbers],
        concurrency=slots,
        arrivals=None if plan.arrivals is None else plan.arrivals[places],
        most_kept=plan.most_kept // count,
        headers=plan.headers,
    )
    return Share(numbers, own)


async def run_crew(
    plan: Plan, url: str, transport: RecordingTransport, processes: int, *, ready: Ready | None = None
) -> LevelRun:
    """Do what ``run_level`` does with so many processes; the requests before the clock are sent by this one.

    Args:
        plan: what to send, and when.
        url: of the server.
        transport: for the requests before the clock; its limits are those of all.
        processes: how many; with one, this one does it all.
        ready: what is to be done between warm-up and measurement.
    """
    shares = shares_of(plan, processes)
    if len(shares) <= 1:
        return await run_level(plan, url, transport, ready=ready)
    before = await run_level(_warm_up(plan), url, transport, ready=ready)
    if before.cancelled:
        return before
    crew = _Crew(shares)
    cancelled = False
    try:
        await crew.work(url, transport.limits)
    except asyncio.CancelledError:
        cancelled = True
        await crew.cut_short()
    finally:
        await crew.let_go()
    outcomes, watched = crew.outcomes(), crew.watched()
    return LevelRun((*before.outcomes, *outcomes), measures_of(outcomes, watched), cancelled)


def _warm_up(plan: Plan) -> Plan:
    ahead = plan.cold + plan.warm
    return replace(plan, jobs=plan.jobs[:ahead], concurrency=plan.concurrency or max(plan.warm, 1), arrivals=None)


class _Crew:
    """The processes of one level."""

    def __init__(self, shares: Sequence[Share]) -> None:
        self._shares = shares
        self._members: list[_Member] = []
        self._begins = now()

    async def work(self, url: str, limits: Limits) -> None:
        """Start all, have them begin together, and wait until each has said what it did, or is gone."""
        for share in self._shares:
            self._members.append(await _hired(Order(share.plan, url, limits)))
        for member in self._members:
            await member.ready.wait()
        self._begins = now() + HEAD_START_NS
        for member in self._members:
            member.tell(b"%d" % self._begins)
        await asyncio.wait([member.part for member in self._members])

    async def cut_short(self) -> None:
        """Have all stop, and wait for what came so far."""
        for member in self._members:
            member.tell(b"")
        if self._members:
            await asyncio.wait([member.part for member in self._members], timeout=ENDING_S)

    async def let_go(self) -> None:
        """See that no process is left."""
        for member in self._members:
            await member.let_go()

    def outcomes(self) -> tuple[Outcome, ...]:
        """Return what became of the requests, in the order of the plan."""
        parts = [(share, member.done()) for share, member in zip(self._shares, self._members, strict=False)]
        found = [one for share, part in parts for one in self._of_share(share, part)]
        return tuple(sorted(found, key=lambda one: one.asked.number))

    def watched(self) -> list[Watched]:
        """Return what each process saw of itself; nothing of one that died."""
        parts = [member.done() for member in self._members]
        return [part.watched for part in parts if part is not None] or [Watched(0.0, 0.0)]

    def _of_share(self, share: Share, part: Part | None) -> list[Outcome]:
        if part is None:
            return [self._lost(share, place) for place in range(len(share.numbers))]
        return [replace(one, asked=replace(one.asked, number=share.numbers[one.asked.number])) for one in part.outcomes]

    def _lost(self, share: Share, place: int) -> Outcome:
        arrivals = share.plan.arrivals
        due = self._begins + (0 if arrivals is None else round(float(arrivals[place]) * S))
        return lost(Asked(share.numbers[place], "steady", due))


def lost(asked: Asked) -> Outcome:
    """Return what is known of a request whose process died: nothing, but when it was to be sent."""
    return Outcome(
        asked=asked, sent=asked.scheduled, first_byte=0, chunks=NO_TIMES, ended=0, finish="", usage=None, reason=DIED,
        detail="", status=0, retries=0, reused=False, stamp="user", late_ns=NO_TIMES, reads=0, size=0, kinds={},
    )  # fmt: skip


class _Member:
    """One process: told what to do, and listened to.

    Attributes:
        ready: set once its connections are open, or it is gone.
        part: the task that waits for what it did; None is what comes of a process that died.
    """

    def __init__(self, process: asyncio.subprocess.Process, source: asyncio.StreamReader) -> None:
        self.ready = asyncio.Event()
        self.part = asyncio.create_task(self._listen(source))
        self._process = process

    def done(self) -> Part | None:
        """Return what it did; None where it died, or does not say."""
        return self.part.result() if self.part.done() and not self.part.cancelled() else None

    def tell(self, message: bytes) -> None:
        """Send it a message; nothing where it is gone."""
        if self._process.stdin is not None and not self._process.stdin.is_closing():
            self._process.stdin.write(frame(message))

    async def let_go(self) -> None:
        """End it, if it has not ended by itself, and wait until it is gone."""
        self.part.cancel()
        with suppress(ProcessLookupError):
            self._process.kill()
        await self._process.wait()
        if self._process.stdin is not None:
            self._process.stdin.close()

    async def _listen(self, source: asyncio.StreamReader) -> Part | None:
        with suppress(asyncio.IncompleteReadError, ConnectionError):
            try:
                await read_frame(source)
            finally:
                self.ready.set()
            return unpacked_part(await read_frame(source))
        return None


async def _hired(order: Order) -> _Member:
    """Start a process and hand it an order.

    It has a session of its own, so that a Ctrl-C reaches it through us alone, with what came so far kept.
    """
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-m", _MODULE, str(os.getpid()),
        stdin=pipe, stdout=pipe, env={**os.environ, "PYTHONPATH": _ROOT}, start_new_session=True,
    )  # fmt: skip
    if process.stdout is None:
        raise RuntimeError("a process without a pipe")
    member = _Member(process, process.stdout)
    member.tell(order.packed())
    return member
