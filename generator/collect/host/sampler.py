"""Asks every source once a second, or some more often, on threads of its own; writes down what came and what did not.

The schedule is absolute: a tick is due at its place after the start, so that what one is late is not added to the next.
Each source has a thread: one that hangs keeps no other waiting. A source that is still busy at a tick is not asked
again; that it missed one is written down, as is an answer that took longer than its budget.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Final

from generator.collect.host.readings import Source
from generator.collect.host.samples import Lines

EVERY_S: Final = 1.0
BUDGET_S: Final = 0.5
STOP_WITHIN_S: Final = 2.0
S: Final = 10**9


def _now() -> tuple[int, int]:
    """Return ns of the monotonic and of the wall clock."""
    return time.monotonic_ns(), time.time_ns()


class Clock:
    """The time by which ticks are due, and how it passes."""

    def now(self) -> int:
        """Return ns of the monotonic clock."""
        return time.monotonic_ns()

    def wait(self, over: threading.Event, seconds: float) -> bool:
        """Let some time pass, less where the event comes before; say whether it has come."""
        return over.wait(seconds)


class _Worker(threading.Thread):
    """The thread of one source."""

    def __init__(self, source: Source, budget_s: float, lines: Lines) -> None:
        super().__init__(name=f"sampler-{source.name}", daemon=True)
        self.source = source
        self._budget_s = budget_s
        self._lines = lines
        self._asked = threading.Event()
        self._over = False
        self.busy_since: int | None = None

    def ask(self) -> bool:
        """Have the source read; False where it has not answered the last time yet."""
        if self.busy_since is not None:
            return False
        self.busy_since = time.monotonic_ns()
        self._asked.set()
        return True

    def end(self) -> None:
        """Ask no more. A source that hangs is left to itself."""
        self._over = True
        self._asked.set()

    def run(self) -> None:
        """Read whenever asked. Rows carry the time at which the reading began."""
        while self._wanted():
            at = _now()
            fault = self._read(at)
            took = (time.monotonic_ns() - at[0]) / S
            if fault:
                self._lines.gap(at, self.source.name, "failed", took, fault)
            elif took > self._budget_s:
                self._lines.gap(at, self.source.name, "slow", took, f"budget {self._budget_s:g} s")
            self.busy_since = None

    def _wanted(self) -> bool:
        """Wait to be asked, or to be ended: cleared before it is looked which, so that an end is never missed."""
        self._asked.wait()
        self._asked.clear()
        return not self._over

    def _read(self, at: tuple[int, int]) -> str:
        """Write what the source says; return why it could not be asked, by kind: a text may hold a secret."""
        try:
            self._lines.readings(at, self.source.read())
        except Exception as error:  # noqa: BLE001  # a source may raise anything, and the round goes on
            return type(error).__name__
        return ""


class Sampler:
    """Samples some sources into a file from ``start`` to ``stop``; neither raises."""

    def __init__(
        self,
        sources: Sequence[Source],
        path: Path,
        *,
        every_s: float = EVERY_S,
        quick: Collection[str] | None = None,
        budgets_s: Mapping[str, float] | None = None,
        clock: Clock | None = None,
    ) -> None:
        """Take what to sample.

        Args:
            sources: what is asked.
            path: the file of lines that is appended to.
            every_s: seconds from tick to tick.
            quick: names of the sources that are asked at every tick; the others once a second at most. None: all are.
            budgets_s: how long an answer may take, by the name of the source; half a second otherwise.
            clock: by which ticks are due; that of the system otherwise.
        """
        self._lines = Lines(path)
        budgets = budgets_s or {}
        self._workers = [_Worker(source, budgets.get(source.name, BUDGET_S), self._lines) for source in sources]
        self._every = round(every_s * S)
        self._apart = max(1, round(EVERY_S / every_s))
        self._quick = quick
        self._over = threading.Event()
        self._clock = clock or Clock()
        self._clockwork = threading.Thread(target=self._tick_on, name="sampler", daemon=True)

    @property
    def fault(self) -> str:
        """Why nothing more could be written; empty while all is well."""
        return self._lines.fault

    def start(self) -> None:
        """Begin: the first tick is due now."""
        self._lines.open()
        for thread in (*self._workers, self._clockwork):
            thread.start()

    def stop(self, within_s: float = STOP_WITHIN_S) -> tuple[str, ...]:
        """Come to an end within some seconds.

        Returns:
            The names of the sources that had not answered by then: their threads are left to themselves, and write
            no more.
        """
        deadline = time.monotonic() + within_s
        self._over.set()
        if self._clockwork.ident is not None:
            self._clockwork.join(max(0.0, deadline - time.monotonic()))
            self._end_workers(deadline)
        hung = [worker for worker in self._workers if worker.is_alive()]
        for worker in hung:
            waited = (time.monotonic_ns() - (worker.busy_since or time.monotonic_ns())) / S
            self._lines.gap(_now(), worker.source.name, "hung", waited)
        self._lines.close()
        return tuple(worker.source.name for worker in hung)

    def _end_workers(self, deadline: float) -> None:
        for worker in self._workers:
            worker.end()
        for worker in self._workers:
            worker.join(max(0.0, deadline - time.monotonic()))

    def __enter__(self) -> Sampler:
        """Start."""
        self.start()
        return self

    def __exit__(self, *error: object) -> None:
        """Stop."""
        self.stop()

    def _tick_on(self) -> None:
        first = due = self._clock.now()
        while not self._clock.wait(self._over, max(0, due - self._clock.now()) / S):
            self._tick((due - first) // self._every)
            due = self._after(due)

    def _tick(self, number: int) -> None:
        for worker in self._workers:
            if self._is_due(worker, number) and not worker.ask():
                busy = (time.monotonic_ns() - (worker.busy_since or time.monotonic_ns())) / S
                self._lines.gap(_now(), worker.source.name, "missed", self._every / S, f"busy for {busy:.1f} s")

    def _is_due(self, worker: _Worker, number: int) -> bool:
        """Say whether a source is asked at a tick: an average over a second is not asked for sooner."""
        return self._quick is None or worker.source.name in self._quick or number % self._apart == 0

    def _after(self, due: int) -> int:
        """Return when the next tick is due: the first one that is not over yet. Those that are were missed by us."""
        missed = max(0, (self._clock.now() - due) // self._every)
        if missed:
            self._lines.gap(_now(), "sampler", "missed", missed * self._every / S, "the sampler was not run")
        return due + (missed + 1) * self._every
