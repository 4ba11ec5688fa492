from __future__ import annotations

import struct

import numpy as np
import pytest

from generator.collect.clock import Sample, WallClock
from generator.collect.outcome import REASONS, Asked, Outcome, is_reason, outcome_of
from generator.collect.recording import NO_STAMP, End, Head, Recording, Stamp
from generator.collect.usage import Usage
from tests.collect.faulty import DONE, LAST_CHUNK, SSE, chunk, event, finish, token, usage, whole

MS = 1_000_000
ASKED = Asked(3, "steady", 1 * MS)
OFFSET = 1_700_000_000_000 * MS


def recorded(*reads: tuple[int, bytes], end: End = "whole", stamp: Stamp = "user") -> Recording:
    """Return a recording sent at 2 ms, whose reads came at so many ms each."""
    return Recording(
        asked=MS, sent=2 * MS, ended=99 * MS, end=end, stamp=stamp,
        reads=[data for _, data in reads], read_at=[at * MS for at, _ in reads],
        stamps=[NO_STAMP] * len(reads), kept=sum(len(data) for _, data in reads),
    )  # fmt: skip


def became(*reads: tuple[int, bytes], end: End = "whole") -> Outcome:
    return outcome_of(ASKED, recorded(*reads, end=end), None)


def test_times_are_those_of_the_reads_that_completed_the_events() -> None:
    second = chunk(token(" b"))
    found = became(
        (10, SSE + chunk(event({"choices": [{"delta": {"role": "assistant", "content": ""}}]}))),
        (20, chunk(token(" a"))),
        (30, second[:30]),
        (40, second[30:] + chunk(token(" c"))),
        (50, chunk(finish()) + chunk(usage(5, 3)) + chunk(DONE) + LAST_CHUNK),
    )
    assert (found.sent, found.first_byte, found.first_token, found.last_token) == (2 * MS, 10 * MS, 20 * MS, 40 * MS)
    assert found.chunks.tolist() == [20 * MS, 40 * MS, 40 * MS]
    assert (found.reason, found.finish, found.usage) == (None, "length", Usage(input=5, output=3))
    assert found.kinds == {"role": 1, "content": 3, "other": 1, "usage": 1, "done": 1}
    assert (found.reads, found.status, found.stamp) == (5, 200, "user")


def test_kernel_stamps_are_brought_onto_our_clock() -> None:
    """The wall clock is OFFSET ahead; the one read lay 4 ms before it was read at 20 ms."""
    recording = recorded((20, SSE + b"".join(map(chunk, whole(1))) + LAST_CHUNK), stamp="kernel")
    wall = OFFSET + 16 * MS
    recording.stamps = [struct.pack("qq", *divmod(wall, 1_000_000_000))]
    found = outcome_of(ASKED, recording, WallClock(lambda: Sample(0, OFFSET, 100)))
    assert (found.first_token, found.stamp) == (16 * MS, "kernel")
    assert found.late_ns.tolist() == [4 * MS]


def test_an_answer_that_never_came() -> None:
    found = became(end="refused")
    assert (found.reason, found.first_byte, found.first_token, found.last_token, found.status) == (
        "refused",
        0,
        0,
        0,
        0,
    )
    assert not found.answered


def test_one_that_was_never_sent_has_the_time_at_which_it_was_asked_for() -> None:
    assert outcome_of(ASKED, Recording(asked=7 * MS, end="unreachable"), None).sent == 7 * MS


@pytest.mark.parametrize(
    ("data", "end", "reason"),
    [
        (SSE + b"".join(map(chunk, whole(2))) + LAST_CHUNK, "whole", None),
        (SSE + chunk(token(" a")) + chunk(DONE) + LAST_CHUNK, "whole", None),
        (SSE + chunk(token(" a")) + chunk(finish()) + LAST_CHUNK, "whole", None),
        (SSE + chunk(token(" a")) + LAST_CHUNK, "whole", "unfinished"),
        (SSE + LAST_CHUNK, "whole", "no_token"),
        (SSE + chunk(DONE) + LAST_CHUNK, "whole", "no_token"),
        (SSE + chunk(token(" a")) + chunk(b"data: {") + LAST_CHUNK, "whole", "half_event"),
        (SSE + chunk(token(" a")) + chunk(b"data: {\n\n") + chunk(DONE) + LAST_CHUNK, "whole", "broken_event"),
        (SSE + chunk(token(" a")), "closed", "closed"),
        (SSE + chunk(token(" a")) + b"10\r\ndata: {", "closed", "half_event"),
        (SSE + chunk(token(" a")), "reset", "reset"),
        (SSE + chunk(token(" a")), "stalled", "stalled"),
        (SSE + chunk(token(" a")), "timed_out", "timed_out"),
        (SSE + chunk(token(" a")), "cancelled", "cancelled"),
        (SSE + chunk(token(" a")), "too_large", "too_large"),
        (SSE + chunk(token(" a")) + b"zz\r\n", "malformed", "malformed"),
        (SSE + chunk(event({"error": {"code": 500}})), "closed", "error_event"),
        (b"HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n", "whole", "http_503"),
        (b"HTTP/1.1 500 Oh\r\nContent-Length: 9\r\n\r\nab", "reset", "http_500"),
        (b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: 2\r\n\r\n{}", "whole", "not_sse"),
        (b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}", "whole", "not_sse"),
        (SSE[:-2] + b"Content-Encoding: gzip\r\n\r\n" + chunk(b"\x1f\x8b") + LAST_CHUNK, "whole", "not_sse"),
        (b"HTTP/1.1 200", "closed", "closed"),
        (b"", "closed", "closed"),
    ],
)
def test_why_it_failed(data: bytes, end: End, reason: str | None) -> None:
    found = became((10, data), end=end) if data else became(end=end)
    assert found.reason == reason
    assert reason is None or is_reason(reason)
    assert found.answered == (reason in (None, "no_token"))


def test_how_the_bytes_ended_stands_beside_an_earlier_fault() -> None:
    found = became((10, b"HTTP/1.1 500 Oh\r\nContent-Length: 9\r\n\r\nab"), end="reset")
    assert (found.reason, found.detail) == ("http_500", "reset")


def test_counts_at_each_event_count_up() -> None:
    parts = [token(" a"), usage(5, 1), usage(5, 2), DONE]
    assert became((10, SSE + b"".join(map(chunk, parts)) + LAST_CHUNK)).usage == Usage(input=5, output=2)


def test_what_a_later_count_leaves_out_stands() -> None:
    parts = [token(" a"), usage(5, 1), event({"choices": [], "usage": {"completion_tokens": 2}}), DONE]
    assert became((10, SSE + b"".join(map(chunk, parts)) + LAST_CHUNK)).usage == Usage(input=5, output=2)


def test_a_body_whose_framing_httpx_took_off() -> None:
    recording = recorded((10, token(" a")), (20, DONE))
    recording.head, recording.unframed = Head("HTTP/1.1", 200, (("content-type", "text/event-stream"),)), True
    found = outcome_of(ASKED, recording, None)
    assert (found.reason, found.chunks.tolist()) == (None, [10 * MS])


def test_times_never_fall() -> None:
    """A stamp that is missing has the time of reading, which is later: what follows is no earlier."""
    recording = recorded(
        (20, SSE + chunk(token(" a"))), (21, chunk(token(" b")) + chunk(DONE) + LAST_CHUNK), stamp="kernel"
    )
    recording.stamps = [NO_STAMP, struct.pack("qq", *divmod(OFFSET + 19 * MS, 1_000_000_000))]
    found = outcome_of(ASKED, recording, WallClock(lambda: Sample(0, OFFSET, 100)))
    assert found.chunks.tolist() == [20 * MS, 20 * MS]
    assert np.diff(found.chunks).min() >= 0


def test_the_set_of_reasons_is_closed() -> None:
    assert all(map(is_reason, REASONS))
    assert is_reason("http_429")
    assert not any(map(is_reason, ["", "http_", "http_42", "http_0429", "oops"]))
