from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Unknown
from generator.metrics import common_stalls as family
from generator.places import record
from generator.runs.requests import Requests
from generator.values import Value
from tests.numeric.test_common_stalls import TWO
from tests.support.memory_round import memory_round, read_typed
from tests.support.request_rows import answer, requests_of
from tests.support.telling import analysed

# Three stalls: from 1 to 2 s, from 4 to 7 s and from 8 to 8.5 s.
BEGINS, ENDS = np.array([1.0, 4.0, 8.0]), np.array([2.0, 7.0, 8.5])
NONE = np.array([])


def test_common_stalls_are_counted() -> None:
    assert family.common_stalls(BEGINS) == 3
    assert family.common_stalls(NONE) == 0


def test_common_stall_time_is_the_sum_of_their_lengths() -> None:
    assert family.common_stall_time(BEGINS, ENDS) == 4.5  # 1 + 3 + 0.5
    assert family.common_stall_time(NONE, NONE) == 0


def test_common_decode_time() -> None:
    assert family.common_decode_time(np.array([4.0, 5.0])) == 9.0


def test_common_stall_share() -> None:
    assert family.common_stall_share(4.5, 9.0) == 0.5


def test_longest_common_stall_and_its_start() -> None:
    assert family.longest_common_stall(BEGINS, ENDS) == 3.0
    assert family.longest_common_stall_start(BEGINS, ENDS) == 4.0


def test_longest_common_stall_start_and_length_are_unknown_without_any() -> None:
    assert isinstance(family.longest_common_stall(NONE, NONE), Unknown)
    assert isinstance(family.longest_common_stall_start(NONE, NONE), Unknown)


def test_common_stalls_with_first_token() -> None:
    assert family.common_stalls_with_first_token(BEGINS[:2]) == 2


def value(metric: str, requests: Requests) -> Value:
    round_ = memory_round({"a": {"c2": {"concurrency": 2.0}}}, runs={("a", "c2", None): requests})
    return analysed(round_).frame.of_level(metric, "a", "c2")


def test_they_are_taken_from_the_requests_of_a_run() -> None:
    # The stall lasts from 0.7 to 1.7 s; both answers are under way from 0.6 to 1.8 s.
    requests = requests_of(*TWO)

    assert value("common_stalls", requests).value == 1
    assert value("common_stall_time", requests).value == pytest.approx(1.0)
    assert value("common_decode_time", requests).value == pytest.approx(1.2)
    assert value("common_stall_share", requests).value == pytest.approx(1 / 1.2)


@pytest.mark.parametrize(
    ("requests", "why"),
    [
        (requests_of(answer(0.1, 1.0, start=0.0), answer(0.1, 1.0, start=2.0)), "no two answers were under way"),
        (requests_of(answer(0.1, 1.0), answer(0.1, 1.0)), "does not say when each request was sent"),
        (requests_of(answer(0.1, start=0.0)._replace(e2el=2.0)), "does not record the gaps"),
    ],
    ids=["one at a time", "no times", "no chunks"],
)
def test_what_cannot_be_seen_has_a_reason(requests: Requests, why: str) -> None:
    for metric in ("common_stalls", "common_stall_time", "common_stall_share"):
        found = value(metric, requests)
        assert found.value is None
        assert found.reason is not None
        assert why in found.reason.en


def test_where_two_flow_there_are_no_stalls_and_no_longest() -> None:
    requests = requests_of(*(answer(0.1, 0.1, 0.1, start=0.0) for _ in range(2)))

    assert value("common_stalls", requests).value == 0
    assert value("common_stall_share", requests).value == 0
    assert value("longest_common_stall", requests).value is None


def test_observed_in_what_the_client_says_of_itself() -> None:
    key, place = "client_loop_lag_most", record("level.json", "summary.client_loop_lag_most_s", "s")

    assert read_typed(key, place, 0.02) == (0.02, 20)
