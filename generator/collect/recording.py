"""What a transport writes down of one request while it runs: bytes and times, unread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Literal

import numpy as np
from numpy.typing import NDArray

from generator.collect.clock import Times, WallClock, now

Stamp = Literal["kernel", "user"]
"""Where the time of a read is from: the kernel's stamp of the packet, or our clock once the bytes were in hand."""

End = Literal[
    "whole", "refused", "unreachable", "reset", "closed", "timed_out", "stalled", "cancelled", "too_large", "malformed",
    "not_sent",
]  # fmt: skip
"""How the exchange of bytes ended: ``closed`` is an orderly end of the connection before that of the response."""

MIB: Final = 1 << 20
NO_STAMP: Final = bytes(16)
READ_COSTS: Final = 160
"""Bytes that a read takes besides its own: two objects of bytes, a number, and their places in three lists."""

EXTENSION: Final = "recording"
"""The key of ``httpx.Request.extensions`` under which a caller hands in the recording of a request."""


@dataclass(frozen=True, slots=True)
class Limits:
    """When a request is given up.

    Attributes:
        total_s: seconds from sending to the end of the answer.
        stall_s: seconds between two reads, once the body has begun: before that a server may well be queueing.
        connect_s: seconds to open a connection.
        most_bytes: bytes kept of one answer, each read counted with what it takes in memory; a longer one is cut off
            there and fails.
    """

    total_s: float = 600.0
    stall_s: float = 120.0
    connect_s: float = 10.0
    most_bytes: int = 32 * MIB


@dataclass(frozen=True, slots=True)
class Head:
    """Status line and headers of a response; names in lower case."""

    version: str
    status: int
    headers: tuple[tuple[str, str], ...] = ()

    def get(self, name: str) -> str:
        """Return the values of a header joined by commas; empty where there is none."""
        return ", ".join(value for key, value in self.headers if key == name)

    def tokens(self, name: str) -> set[str]:
        """Return the comma-separated words of a header, in lower case."""
        return {word.strip().lower() for word in self.get(name).split(",")} - {""}


@dataclass(eq=False, slots=True)
class Recording:
    """One request as it happens. Times are ns of CLOCK_MONOTONIC.

    Attributes:
        asked: when the transport was given the request; 0 before.
        sent: when its first byte was about to be written; 0 where no connection was made.
        ended: when nothing more was to come.
        reads: what came, read by read.
        read_at: when each was read.
        stamps: the kernel's stamp of each, as 16 bytes; zeros where there is none.
        head: status and headers, once they came.
        kept: bytes in ``reads``.
        end: how it ended; None while it runs.
        retries: how often it was sent again because a kept-alive connection was dead.
        reused: whether it went over a connection that had been open before.
        stamp: which stamps these are.
        unframed: whether ``reads`` are of the body alone, head and framing taken off.
    """

    asked: int = 0
    sent: int = 0
    ended: int = 0
    reads: list[bytes] = field(default_factory=list)
    read_at: list[int] = field(default_factory=list)
    stamps: list[bytes] = field(default_factory=list)
    head: Head | None = None
    kept: int = 0
    end: End | None = None
    retries: int = 0
    reused: bool = False
    stamp: Stamp = "user"
    unframed: bool = False

    def begin(self) -> None:
        """Forget an earlier answer: an authentication, for one, sends a request twice."""
        self.asked, self.sent, self.ended = self.asked or now(), 0, 0
        self.reads, self.read_at, self.stamps = [], [], []
        self.head, self.kept, self.end = None, 0, None

    def send_again(self) -> None:
        """Count a retry. The time of the first sending stays: the wait was the user's."""
        self.retries += 1
        self.reused, self.end = False, None

    def finish(self, end: End) -> None:
        """Note how it ended; what came first holds."""
        if self.end is None:
            self.end, self.ended = end, now()

    def is_full(self, most_bytes: int) -> bool:
        """Return whether more has been kept than is allowed: reads of a byte each take memory too."""
        return self.kept + READ_COSTS * len(self.reads) > most_bytes

    def times(self, clock: WallClock | None) -> tuple[Times, NDArray[np.bool_]]:
        """Return when each read came, never falling, and which of these times are the kernel's."""
        read_at = np.array(self.read_at, dtype=np.int64)
        if self.stamp == "user" or clock is None or not len(read_at):
            return read_at, np.zeros(len(read_at), dtype=np.bool_)
        placed, of_kernel = clock.place(_wall_ns(self.stamps), read_at)
        return np.maximum.accumulate(placed), of_kernel


def _wall_ns(stamps: Sequence[bytes]) -> Times:
    """Return struct timespec records, seconds and ns of 8 bytes each, as ns."""
    pairs = np.frombuffer(b"".join(stamps), dtype=np.int64).reshape(-1, 2)
    wall: Times = pairs[:, 0] * 1_000_000_000 + pairs[:, 1]
    return wall
