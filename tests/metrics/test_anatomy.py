from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Unknown
from generator.metrics import anatomy as family

START = np.array([0.0, 1.0, 2.0, 3.0])
TTFT = np.array([0.1, 0.1, 0.2, 0.4])


def test_ttft_queue_is_the_mean_time_of_taking_up_less_that_of_sending() -> None:
    # Sent at 100 + 0, 1, 2 and 3 s, on average at 101.5 s; taken up on average at 101.7 s: 406.8 ÷ 4.
    assert family.ttft_queue(406.8, 4, 100.0, START, TTFT) == pytest.approx(0.2)


def test_ttft_queue_is_unknown_where_the_log_speaks_of_other_requests() -> None:
    assert family.ttft_queue(508.0, 5, 100.0, START, TTFT) is family.OTHER_REQUESTS
    assert family.ttft_queue(406.8, 4, 100.0, START, TTFT[:3]) is family.OTHER_REQUESTS


def test_ttft_queue_is_unknown_where_the_clocks_are_not_one() -> None:
    # on average taken up 1.5 s before they were sent; and 50 s after, in a run of 3.4 s
    assert family.ttft_queue(400.0, 4, 100.0, START, TTFT) is family.OTHER_CLOCK
    assert family.ttft_queue(606.0, 4, 100.0, START, TTFT) is family.OTHER_CLOCK


def test_ttft_queue__log_is_the_same() -> None:
    assert family.ttft_queue__log(406.8, 4, 100.0, START, TTFT) == pytest.approx(0.2)


def test_queue_counted_is_the_mean_of_the_histogram() -> None:
    # 1.5 s over 30 requests
    assert family.queue_counted(1.5, 30) == pytest.approx(0.05)


def test_ttft_queue__metrics_is_the_mean_of_the_histogram() -> None:
    assert family.ttft_queue__metrics(1.5, 30) == pytest.approx(0.05)


def test_ttft_prefill_is_the_mean_prompt_time_of_the_log() -> None:
    # 0.512 s over 2 requests
    assert family.ttft_prefill(0.512, 2) == 0.256


def test_ttft_prefill__log_is_the_same() -> None:
    assert family.ttft_prefill__log(0.512, 2) == 0.256


def test_prefill_counted_is_the_mean_of_the_histogram() -> None:
    assert family.prefill_counted(3.0, 30) == pytest.approx(0.1)


def test_ttft_prefill__metrics_is_the_mean_of_the_histogram() -> None:
    assert family.ttft_prefill__metrics(3.0, 30) == pytest.approx(0.1)


@pytest.mark.parametrize(
    "compute",
    [family.prefill_of_one_at_a_time, family.prefill_counted_of_one_at_a_time],
    ids=["prefill_of_one_at_a_time", "prefill_counted_of_one_at_a_time"],
)
def test_the_time_of_batches_is_that_of_requests_where_one_is_in_flight(compute: object) -> None:
    assert callable(compute)
    # 10.2 s over 16 timed requests and one before the clock
    assert compute(10.2, 16, 1, 1) == pytest.approx(0.6)
    assert compute(10.2, 16, 1, 4) is family.SEVERAL


def test_ttft_front_is_what_is_left() -> None:
    # 500 − 120 − 370 ms
    assert family.ttft_front(0.5, 0.12, 0.37) == pytest.approx(0.01)


@pytest.mark.parametrize(("whole", "left"), [(0.0995, -0.0005), (0.01, None), (0.095, -0.005), (0.08, None)])
def test_ttft_front_may_be_below_zero_by_as_much_as_clocks_are_apart(whole: float, left: float | None) -> None:
    # The parts are 100 ms: more than the whole by 0.5 ms; 90 ms; 5 ms of 95 ms; 20 ms of 80 ms.
    found = family.ttft_front(whole, 0.04, 0.06)

    assert found is family.TOO_LARGE if left is None else found == pytest.approx(left)


def test_ttft_outside_prefill_is_all_else() -> None:
    assert family.ttft_outside_prefill(0.5, 0.37) == pytest.approx(0.13)
    assert isinstance(family.ttft_outside_prefill(0.3, 0.37), Unknown)


def test_ttft_prefill_share() -> None:
    assert family.ttft_prefill_share(0.37, 0.5) == pytest.approx(0.74)


def test_ttft_queue_share() -> None:
    assert family.ttft_queue_share(0.12, 0.5) == pytest.approx(0.24)


def test_ttft_server_is_the_mean_of_the_histogram() -> None:
    # 6 s over 40
    assert family.ttft_server(6.0, 40) == pytest.approx(0.15)
