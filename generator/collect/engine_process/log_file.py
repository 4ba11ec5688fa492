"""What an engine prints, taken up at once and written a little later: it must never wait for its log.

Taking up is cheap; cleaning costs some microseconds a line and is done while there is nothing to take up. Only an
engine that keeps printing several megabytes a second is held back, when ``MOST_WAITING`` bytes wait.
"""

from __future__ import annotations

import os
import time
from collections import deque
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from generator.collect.engine_process.log_format import prefix
from generator.collect.engine_process.log_text import LineCutter

if TYPE_CHECKING:
    from generator.collect.engine_process.log_text import Cleaner

PIECE: Final = 2**16
"""Bytes that are taken up, and cleaned, at a time: some milliseconds of work."""
MOST_WAITING: Final = 2**24
PIPE_BYTES: Final = 2**20
"""Room of the pipe: a burst of lines that an engine can print while nobody reads."""
LARGEST: Final = 2**30
"""Bytes of a log; the rest is not kept, so that an engine cannot fill the disk of the data."""


@dataclass(frozen=True, slots=True)
class Taken:
    """Bytes, and when they were read: ns of CLOCK_MONOTONIC and ns since 1970."""

    data: bytes
    mono_ns: int
    wall_ns: int


class LogFile:
    """Reads a pipe and writes a file. It is not flushed to the disk line by line; the system does that."""

    def __init__(self, source: int, target: int, cleaner: Cleaner, largest: int = LARGEST) -> None:
        """Take the two file descriptors; the source must not block."""
        self._source = source
        self._target = target
        self._cleaner = cleaner
        self._cutter = LineCutter()
        self._waiting: deque[Taken] = deque()
        self._bytes = 0
        self._room = largest
        self.ended = False

    @property
    def pending(self) -> bool:
        """Whether something was taken up and is not written yet."""
        return bool(self._waiting)

    @property
    def full(self) -> bool:
        """Whether so much waits that the engine has to."""
        return self._bytes >= MOST_WAITING

    def take(self) -> int:
        """Take up what has been printed; return how many bytes."""
        try:
            data = os.read(self._source, PIECE)
        except BlockingIOError:
            return 0
        self.ended = not data
        if data:
            self._waiting.append(Taken(data, time.monotonic_ns(), time.time_ns()))
            self._bytes += len(data)
        return len(data)

    def write_some(self) -> None:
        """Write one piece of what was taken up."""
        if self._waiting:
            taken = self._waiting.popleft()
            self._bytes -= len(taken.data)
            self._write(self._cutter.feed(taken.data), taken.mono_ns, taken.wall_ns)

    def finish(self) -> None:
        """Write all that has been printed, a line without an end too; who goes on printing is not waited for."""
        left = PIPE_BYTES
        while left > 0 and (taken := self.take()):
            left -= taken
        while self.pending:
            self.write_some()
        self._write(self._cutter.flush(), time.monotonic_ns(), time.time_ns())

    def _write(self, lines: list[bytes], mono_ns: int, wall_ns: int) -> None:
        if not lines or self._room <= 0:
            return
        stamp = prefix(mono_ns, wall_ns)
        data = "".join(f"{stamp}{text}\n" for text in self._cleaner.clean(lines)).encode()
        self._room -= len(data)
        if self._room <= 0:
            data += f"{stamp}[the log is full: the rest is not kept]\n".encode()
        _write_all(self._target, data)


def _write_all(target: int, data: bytes) -> None:
    left = memoryview(data)
    try:
        while left:
            left = left[os.write(target, left) :]
    except OSError:  # a full disk: the engine goes on, and so does the measurement
        return
