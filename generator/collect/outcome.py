"""What became of one request: times, counts, and why it failed where it did. Failures are outcomes, not exceptions."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

import numpy as np

from generator.collect.clock import Times, WallClock
from generator.collect.events import TOKENS, Event, Stream, parse_events
from generator.collect.http_body import Response, parse
from generator.collect.recording import End, Head, Recording, Stamp
from generator.collect.usage import Usage

Phase = Literal["cold", "warm", "steady"]
"""cold: the first requests a server sees; warm: those before the clock; steady: those that are measured."""

REASONS: Final[Mapping[str, str]] = {
    "refused": "nobody listened",
    "unreachable": "the name, the host or the network was not found",
    "reset": "the connection broke",
    "closed": "the server closed the connection before the end of the answer",
    "timed_out": "the answer was not over in time",
    "stalled": "nothing came for too long in the middle of the answer",
    "cancelled": "the run was ended",
    "too_large": "the answer was longer than what is kept of one",
    "malformed": "what came is no HTTP",
    "not_sse": "the answer is no event stream",
    "half_event": "the answer stops in the middle of an event",
    "broken_event": "an event is no JSON object",
    "error_event": "the stream tells of an error",
    "unfinished": "the stream ends without a finish reason and without [DONE]",
    "no_token": "the answer is whole and bears no token",
    "not_sent": "this machine could not send the request",
    "client_died": "the process of the client that had the request died",
}
"""Every reason for which a request fails, and what it means; besides these, ``http_`` and the status."""

OF_STATUS: Final = re.compile(r"http_[1-9][0-9]{2}")
OK: Final = 200
NO_TIMES: Final[Times] = np.zeros(0, dtype=np.int64)


def is_reason(word: str) -> bool:
    """Return whether a word is of the closed set of reasons."""
    return word in REASONS or OF_STATUS.fullmatch(word) is not None


@dataclass(frozen=True, slots=True)
class Asked:
    """What is known of a request beforehand.

    Attributes:
        number: its place in the plan.
        phase: which part of the run it is of.
        scheduled: when it was to be sent, ns of CLOCK_MONOTONIC; in a closed loop when its turn came.
    """

    number: int
    phase: Phase
    scheduled: int


@dataclass(frozen=True, eq=False, slots=True)
class Outcome:
    """What became of a request. Times are ns of CLOCK_MONOTONIC, 0 where there is none.

    Attributes:
        asked: what was known before.
        sent: when its first byte was about to be written; of a retry, that of the first sending.
        first_byte: when the first byte of the response came.
        chunks: when each event that bears tokens was complete, rising, (n,).
        ended: when nothing more was to come.
        finish: finish_reason.
        usage: what the server counted; None where it did not.
        reason: why it failed; None where it did not.
        detail: the type of an error event, or how the bytes ended where an earlier fault gave the reason.
        status: of HTTP; 0 where none came.
        retries: how often it was sent again because a kept-alive connection was dead.
        reused: whether it went over a connection that had been open before.
        stamp: whose times these are.
        late_ns: of each read with a stamp of the kernel, how long its bytes had lain when we got to them, (m,).
        reads: reads of the response.
        size: bytes of the response that were kept.
        kinds: events of each kind.
    """

    asked: Asked
    sent: int
    first_byte: int
    chunks: Times
    ended: int
    finish: str
    usage: Usage | None
    reason: str | None
    detail: str
    status: int
    retries: int
    reused: bool
    stamp: Stamp
    late_ns: Times
    reads: int
    size: int
    kinds: Mapping[str, int]

    @property
    def answered(self) -> bool:
        """Return whether the answer came without an error; it may bear no token."""
        return self.reason in (None, "no_token")

    @property
    def first_token(self) -> int:
        """Return when the first token came; 0 where none did."""
        return int(self.chunks[0]) if len(self.chunks) else 0

    @property
    def last_token(self) -> int:
        """Return when the last token came; 0 where none did."""
        return int(self.chunks[-1]) if len(self.chunks) else 0


def outcome_of(asked: Asked, recording: Recording, clock: WallClock | None) -> Outcome:
    """Return what became of a request, from what was written down of it."""
    end = recording.end or "cancelled"
    times, of_kernel = recording.times(clock)
    response = parse(recording.reads, closed=end == "whole", head=recording.head if recording.unframed else None)
    streamed = response.head is not None and response.head.status == OK and is_stream(response.head)
    stream = parse_events(response.body) if streamed else Stream(())
    reason = reason_of(end, response, stream)
    return Outcome(
        asked=asked,
        sent=recording.sent or recording.asked,
        first_byte=int(times[0]) if len(times) else 0,
        chunks=_chunk_times(stream.events, response, times),
        ended=recording.ended,
        finish=next((event.finish for event in reversed(stream.events) if event.finish), ""),
        usage=_counted(stream.events),
        reason=reason,
        detail=_detail(end, reason, stream.events),
        status=response.head.status if response.head is not None else 0,
        retries=recording.retries,
        reused=recording.reused,
        stamp="kernel" if of_kernel.any() else "user",
        late_ns=(np.array(recording.read_at, dtype=np.int64) - times)[of_kernel],
        reads=len(recording.reads),
        size=recording.kept,
        kinds=dict(Counter(event.kind for event in stream.events)),
    )


def is_stream(head: Head) -> bool:
    """Return whether a response is a stream of events that is not packed."""
    kind = head.get("content-type").partition(";")[0].strip().lower()
    return kind == "text/event-stream" and head.get("content-encoding").lower() in ("", "identity")


def reason_of(end: End, response: Response, stream: Stream) -> str | None:
    """Return why a request failed; None where it did not.

    What the server says of itself (a status, an error event) goes before how the bytes ended, and the way they ended
    before what is missing of them.
    """
    head = response.head
    if head is not None and head.status != OK:
        return f"http_{head.status}"
    if any(event.kind == "error" for event in stream.events):
        return "error_event"
    if response.malformed:
        return "malformed"
    if not response.whole:
        return "half_event" if stream.half and end == "closed" else _early(end)
    if head is None or not is_stream(head):
        return "not_sse"
    return "too_large" if stream.cut else _of_whole(stream)


def _early(end: End) -> str:
    """Return why a response did not come whole: what is called whole and is not was closed too soon."""
    return "closed" if end == "whole" else end


def _of_whole(stream: Stream) -> str | None:
    kinds = {event.kind for event in stream.events}
    if stream.half:
        return "half_event"
    if "broken" in kinds:
        return "broken_event"
    if "done" not in kinds and not any(event.finish for event in stream.events):
        return "unfinished" if kinds & TOKENS else "no_token"
    return None if kinds & TOKENS else "no_token"


def _detail(end: End, reason: str | None, events: Sequence[Event]) -> str:
    if reason == "error_event":
        return next((event.error for event in events if event.error), "")
    return end if reason is not None and end not in ("whole", reason) else ""


def _chunk_times(events: Sequence[Event], response: Response, times: Times) -> Times:
    """Return when the read came in that completed each event that bears tokens."""
    ends = np.array([event.end for event in events if event.bears_tokens], dtype=np.int64)
    return times[response.reads_of(ends)] if len(ends) else NO_TIMES


def _counted(events: Sequence[Event]) -> Usage | None:
    """Return the last count: servers that count at each event count up. What a later one leaves out stands."""
    counted: Usage | None = None
    for usage in (event.usage for event in events if event.usage is not None):
        kept = {name: value for name in Usage.__slots__ if (value := getattr(usage, name)) is not None}
        counted = replace(counted or Usage(), **kept)
    return counted
