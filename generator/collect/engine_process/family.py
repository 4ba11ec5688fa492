"""Which processes stem from which: so that what an engine started goes when it goes.

On Linux the supervisor adopts whatever loses its parent below it, so that no descendant escapes by leaving group or
session. Elsewhere what left both and lost its parent cannot be found.
"""

from __future__ import annotations

import ctypes
import os
import signal
import subprocess
from collections.abc import Iterable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Final

PROC: Final = Path("/proc")
ADOPT: Final = 36
"""PR_SET_CHILD_SUBREAPER."""
DIE_WITH_PARENT: Final = 1
"""PR_SET_PDEATHSIG."""
DEAD: Final = frozenset("ZXx")
"""States of processes that run no more."""
_LIBC: Final = ctypes.CDLL(None)
"""Opened before any fork: a child between fork and exec had better load nothing."""
THREADS: Final = 17
"""Place of the number of threads among the fields of a stat line behind the name; the first is the state."""


@dataclass(frozen=True, slots=True)
class Process:
    """A process that runs: its parent, its group, and its session where the system tells."""

    id: int
    parent: int
    group: int
    session: int | None


Table = Mapping[int, Process]


def table() -> Table:
    """Return all processes that run, by id; those that are dead and only not yet buried are left out."""
    found = _from_proc() if (PROC / "self" / "stat").exists() else _from_ps()
    return {process.id: process for process in found}


def _from_proc() -> Iterable[Process]:
    for folder in PROC.iterdir():
        if folder.name.isdecimal() and (process := _read(folder)) is not None:
            yield process


def _read(folder: Path) -> Process | None:
    try:
        line = (folder / "stat").read_bytes()
    except OSError:  # it has ended meanwhile
        return None
    # The name stands in brackets and may hold brackets itself.
    state, *fields = line.rpartition(b")")[2].decode().split()
    if state in DEAD and int(fields[THREADS - 1]) <= 1:  # else only its first thread has ended
        return None
    parent, group, session = map(int, fields[:3])
    return Process(int(folder.name), parent, group, session)


def _from_ps() -> Iterable[Process]:
    command = ["ps", "-axo", "pid=,ppid=,pgid=,stat="]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as ps:  # noqa: S603  # a fixed command
        rows = [line.split() for line in ps.communicate()[0].splitlines()]
    numbers = [tuple(map(int, row[:3])) for row in rows if row[3][0] not in DEAD and int(row[0]) != ps.pid]
    return (Process(pid, parent, group, None) for pid, parent, group in numbers)


def descendants(root: int, processes: Table) -> set[int]:
    """Return the ids of all that stem from a process, itself not counted."""
    children: dict[int, list[int]] = {}
    for process in processes.values():
        children.setdefault(process.parent, []).append(process.id)
    found: set[int] = set()
    waiting = [root]
    while waiting:
        new = [child for child in children.get(waiting.pop(), ()) if child not in found]
        found.update(new)
        waiting += new
    return found - {root}


def members(leader: int, processes: Table) -> set[int]:
    """Return the ids of those in the group or the session that a process began."""
    return {process.id for process in processes.values() if leader in (process.group, process.session)}


def send(number: signal.Signals, processes: Iterable[int]) -> None:
    """Send a signal to each process that is still there."""
    for process in processes:
        with suppress(ProcessLookupError, PermissionError):
            os.kill(process, number)


def adopt_orphans() -> None:
    """Become the parent of every descendant whose own parent ends, where the system can do that."""
    _prctl(ADOPT, 1)


def die_with(parent: int) -> None:
    """End this process when its parent ends, however that ends, where the system can do that.

    Called between fork and exec. The parent may have ended before the request was heard.
    """
    _prctl(DIE_WITH_PARENT, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)


def _prctl(option: int, value: int) -> None:
    call = getattr(_LIBC, "prctl", None)
    if call is not None:
        call(ctypes.c_int(option), *map(ctypes.c_ulong, (value, 0, 0, 0)))
