from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Unknown
from generator.metrics import steadiness

NONE = np.array([])


def test_longest_silence_is_between_two_tokens_while_one_is_in_flight() -> None:
    # Tokens at 1, 2, 9 and 10; one request from 0 to 10: from 2 to 9 nothing came.
    came, starts, ends = np.array([1.0, 2.0, 9.0, 10.0]), np.array([0.0]), np.array([10.0])

    assert steadiness.longest_silence(came, starts, ends) == 7.0
    assert steadiness.longest_silence_start(came, starts, ends) == 2.0


def test_longest_silence_start_is_the_next_request_where_none_was_in_flight() -> None:
    # The first request ends at 2; the second is sent at 8 and gets its tokens at 9 and 11: nothing was due from 2 to 8.
    came, starts, ends = np.array([1.0, 2.0, 9.0, 11.0]), np.array([0.0, 8.0]), np.array([2.0, 11.0])

    assert steadiness.longest_silence(came, starts, ends) == 2.0  # from 9 to 11, and not from 2 to 9
    assert steadiness.longest_silence_start(came, starts, ends) == 9.0


def test_longest_silence_may_be_before_the_first_token_of_all() -> None:
    came, starts, ends = np.array([6.0, 7.0]), np.array([0.0]), np.array([7.0])

    assert steadiness.longest_silence(came, starts, ends) == 6.0
    assert steadiness.longest_silence_start(came, starts, ends) == 0.0


def test_slow_requests_are_counted() -> None:
    assert steadiness.slow_requests(np.array([4.0, 5.0, 7.0])) == 3
    assert steadiness.slow_requests(NONE) == 0


def test_slow_density_is_the_share_of_what_was_sent_in_that_time() -> None:
    # Sent at 0, 1, …, 9; slow are those of 4, 5 and 7: of 4, 5, 6 and 7 three.
    assert steadiness.slow_density(np.array([4.0, 5.0, 7.0]), np.arange(10.0)) == 0.75


def test_slow_from_and_until_span_the_slow_requests() -> None:
    assert steadiness.slow_from(np.array([4.0, 5.0, 7.0])) == 4.0
    assert steadiness.slow_until(np.array([4.0, 5.0, 7.0])) == 7.0


@pytest.mark.parametrize(
    "answer",
    [
        steadiness.slow_density.derivations[0].compute(NONE, np.arange(3.0)),
        steadiness.slow_from(NONE),
        steadiness.slow_until(NONE),
    ],
    ids=["slow_density", "slow_from", "slow_until"],
)
def test_where_none_was_slow_there_is_no_time_of_it(answer: object) -> None:
    assert isinstance(answer, Unknown)


def test_all_at_once_share_counts_first_tokens_that_came_with_the_last() -> None:
    assert steadiness.all_at_once_share(np.array([0.2, 0.99, 0.995, 1.0])) == 0.5  # 0.99 itself is not above it
