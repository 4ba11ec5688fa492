from __future__ import annotations

from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.numeric.common_stalls import Stalls, holding, stalls, summed, together
from tests.support.request_rows import Row, answer, failure, requests_of

# Two answers. The first has chunks at 0.5, 0.6, 0.7, 1.7, 1.8 s, the second at 0.6, 0.7, 1.7, 1.8 s: from 0.7 to 1.7 s
# none came to either.
TWO = (answer(0.5, 0.1, 0.1, 1.0, 0.1, start=0.0), answer(0.6, 0.1, 1.0, 0.1, start=0.0))


def spans(*rows: Row) -> list[tuple[float, float]]:
    found = requests_of(*rows).stalls
    return [(round(a, 6), round(b, 6)) for a, b in zip(found.begins.tolist(), found.ends.tolist(), strict=True)]


def of(*rows: Row) -> Stalls:
    return requests_of(*rows).stalls


def test_a_stall_is_a_time_without_a_chunk_for_any_of_two() -> None:
    assert spans(*TWO) == [(0.7, 1.7)]


def test_of_one_answer_alone_a_long_gap_is_no_stall() -> None:
    assert spans(TWO[0]) == []


def test_where_one_goes_on_there_is_no_stall() -> None:
    # The third has a chunk every 100 ms from 0.1 s on, while the other two stand still.
    assert spans(*TWO, answer(0.1, *[0.1] * 20, start=0.0)) == []


def test_the_first_token_of_another_does_not_end_a_stall() -> None:
    # It comes at 1.2 s, in the middle, and the next one with those of the others.
    found = of(*TWO, answer(1.1, 0.5, 0.1, start=0.1))

    assert found.begins.tolist() == pytest.approx([0.7])
    assert found.ends.tolist() == pytest.approx([1.7])
    assert found.with_first.tolist() == pytest.approx([0.7])


def test_a_first_token_right_after_a_stall_goes_with_it() -> None:
    # The median gap is 100 ms: up to 1.9 s, two steps after the end at 1.7 s, a first token is told of.
    assert of(*TWO, answer(0.85, start=1.0)).is_with_first.tolist() == [True]  # at 1.85 s
    assert of(*TWO, answer(0.95, start=1.0)).is_with_first.tolist() == [False]  # at 1.95 s


def test_a_stall_begins_no_earlier_than_the_second_answer() -> None:
    # One stands still from 0.2 s on, the other one has its first token at 1.0 s: both from then until 2.0 s.
    first = answer(0.1, 0.1, 1.8, *[0.1] * 5, start=0.0)
    second = answer(1.0, 1.0, *[0.1] * 5, start=0.0)

    assert spans(first, second) == [(1.0, 2.0)]


def test_what_ends_before_a_stall_does_not_stand_still() -> None:
    # The second answer is over at 0.3 s: the gap from 0.3 to 2.3 s is of the first alone.
    assert spans(answer(0.1, 0.2, 2.0, 0.1, start=0.0), answer(0.1, 0.1, 0.1, start=0.0)) == []


@pytest.mark.parametrize(
    ("long", "count"),
    [
        (0.11, 1),  # the median gap is 10 ms: five are 50 ms, and 100 ms is the limit
        (0.09, 0),
    ],
)
def test_no_stall_is_shorter_than_a_tenth_of_a_second(long: float, count: int) -> None:
    pair = [answer(0.1, *[0.01] * 9, long, 0.01, start=0.0) for _ in range(2)]

    assert len(spans(*pair)) == count


@pytest.mark.parametrize(("long", "count"), [(1.1, 1), (0.9, 0)])  # the median gap is 200 ms: five are a second
def test_no_stall_is_shorter_than_five_median_gaps(long: float, count: int) -> None:
    pair = [answer(0.1, *[0.2] * 9, long, 0.2, start=0.0) for _ in range(2)]

    assert len(spans(*pair)) == count


def test_requests_that_failed_or_say_no_time_stand_in_no_stall() -> None:
    assert spans(*TWO, failure(0.1, ttft=0.5, start=0.0)) == [(0.7, 1.7)]
    assert spans(answer(0.5, 1.0), answer(0.5, 1.0)) == []
    assert spans() == []


def test_the_time_of_two_is_cut_where_less_than_two_are_under_way() -> None:
    # Under way: one from 0 to 4, one from 1 to 2, one from 3 to 5: two at a time from 1 to 2 and from 3 to 4.
    assert together(np.array([0.0, 1.0, 3.0]), np.array([4.0, 2.0, 5.0])).tolist() == [1.0, 1.0]


def test_what_begins_when_another_ends_is_not_beside_it() -> None:
    assert together(np.array([0.0, 1.0]), np.array([1.0, 2.0])).tolist() == []


def test_values_are_summed_by_whose_they_are() -> None:
    values, counts = np.array([1, 2, 3, 4], dtype=np.int32), np.array([2, 0, 1, 1])

    assert summed(values, counts).tolist() == [3, 0, 3, 4]


def test_a_span_holds_its_end_and_not_its_begin() -> None:
    begins, ends = np.array([0.0, 2.0, 5.0]), np.array([1.0, 3.0, 6.0])

    assert holding(begins, ends, np.array([0.0, 3.0])).tolist() == [False, True, False]


def test_pieces_of_a_long_column_make_no_difference(monkeypatch: pytest.MonkeyPatch) -> None:
    firsts, lasts = np.array([0.5, 0.6]), np.array([1.8, 1.8])
    chunks = np.sort(np.array([0.5, 0.6, 0.6, 0.7, 0.7, 1.7, 1.7, 1.8, 1.8]))
    for size in (1, 2, 3, 4):
        monkeypatch.setattr("generator.numeric.spilled.PIECE", size)
        begins, ends = stalls(chunks, firsts, firsts, lasts, 0.5)
        assert (begins.tolist(), ends.tolist()) == ([0.7], [1.7]), size


ROWS: Final = st.lists(
    st.builds(
        lambda start, ttft, gaps: answer(ttft / 1000, *(gap / 1000 for gap in gaps), start=start / 1000),
        st.integers(0, 3000), st.integers(1, 900), st.lists(st.integers(1, 1500), max_size=8),
    ),
    max_size=6,
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(ROWS)
def test_in_a_stall_two_are_under_way_and_none_of_them_has_a_chunk(rows: list[Row]) -> None:
    for begin, end in spans(*rows):
        inside = [row for row in rows if len(row.gaps) and runs_over(row, begin, end)]
        assert len(inside) >= 2
        for row in inside:
            later = row.start + row.ttft + np.cumsum(row.gaps)
            assert not ((later > begin + 1e-5) & (later < end - 1e-5)).any()


def runs_over(row: Row, begin: float, end: float) -> bool:
    """Say whether an answer has its first token before a time ends, and its last one no earlier than it ends."""
    return row.start + row.ttft <= begin + 1e-5 and row.start + row.ended >= end - 1e-5
