"""CPU and memory of the machine, of the load client and of the server's processes, through psutil."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from typing import Final

import psutil

from generator.collect.host.readings import Reading

FAULTS: Final = (psutil.Error, OSError, NotImplementedError, AttributeError, RuntimeError, ValueError)
"""What psutil raises where a number is not there, not for us, or no longer."""

Clock = Callable[[], float]
"""Seconds of a clock that never goes back."""


class Machine:
    """The whole machine: how busy, how much of it was taken by a hypervisor, load, memory, switches, frequency."""

    name = "host"

    def __init__(self) -> None:
        """Begin the first second."""
        self._times = psutil.cpu_times()

    def read(self) -> list[Reading]:
        """Return what holds now; shares of CPU time are of the time since the last reading."""
        return [*self._shares(), *_memory(), *(_one(self.name, field, ask) for field, ask in _FIELDS)]

    def _shares(self) -> Iterator[Reading]:
        before, self._times = self._times, psutil.cpu_times()
        spent = {name: getattr(self._times, name) - getattr(before, name) for name in self._times._fields}
        guests = spent.get("guest", 0.0) + spent.get("guest_nice", 0.0)  # counted in user and nice, too
        total = sum(spent.values()) - guests
        for field, part in (
            ("cpu_busy", total - spent["idle"] - spent.get("iowait", 0.0)),
            ("cpu_stolen", spent.get("steal", 0.0)),
        ):
            share = min(max(part / total, 0.0), 1.0) if total > 0 else None
            yield Reading(self.name, field, share, "" if total > 0 else "no time has passed")


def _memory() -> Iterator[Reading]:
    try:
        memory = psutil.virtual_memory()
    except FAULTS as error:
        yield Reading(Machine.name, "memory_available", None, type(error).__name__)
        return
    yield Reading(Machine.name, "memory_available", float(memory.available))
    yield Reading(Machine.name, "memory_total", float(memory.total))


def _frequency() -> float:
    """Return the mean of the CPUs' frequencies in Hz; many virtual machines do not say."""
    current: float = getattr(psutil.cpu_freq(), "current", 0.0)  # None where it cannot be known, whatever the types say
    if not current:
        raise NotImplementedError
    return current * 10**6


_FIELDS: Final[tuple[tuple[str, Callable[[], float]], ...]] = (
    ("load_1min", lambda: psutil.getloadavg()[0]),
    ("context_switches", lambda: float(psutil.cpu_stats().ctx_switches)),
    ("cpu_frequency", _frequency),
)


def _one(source: str, field: str, ask: Callable[[], float]) -> Reading:
    try:
        return Reading(source, field, ask())
    except FAULTS as error:
        return Reading(source, field, None, type(error).__name__)


class Processes:
    """A process, or it and all that descend from it: CPU, memory, threads, context switches. No names, no arguments."""

    def __init__(self, name: str, pid: int | None = None, *, tree: bool = True, clock: Clock = time.monotonic) -> None:
        """Take whom to watch.

        Args:
            name: what its readings go by.
            pid: the process; this one where it is left out.
            tree: whether its descendants are counted in: those of this process include a server that it started.
            clock: what tells how much time has passed.
        """
        self.name = name
        self._root = os.getpid() if pid is None else pid
        self._tree = tree
        self._clock = clock
        self._known: dict[tuple[int, float], float] = {}
        self._spent = 0.0
        self._at = clock()
        self._look()

    def read(self) -> list[Reading]:
        """Return what holds now.

        ``cpu`` is in cores: CPU seconds a second since the last reading; ``cpu_time`` counts from when the watching
        began, and what a process had spent before is not in it.
        """
        begun, self._at = self._at, self._clock()
        found = self._look()
        if not found:
            return [Reading(self.name, "processes", 0.0), Reading(self.name, "cpu", None, "no such process")]
        before, self._spent = self._spent, self._spent + found["cpu_time"]
        passed = self._at - begun
        rate = Reading(self.name, "cpu", (self._spent - before) / passed) if passed > 0 else None
        sums = {**found, "cpu_time": self._spent}
        return [*(Reading(self.name, field, value) for field, value in sums.items()), *([rate] if rate else [])]

    def _look(self) -> dict[str, float]:
        """Return sums over the processes that are there; ``cpu_time`` is what they spent since they were looked at."""
        known, self._known = self._known, {}
        sums: dict[str, float] = {}
        for process in self._family():
            try:
                numbers = self._numbers(process, known)
            except FAULTS:  # it has ended meanwhile, or is not ours to read
                continue
            for field, value in numbers.items():
                sums[field] = sums.get(field, 0.0) + value
        return sums

    def _family(self) -> list[psutil.Process]:
        try:
            root = psutil.Process(self._root)
            return [root, *(root.children(recursive=True) if self._tree else [])]
        except FAULTS:
            return []

    def _numbers(self, process: psutil.Process, known: dict[tuple[int, float], float]) -> dict[str, float]:
        with process.oneshot():
            times = process.cpu_times()
            key = (process.pid, process.create_time())
            self._known[key] = spent = times.user + times.system
            switches = process.num_ctx_switches()
            first_look = not known and not self._spent
            return {
                "processes": 1.0,
                "cpu_time": spent - known.get(key, spent if first_look else 0.0),
                "rss": float(process.memory_info().rss),
                "threads": float(process.num_threads()),
                "voluntary_switches": float(switches.voluntary),
                "involuntary_switches": float(switches.involuntary),
            }
