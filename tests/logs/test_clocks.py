"""The time of events on our own clock."""

from __future__ import annotations

import numpy as np
import pytest

from generator.logs.clocks import on_our_clock
from generator.logs.llamacpp import EVENTS
from tests.support.server_logs import events_of


def line(read_ns: int | None, own: str, task: int) -> str:
    """Write a line of a launch, as it is read at a time of ours."""
    head = "" if read_ns is None else f"{read_ns} 2026-11-29T22:32:39.664398Z | "
    return f"{head}{own}I slot launch_slot_: id  0 | task {task} | processing task, is_child = 0\n"


def times(*lines: str) -> list[float]:
    events = events_of("".join(lines), EVENTS)
    return [float(time) for time in on_our_clock(events, events["launch"])]


def test_lines_that_were_read_together_are_told_apart_by_the_logs_own_time() -> None:
    # Own times 10.0, 10.2 and 11.0 s; read at 100.5, 100.5 and 101.0 s. The clocks are apart by 90.5, 90.3 and
    # 90.0 s, so by no more than 90.0 s: 100.0, 100.2 and 101.0 s.
    found = times(
        line(100_500_000_000, "0.10.000.000 ", 1),
        line(100_500_000_000, "0.10.200.000 ", 2),
        line(101_000_000_000, "0.11.000.000 ", 3),
    )

    assert found == pytest.approx([100.0, 100.2, 101.0])


def test_without_a_time_of_its_own_a_line_was_written_when_it_was_read() -> None:
    assert times(line(100_500_000_000, "", 1)) == [100.5]


def test_without_a_time_of_ours_nothing_is_known() -> None:
    assert np.isnan(times(line(None, "0.10.000.000 ", 1))).all()


def test_after_a_new_start_the_logs_own_time_is_no_clock() -> None:
    # The second line is of a server that was started anew: it counts from 0 again.
    found = times(line(100_500_000_000, "1.10.000.000 ", 1), line(200_000_000_000, "0.01.000.000 ", 2))

    assert found == [100.5, 200.0]
