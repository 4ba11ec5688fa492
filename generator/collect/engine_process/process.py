"""An engine as a process of this machine: start, look whether it is still there, and stop it with all that it started.

Between us and the engine stands a supervisor, see ``supervisor.py``: whatever ends us, the engine ends as well.
"""

from __future__ import annotations

import asyncio
import json
import os
import select
import signal
import subprocess
import sys
import time
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import generator
from generator.collect.engine_process import family
from generator.collect.engine_process.failure import engine_error
from generator.collect.engine_process.supervisor import KILL_WAIT
from generator.collect.engine_process.task import Task
from generator.errors import InputError, quote

START_S: Final = 60.0
"""Seconds that the supervisor has to start the engine: tens of milliseconds where the machine is not overloaded."""
MARGIN_S: Final = 20.0
"""Seconds that the supervisor has beyond those for the engine to end: it writes what is left of the log."""

_MODULE: Final = "generator.collect.engine_process.supervisor"
_ROOT: Final = str(Path(generator.__file__).parents[1])


@dataclass(frozen=True, slots=True)
class Stopped:
    """How an engine ended.

    Attributes:
        code: its exit code, minus the signal where one ended it; None where that is not known.
        killed: processes that did not end at SIGTERM.
        left: ids of processes that did not even end at SIGKILL.
        seconds: how long it took.
    """

    code: int | None
    killed: int = 0
    left: tuple[int, ...] = ()
    seconds: float = 0.0


class EngineProcess:
    """An engine that was started."""

    def __init__(self, task: Task, log: Path) -> None:
        """Start it; :func:`start` is the way to say it.

        Raises:
            EngineError: the program cannot be started.
            InputError: the log cannot be written.
        """
        self.log = log
        self._grace = task.grace_s
        self._said = b""
        self._events: dict[str, dict[str, Any]] = {}
        self._stopped: Stopped | None = None
        self._supervisor = _supervisor(log)
        try:
            self._order(task.to_json())
            spawned = self._expect("spawned", START_S)
        except BaseException:
            self._let_go()
            raise
        self.pid: int = spawned["pid"]
        self.spawned_ns: int = spawned["mono_ns"]
        self.spawned_wall_ns: int = spawned["wall_ns"]

    @property
    def exit_code(self) -> int | None:
        """The engine's exit code, minus the signal where one ended it; None while it runs."""
        if "ended" not in self._events:
            self._listen(0)
        if "ended" in self._events:
            code: int = self._events["ended"]["code"]
            return code
        return None if self._supervisor.poll() is None else -signal.SIGKILL

    def stop(self) -> Stopped:
        """End the engine and all that it started, and say how that went. To call it again does nothing."""
        if self._stopped is None:
            with suppress(OSError):
                self._order(b"stop\n")
            self._stopped = self._end()
        return self._stopped

    def _end(self) -> Stopped:
        try:
            told = self._expect("stopped", self._grace + KILL_WAIT + MARGIN_S)
        except InputError:  # the supervisor itself was killed, or hangs
            told = None
        self._let_go()
        if told is None:
            return Stopped(self.exit_code, left=_sweep(self.pid))
        return Stopped(told["code"], told["killed"], tuple(told["left"]), told["seconds"])

    def _order(self, line: bytes) -> None:
        if self._supervisor.stdin is not None:
            self._supervisor.stdin.write(line)
            self._supervisor.stdin.flush()

    def _expect(self, event: str, seconds: float) -> dict[str, Any]:
        """Wait until the supervisor reports something, and return it."""
        deadline = time.monotonic() + seconds
        while event not in self._events:
            left = deadline - time.monotonic()
            if "failed" in self._events:
                raise engine_error(self.log, f"cannot be started: {self._events['failed']['why']}", "check argv")
            if left <= 0 or not self._listen(left):
                raise engine_error(self.log, f"the supervisor did not say '{event}'", f"see {self.log.name}")
        return self._events[event]

    def _listen(self, seconds: float) -> bool:
        """Take in what the supervisor reports within some seconds; say whether it may report more."""
        if self._supervisor.stdout is None or self._supervisor.stdout.closed:
            return False
        source = self._supervisor.stdout.fileno()
        if not select.select([source], [], [], seconds)[0]:
            return True
        said = os.read(source, 2**16)
        *lines, self._said = (self._said + said).split(b"\n")
        self._events |= {report["event"]: report for report in map(json.loads, lines)}
        return bool(said)

    def _let_go(self) -> None:
        """Let the supervisor end, and see that it does."""
        with self._supervisor as process:
            if process.stdin is not None:
                with suppress(OSError):  # it is gone, and did not hear its last order
                    process.stdin.close()
            try:
                process.wait(KILL_WAIT + MARGIN_S)
            except subprocess.TimeoutExpired:
                process.kill()


def start(task: Task, log: Path) -> EngineProcess:
    """Start an engine; its words go to a log, behind what stands there already.

    Raises:
        EngineError: the program cannot be started.
        InputError: the log cannot be written.
    """
    return EngineProcess(task, log)


async def stopped(process: EngineProcess) -> Stopped:
    """End an engine without keeping the loop waiting.

    A cancellation does not cut it short: the thread goes on, and the loop waits for its threads.
    """
    return await asyncio.shield(asyncio.to_thread(process.stop))


def _supervisor(log: Path) -> subprocess.Popen[bytes]:
    # Not from the present folder (-P): what lies there need not be ours.
    command = [sys.executable, "-P", "-m", _MODULE, str(os.getpid())]
    with _opened(log) as out:
        return subprocess.Popen(  # noqa: S603  # our own module
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=out,
            env={**os.environ, "PYTHONPATH": _ROOT},
            start_new_session=True,
        )


def _opened(log: Path) -> Any:  # noqa: ANN401  # a binary file; its type has no short name
    try:
        return log.open("ab", buffering=0)
    except OSError as error:
        problem = f"cannot be written ({error.strerror})"
        raise InputError(quote(log.name), "", problem, "check the folder and its permissions") from error


def _sweep(leader: int) -> tuple[int, ...]:
    """End what is left of the group and the session of an engine; return the ids of those that do not end."""
    deadline = time.monotonic() + KILL_WAIT
    while (left := family.members(leader, family.table())) and time.monotonic() < deadline:
        family.send(signal.SIGKILL, left)
        time.sleep(0.02)
    return tuple(sorted(left))
