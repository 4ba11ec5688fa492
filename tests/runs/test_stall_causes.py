from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from generator.runs.requests import Requests
from generator.runs.server_times import Happening, ServerTimes
from generator.runs.stall_causes import causes_of, dealt_launches
from tests.numeric.test_common_stalls import TWO
from tests.support.request_rows import Row, answer, failure, requests_of


def logged(requests: Requests, **moments: list[float]) -> Requests:
    """Return requests with what a log tells of their server."""
    kinds: dict[Happening, np.ndarray] = {}
    for name, times in moments.items():
        kinds[name] = np.array(times)  # type: ignore[index]  # names of happenings
    return replace(requests, server=ServerTimes(kinds))


def test_a_stall_without_anything_beside_it_has_no_cause() -> None:
    assert causes_of(requests_of(*TWO)) == {"none": 1}


def test_a_first_token_at_its_end_is_a_prefill() -> None:
    assert causes_of(requests_of(*TWO, answer(0.7, start=1.0))) == {"prefill": 1}


def test_one_that_waits_on_may_be_in_a_queue() -> None:
    # sent at 1.0 s, its first token only at 5.0 s
    assert causes_of(requests_of(*TWO, answer(4.0, start=1.0))) == {"waiting": 1}


def test_the_log_says_that_it_was_taken_up() -> None:
    requests = requests_of(*TWO, answer(4.0, start=1.0))

    assert causes_of(logged(requests, launch=[0.01, 0.02, 1.5])) == {"prefill": 1}
    assert causes_of(logged(requests, launch=[0.01, 0.02, 3.0])) == {"waiting": 1}  # after the stall


@pytest.mark.parametrize("kind", ["preemption", "kv_full"])
def test_a_full_pool_goes_before_all_others(kind: str) -> None:
    requests = requests_of(*TWO, answer(0.7, start=1.0))

    assert causes_of(logged(requests, **{kind: [1.2]})) == {"full_pool": 1}
    assert causes_of(logged(requests, **{kind: [0.2]})) == {"prefill": 1}


def launches(rows: tuple[Row, ...], *moments: float) -> list[float] | None:
    dealt = dealt_launches(logged(requests_of(*rows), launch=list(moments)))
    return None if dealt is None else dealt.tolist()


def test_launches_are_dealt_in_the_order_of_sending() -> None:
    rows = (answer(0.5, start=1.0), answer(2.0, start=0.0))  # the second one was sent first

    assert launches(rows, 0.1, 1.2) == [1.2, 0.1]
    assert launches(rows, -0.001, 1.2) == [1.2, 0.0]  # by the blur of two clocks before its sending


@pytest.mark.parametrize(
    ("rows", "moments"),
    [
        ((answer(0.5, start=0.0),), (0.1, 0.2)),  # more than there are requests
        ((answer(0.5, start=0.0),), (0.6,)),  # after the first token
        ((answer(0.5, start=1.0),), (0.5,)),  # before the sending
        ((answer(0.5, start=0.0), failure(start=0.1)), (0.1, 0.2)),  # one that failed may have been taken up, or not
        ((answer(0.5),), (0.1,)),  # no time of sending
    ],
)
def test_launches_that_cannot_be_those_of_the_requests_are_not_dealt(
    rows: tuple[Row, ...], moments: tuple[float, ...]
) -> None:
    assert launches(rows, *moments) is None
    assert dealt_launches(requests_of(*rows)) is None
