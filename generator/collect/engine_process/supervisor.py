"""The process between us and an engine: it starts the engine, keeps its log, and ends it when we end, however we do.

It holds one end of a pipe whose other end is ours. When we stop it, or when the pipe closes since we were killed, it
ends everything that stems from the engine. It cannot be taken along by a Ctrl-C (it has a session of its own), does
not share our interpreter's lock with the timed client, and is killed only on purpose: then the engine goes with it.

Orders come in on the standard input: one line of JSON, the :class:`Task`, and later ``stop``. What happened goes out
on the standard output, a line of JSON each: ``spawned`` or ``failed``, ``ended``, ``stopped``. The log is the standard
error output: what goes wrong in here stands in it as well.
"""

from __future__ import annotations

import fcntl
import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

from generator.collect.engine_process import family
from generator.collect.engine_process.log_file import PIPE_BYTES, LogFile
from generator.collect.engine_process.log_text import Cleaner
from generator.collect.engine_process.secrets import secrets_of
from generator.collect.engine_process.task import Task

if TYPE_CHECKING:
    from collections.abc import Callable

ORDERS: Final = 0
REPORTS: Final = 1
LOG: Final = 2

ORPHAN_GRACE: Final = 2.0
"""Seconds from SIGTERM to SIGKILL where nobody is left to wait longer."""
KILL_WAIT: Final = 10.0
"""Seconds to wait for processes after SIGKILL: one that waits for a device ends late."""
LOOK: Final = 0.5
"""Seconds between two looks at whether we are still there, in case that the pipe was kept open by others."""
QUICK: Final = 0.02
"""Seconds between two looks at what is left."""


class Supervisor:
    """One engine and all that stems from it."""

    def __init__(self, task: Task, parent: int, orders: bytes) -> None:
        """Take the task, the id of the process that gave it, and what it said after it."""
        self._task = task
        self._parent = parent
        self._engine: subprocess.Popen[bytes] | None = None
        source, self._sink = _pipe()
        self._source = source
        self._log = LogFile(source, LOG, Cleaner(secrets_of(task.argv, task.environment)))
        self._wake = _signals_as_bytes()
        self._orders = orders
        self._called_off = False
        self._childless = False
        self._told_end = False

    def run(self) -> None:
        """Start the engine, watch over it, and end it."""
        if self._spawn():
            grace = self._watch()
            self._stop(grace)

    def _spawn(self) -> bool:
        family.adopt_orphans()
        here = os.getpid()
        moment = {"mono_ns": time.monotonic_ns(), "wall_ns": time.time_ns()}
        try:
            self._engine = self._start(lambda: family.die_with(here))
        except (OSError, ValueError) as error:
            _report("failed", why=str(getattr(error, "strerror", None) or error))
            return False
        finally:
            os.close(self._sink)
        _report("spawned", pid=self._engine.pid, **moment)
        return True

    def _start(self, prepare: Callable[[], None]) -> subprocess.Popen[bytes]:
        task = self._task
        return subprocess.Popen(  # noqa: S603  # the arguments are those of the author's plan, and no shell reads them
            task.argv,
            stdin=subprocess.DEVNULL,
            stdout=self._sink,
            stderr=self._sink,
            env=task.environment,
            cwd=task.folder,
            start_new_session=True,
            preexec_fn=prepare,  # noqa: PLW1509  # there is one thread here
        )

    def _watch(self) -> float:
        """Wait until the engine is to be ended; return the seconds that it may take for it."""
        while b"stop\n" not in self._orders:
            if ORDERS in self._pass_time(LOOK, ORDERS):
                said = os.read(ORDERS, PIPE_BYTES)
                self._orders += said
                self._called_off |= not said
            if self._called_off or os.getppid() != self._parent:
                return min(self._task.grace_s, ORPHAN_GRACE)
        return self._task.grace_s

    def _pass_time(self, most: float, *others: int) -> list[int]:
        """Write the log and bury the dead for at most some seconds; return what became ready to be read."""
        watched = [self._wake, *others]
        if not self._log.ended and not self._log.full:
            watched.append(self._source)
        ready, _, _ = select.select(watched, [], [], 0 if self._log.pending else most)
        if self._source in ready:
            self._log.take()
        else:
            self._log.write_some()
        if self._wake in ready:
            self._called_off |= any(number != signal.SIGCHLD for number in os.read(self._wake, 64))
        self._bury()
        return ready

    def _bury(self) -> None:
        """Take note of the ends of the engine and of adopted processes."""
        try:
            while (ended := os.waitpid(-1, os.WNOHANG))[0]:
                if self._engine is not None and ended[0] == self._engine.pid:
                    self._engine.returncode = os.waitstatus_to_exitcode(ended[1])
        except ChildProcessError:
            self._childless = True
        if self._engine is not None and self._engine.returncode is not None and not self._told_end:
            self._told_end = True
            self._log.finish()
            _report("ended", code=self._engine.returncode, mono_ns=time.monotonic_ns())

    def _stop(self, grace: float) -> None:
        begun = time.monotonic()
        family.send(signal.SIGTERM, self._family())
        self._until_gone(grace)
        killed = self._family()
        left = self._until_gone(KILL_WAIT, insist=True)
        self._log.finish()
        code = self._engine.returncode if self._engine is not None else None
        took = time.monotonic() - begun
        _report("stopped", code=code, killed=len(killed), left=sorted(left), seconds=took)

    def _until_gone(self, seconds: float, *, insist: bool = False) -> set[int]:
        """Wait until nothing is left and all are buried; return what is left after some seconds."""
        deadline = time.monotonic() + seconds
        while ((left := self._family()) or not self._childless) and time.monotonic() < deadline:
            if insist:
                family.send(signal.SIGKILL, left)
            self._pass_time(QUICK)
        return left

    def _family(self) -> set[int]:
        processes = family.table()
        leader = self._engine.pid if self._engine is not None else 0
        return family.descendants(os.getpid(), processes) | family.members(leader, processes)


def _pipe() -> tuple[int, int]:
    """Return a pipe with room for a burst of lines; its reader does not block."""
    source, sink = os.pipe()
    os.set_blocking(source, False)
    if hasattr(fcntl, "F_SETPIPE_SZ"):
        with suppress(OSError):  # above what the system grants
            fcntl.fcntl(sink, fcntl.F_SETPIPE_SZ, PIPE_BYTES)
    return source, sink


def _signals_as_bytes() -> int:
    """Let signals be read from a descriptor, so that one wait is for all."""
    source, sink = os.pipe()
    os.set_blocking(source, False)
    os.set_blocking(sink, False)
    signal.set_wakeup_fd(sink, warn_on_full_buffer=False)
    for number in (signal.SIGCHLD, signal.SIGTERM, signal.SIGINT, signal.SIGHUP):
        signal.signal(number, lambda *_: None)
    return source


def _report(event: str, **facts: Any) -> None:
    line = json.dumps({"event": event, **facts}) + "\n"
    with suppress(OSError):  # nobody is left to hear it
        os.write(REPORTS, line.encode())


def _first_order() -> tuple[bytes, bytes]:
    """Read the first line of the orders, and perhaps what follows; a line without an end is no order."""
    said = b""
    while b"\n" not in said and (more := os.read(ORDERS, PIPE_BYTES)):
        said += more
    order, end, rest = said.partition(b"\n")
    return (order if end else b""), rest


def main() -> None:
    """Do the task that comes in."""
    order, rest = _first_order()
    if order:
        Supervisor(Task.from_json(order), int(sys.argv[1]), rest).run()


if __name__ == "__main__":
    main()
