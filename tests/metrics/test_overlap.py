from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Unknown
from generator.metrics import overlap
from generator.places import column
from tests.support.memory_round import read_typed


def test_observed_peak_concurrency() -> None:
    assert read_typed("peak_concurrency", column("peak_concurrency", "1"), 64) == (64, 64)


def test_peak_concurrency_seen_is_the_most_at_once() -> None:
    # [0, 2), [1, 3), [2, 4): the third begins as the first ends
    assert overlap.peak_concurrency_seen(np.array([0.0, 1.0, 2.0]), np.array([2.0, 3.0, 4.0])) == 2


def test_sending_rate_is_over_the_intervals_between_sendings() -> None:
    # Four sendings in 1.5 s: 3 intervals ÷ 1.5
    assert overlap.sending_rate(np.array([0.0, 0.5, 1.0, 1.5])) == 2


@pytest.mark.parametrize("sent", [[0.0], [0.0, 0.0, 0.0]])
def test_sending_rate_is_unknown_where_all_were_sent_at_once(sent: list[float]) -> None:
    answer = overlap.sending_rate(np.array(sent))

    assert isinstance(answer, Unknown)
    assert "at once" in answer.reason.en


def test_steady_start_is_the_end_of_the_first_answer() -> None:
    assert overlap.steady_start(np.array([1.5, 2.0, 9.0])) == 1.5


def test_steady_end_is_the_last_sending() -> None:
    assert overlap.steady_end(np.array([0.0, 1.0, 4.0])) == 4
