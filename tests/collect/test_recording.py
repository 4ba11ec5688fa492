from __future__ import annotations

import struct

from generator.collect.clock import Sample, WallClock
from generator.collect.recording import NO_STAMP, Head, Recording

MS = 1_000_000
S = 1_000 * MS
OFFSET = 1_700_000_000 * S


def test_the_times_of_reads() -> None:
    """The wall clock is OFFSET ahead: 10 ms is the kernel's, the second read has no stamp, the third is its own."""
    recording = Recording(stamp="kernel", read_at=[12 * MS, 20 * MS, 31 * MS])
    recording.stamps = [struct.pack("qq", OFFSET // S, 10 * MS), NO_STAMP, struct.pack("qq", OFFSET // S, 30 * MS)]
    times, of_kernel = recording.times(WallClock(lambda: Sample(0, OFFSET, 100)))
    assert times.tolist() == [10 * MS, 20 * MS, 30 * MS]
    assert of_kernel.tolist() == [True, False, True]


def test_without_stamps_the_times_are_those_of_reading() -> None:
    recording = Recording(read_at=[12 * MS], stamps=[NO_STAMP])
    times, of_kernel = recording.times(WallClock())
    assert (times.tolist(), of_kernel.tolist()) == ([12 * MS], [False])


def test_the_first_end_holds() -> None:
    recording = Recording()
    recording.finish("stalled")
    ended = recording.ended
    recording.finish("cancelled")
    assert (recording.end, recording.ended) == ("stalled", ended)


def test_a_retry_is_counted_and_the_first_sending_stands() -> None:
    recording = Recording(sent=5, reused=True, end="reset")
    recording.send_again()
    assert (recording.retries, recording.sent, recording.reused, recording.end) == (1, 5, False, None)


def test_a_new_beginning_forgets_the_earlier_answer() -> None:
    recording = Recording(asked=3, sent=5, reads=[b"401"], read_at=[7], stamps=[NO_STAMP], kept=3, end="whole")
    recording.begin()
    assert (recording.asked, recording.sent, recording.reads, recording.kept, recording.end) == (3, 0, [], 0, None)


def test_the_words_of_a_header() -> None:
    head = Head("HTTP/1.1", 200, (("connection", "Keep-Alive"), ("connection", "x, ")))
    assert head.get("connection") == "Keep-Alive, x, "
    assert head.tokens("connection") == {"keep-alive", "x"}
    assert head.tokens("none") == set()


def test_what_is_kept_counts_the_reads_as_well() -> None:
    # 3 bytes in 3 reads: 3 + 3 × 160 = 483.
    recording = Recording(reads=[b"a", b"b", b"c"], kept=3)
    assert recording.is_full(482)
    assert not recording.is_full(483)
