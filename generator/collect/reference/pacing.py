"""Steps at their times: one timer on an absolute schedule, so that what one step is late is not added to the next."""

from __future__ import annotations

import asyncio
import select
import selectors
from dataclasses import dataclass
from time import monotonic_ns
from typing import TYPE_CHECKING, Final

from generator.collect.reference.model import NANO

if TYPE_CHECKING:
    from collections.abc import Callable

    from generator.collect.reference.scheduler import Engine, Step, Token

MOST_BEHIND: Final = NANO // 2
"""How far (ns) the schedule may lie behind the clock before it is given up: a process that was stopped does not
hurry through all that it missed."""


class FineSelector(selectors.DefaultSelector):
    """The usual selector with time-outs in microseconds: epoll itself counts in milliseconds, and rounds up."""

    def select(self, timeout: float | None = None) -> list[tuple[selectors.SelectorKey, int]]:
        """Wait for the selector's own descriptor, which counts in microseconds, and then ask what there is."""
        if timeout is not None and timeout > 0 and (descriptor := _descriptor(self)) is not None:
            select.select([descriptor], [], [], timeout)
            timeout = 0
        return super().select(timeout)


def _descriptor(selector: selectors.BaseSelector) -> int | None:
    """Return a selector's descriptor where it has one that select(2) takes: one below 1024."""
    fileno = getattr(selector, "fileno", None)
    number = fileno() if callable(fileno) else None
    return number if isinstance(number, int) and number < 1024 else None  # noqa: PLR2004  # FD_SETSIZE


def fine_loop() -> asyncio.AbstractEventLoop:
    """Return an event loop whose timers are late by tens of microseconds instead of up to a millisecond."""
    return asyncio.SelectorEventLoop(FineSelector())


@dataclass(slots=True)
class Lateness:
    """How late steps ended, in ns, and how often the schedule was given up."""

    count: int = 0
    total: int = 0
    worst: int = 0
    slips: int = 0

    def note(self, late: int) -> None:
        """Add one step."""
        self.count += 1
        self.total += late
        self.worst = max(self.worst, late)


class Pacer:
    """Drives an engine by the clock. Times are CLOCK_MONOTONIC in ns."""

    def __init__(
        self,
        engine: Engine,
        loop: asyncio.AbstractEventLoop,
        begun: Callable[[Step], None],
        deliver: Callable[[list[Token]], None],
    ) -> None:
        """Take the engine, who hears of steps that begin, and what is done with their tokens."""
        self.lateness = Lateness()
        self._engine = engine
        self._loop = loop
        self._begun = begun
        self._deliver = deliver
        self._step: Step | None = None
        self._free_from = 0
        self._timer: asyncio.TimerHandle | None = None

    def wake(self, at: int) -> None:
        """Begin at a time that has just passed, if there is something to do and nothing is being done."""
        if self._step is None:
            self._begin(max(at, self._free_from))

    def stop(self) -> None:
        """Do nothing any more."""
        if self._timer is not None:
            self._timer.cancel()

    def _begin(self, at: int) -> None:
        self._step = step = self._engine.begin(at)
        if step is not None:
            self._timer = self._loop.call_at(step.ends / NANO, self._end, step)
            self._begun(step)

    def _end(self, step: Step) -> None:
        late = monotonic_ns() - step.ends
        self.lateness.note(max(0, late))
        self._free_from = step.ends
        self._deliver(self._engine.finish(step))
        if late > MOST_BEHIND:
            self.lateness.slips += 1
            self._begin(monotonic_ns())
        else:
            self._begin(step.ends)
