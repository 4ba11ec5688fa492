from __future__ import annotations

from itertools import pairwise
from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.across import timelines
from generator.across.timelines import (
    in_flight,
    lanes_of,
    most_telling,
    shown_of,
    spans_of,
    stalled,
    timed_runs,
    waves_of,
)
from generator.runs.requests import Requests
from tests.numeric.test_common_stalls import TWO
from tests.support.request_rows import Row, answer, failure, requests_of
from tests.support.run_rounds import round_of
from tests.support.telling import analysed

FLOWING: Final = requests_of(*(answer(0.1, 0.1, start=0.1 * number) for number in range(4)))


def lanes(*spans: tuple[float, float]) -> list[int]:
    return lanes_of(np.array([begin for begin, _ in spans]), np.array([end for _, end in spans]))


def test_each_request_takes_the_lowest_free_row() -> None:
    # The first two run side by side; the third begins as the second ends, in its row; the fourth finds none free.
    assert lanes((0, 5), (1, 2), (2, 4), (3, 6), (5, 7)) == [0, 1, 1, 2, 0]


SPANS: Final = st.lists(st.tuples(st.integers(0, 50), st.integers(0, 30)), max_size=40)


@given(SPANS)
def test_no_two_of_a_row_overlap_and_there_are_no_more_rows_than_in_flight(drawn: list[tuple[int, int]]) -> None:
    spans = sorted((float(begin), float(begin + length)) for begin, length in drawn)
    rows = lanes(*spans)

    for row in set(rows):
        of_row = [span for span, lane in zip(spans, rows, strict=True) if lane == row]
        assert all(before[1] <= after[0] for before, after in pairwise(of_row))
    most = max((sum(a <= begin < b or a == begin for a, b in spans) for begin, _ in spans), default=0)
    assert max(rows, default=-1) < most


def test_the_run_that_stood_still_longest_is_shown() -> None:
    round_ = round_of({("a", "c2", None): requests_of(*TWO), ("a", "c4", None): FLOWING, ("b", "c2", None): FLOWING})
    analysis = analysed(round_)
    run = most_telling([run for series in round_.series for run in timed_runs(analysis, series)])

    assert run is not None
    assert (run.series.id, run.level) == ("a", "c2")
    assert stalled(run) == pytest.approx(1.0)


def test_without_a_stall_it_is_the_highest_level_of_the_first_series() -> None:
    round_ = round_of(
        {("a", "c1", None): FLOWING, ("a", "c4", 1): FLOWING, ("a", "c4", 2): FLOWING, ("b", "c8", None): FLOWING}
    )
    analysis = analysed(round_)
    run = most_telling([run for series in round_.series for run in timed_runs(analysis, series)])

    assert run is not None
    assert (run.series.id, run.level, run.trial) == ("a", "c4", 1)


def test_runs_without_times_cannot_be_shown() -> None:
    round_ = round_of({("a", "c1", None): requests_of(answer(0.1, 0.1))})

    assert timed_runs(analysed(round_), round_.series[0]) == []
    assert most_telling([]) is None


def test_requests_are_in_the_order_of_sending_and_end_with_what_is_known() -> None:
    rows = (answer(0.5, 0.5, start=1.0), failure(ttft=0.25, start=0.5), failure(start=0.0), answer(0.1))
    begins, ends, which = spans_of(requests_of(*rows))

    assert (begins.tolist(), ends.tolist(), which.tolist()) == ([0.0, 0.5, 1.0], [0.0, 0.75, 2.0], [2, 1, 0])


def many(count: int, stall_at: float | None = None) -> Requests:
    """Return pairs of answers of 1 s, one behind the other, of 10 gaps; both stand still for 2 s from a time on."""
    rows: list[Row] = []
    for number in range(count // 2):
        gap = 2.0 if stall_at is not None and number == int(stall_at) else 0.1
        late = 1.9 if stall_at is not None and number > int(stall_at) else 0.0
        rows += [answer(0.1, *[0.1] * 4, gap, *[0.1] * 4, start=number + late) for _ in range(2)]
    return requests_of(*rows)


def test_few_requests_are_all_shown() -> None:
    window, rows = shown_of(many(timelines.MOST))

    assert len(rows) == timelines.MOST
    assert window == pytest.approx((0.0, 200.0), abs=0.1)


def test_of_many_the_beginning_is_shown() -> None:
    # 1000 requests, two a second: the 401st is sent at 200 s.
    window, rows = shown_of(many(1000))

    assert window == pytest.approx((0.0, 200.0))
    assert rows.tolist() == list(range(400))


def test_of_many_with_a_stall_what_lies_around_it_is_shown() -> None:
    # The stall lies between 350.5 and 352.5 s: 100 s on either side hold 400 requests.
    (begin, end), rows = shown_of(many(1000, stall_at=350))

    assert begin == pytest.approx(251, abs=3)
    assert end == pytest.approx(452, abs=3)
    assert 390 <= len(rows) <= 400
    assert {700, 701} <= set(rows.tolist())


def test_where_more_are_in_flight_than_can_be_shown_the_first_of_them_are() -> None:
    together = requests_of(*(answer(0.1, 0.1, 1.0, 0.1, start=0.0) for _ in range(500)))
    window, rows = shown_of(together)

    # the stall of 1 s begins at 0.2 s; three lengths on either side are more than the run
    assert window == pytest.approx((0.0, 1.3))
    assert len(rows) == 400


def test_of_a_burst_without_a_stall_the_first_are_shown_to_their_end() -> None:
    window, rows = shown_of(requests_of(*(answer(0.1, 0.05, start=0.0) for _ in range(500))))

    assert window == pytest.approx((0.0, 0.15))
    assert len(rows) == 400


@settings(max_examples=30, deadline=None)
@given(st.integers(401, 1500), st.integers(1, 600), st.booleans())
def test_no_more_are_shown_than_there_is_room_for(count: int, in_flight_at_once: int, is_burst: bool) -> None:
    step = 0.0 if is_burst else 1 / in_flight_at_once
    (begin, end), rows = shown_of(requests_of(*(answer(0.1, 0.9, start=number * step) for number in range(count))))

    assert 0 < len(rows) <= timelines.MOST
    assert end > begin


def test_in_flight_is_told_over_the_whole_run() -> None:
    # One of 1 s at 0 s, two at 9 s: the run takes 10 s.
    points = in_flight(
        requests_of(answer(0.5, 0.5, start=0.0), answer(0.5, 0.5, start=9.0), answer(0.5, 0.5, start=9.0))
    )

    assert len(points) == timelines.POINTS
    assert points[0] == (0.0, 1.0)
    assert {count for time, count in points if 1.1 < time < 8.9} == {0.0}
    assert {count for time, count in points if 9.1 < time < 9.9} == {2.0}


def test_a_wave_is_half_of_those_under_way_ending_together() -> None:
    # Four end within 20 ms of each other at 1.0 s; the next four one by one, half a second apart.
    first = [answer(0.1, *[0.01] * 80, 0.1 + 0.005 * number, start=0.0) for number in range(4)]
    apart = [answer(0.1, *[0.01] * 80, 0.1 + 0.5 * number, start=2.0) for number in range(4)]

    assert waves_of(requests_of(*first, *apart)).tolist() == pytest.approx([1.015])


def test_two_that_end_together_among_many_are_no_wave() -> None:
    rows = [answer(0.1, *[0.01] * 80, 0.1 + 0.5 * (number // 2), start=0.0) for number in range(8)]

    # at 1.0, 1.5, 2.0 and 2.5 s two end: of 8, 6, 4 and 2 under way; the last one but ends the run
    rows.append(answer(0.1, 0.1, start=2.2))
    assert waves_of(requests_of(*rows)).tolist() == pytest.approx([2.0])


def test_that_a_run_ends_is_no_wave() -> None:
    rows = [answer(0.1, *[0.01] * 80, 0.1, start=0.0) for _ in range(4)]
    assert waves_of(requests_of(*rows)).tolist() == []

    # where another request takes a place, it is one
    assert waves_of(requests_of(*rows, answer(0.1, 0.1, start=1.1))).tolist() == pytest.approx([1.0])


def test_without_chunks_no_wave_is_told() -> None:
    assert waves_of(requests_of(failure(start=0.0))).tolist() == []
