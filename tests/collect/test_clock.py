from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from generator.collect.clock import Sample, Stretch, WallClock, now, sample_now, utc

MS = 1_000_000
OFFSET = 1_700_000_000 * 1000 * MS


def clock_of(*samples: tuple[int, int]) -> WallClock:
    """Return a clock that was looked at so often: (when, offset), with an uncertainty of 100 ns each."""
    coming: Iterator[Sample] = iter([Sample(at, offset, 100) for at, offset in samples])
    clock = WallClock(lambda: next(coming))
    for _ in samples[1:]:
        clock.sample()
    return clock


def placed(clock: WallClock, *pairs: tuple[int, int]) -> tuple[list[int], list[bool]]:
    """Place (stamp, time of reading) pairs."""
    stamps, read_at = (np.array(column, dtype=np.int64) for column in zip(*pairs, strict=True))
    times, of_kernel = clock.place(stamps, read_at)
    return times.tolist(), of_kernel.tolist()


def test_a_stamp_is_brought_onto_our_clock() -> None:
    # The wall clock is OFFSET ahead: a packet stamped OFFSET + 5 ms came at 5 ms, and was read at 7 ms.
    assert placed(clock_of((0, OFFSET)), (OFFSET + 5 * MS, 7 * MS)) == ([5 * MS], [True])


def test_a_read_without_a_stamp_has_the_time_of_reading() -> None:
    assert placed(clock_of((0, OFFSET)), (0, 7 * MS)) == ([7 * MS], [False])


def test_a_stamp_later_than_its_reading_is_none() -> None:
    assert placed(clock_of((0, OFFSET)), (OFFSET + 9 * MS, 7 * MS)) == ([7 * MS], [False])


def test_a_stamp_a_hair_later_is_the_error_of_the_offset() -> None:
    assert placed(clock_of((0, OFFSET)), (OFFSET + 7 * MS + 150, 7 * MS)) == ([7 * MS], [True])


def test_a_step_of_the_wall_clock_is_noticed_and_each_side_has_its_offset() -> None:
    clock = clock_of((0, OFFSET), (100 * MS, OFFSET), (200 * MS, OFFSET + 3000 * MS), (300 * MS, OFFSET + 3000 * MS))
    assert clock.steps() == [(200 * MS, 3000 * MS)]
    assert placed(
        clock,
        (OFFSET + 50 * MS, 60 * MS),  # before the step
        (OFFSET + 150 * MS, 151 * MS),  # between the samples: nobody knows which side, so the time of reading
        (OFFSET + 3250 * MS, 260 * MS),  # after it: 3250 − 3000
    ) == ([50 * MS, 151 * MS, 250 * MS], [True, False, True])


def test_samples_that_differ_by_an_interruption_are_one_offset() -> None:
    clock = WallClock(iter([Sample(0, OFFSET, 9000), Sample(10, OFFSET + 4000, 80)]).__next__)
    clock.sample()
    assert clock.stretches() == [Stretch(0, 10, OFFSET + 4000)]  # the narrower of the two
    assert clock.steps() == []


def test_samples_do_not_pile_up() -> None:
    clock = clock_of(*((at, OFFSET) for at in range(10_000)))
    assert len(clock.samples) < 5000
    assert clock.stretches() == [Stretch(0, 9999, OFFSET)]


def test_the_clocks_of_this_machine() -> None:
    before = now()
    sample = sample_now()
    assert before <= sample.at <= now()
    assert sample.width < 50 * MS


def test_a_time_of_utc_is_told_to_the_second() -> None:
    # 2026-11-29T10:00:00Z is 1 795 946 400 s after 1970; what is left of the second is cut off.
    assert utc(1_795_946_400 * 10**9 + 999_999_999) == "2026-11-29T10:00:00Z"
