from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Unknown
from generator.metrics import littles_law
from generator.runs.requests import OPEN_LOOP


def test_littles_law_e2el_is_concurrency_over_throughput() -> None:
    # 8 × 60 s ÷ 120
    assert littles_law.littles_law_e2el(8, 60, 120) == 4


def test_littles_law_e2el_of_answers_leaves_out_what_failed_at_once() -> None:
    # 1 × 30.3 s ÷ 4 answers, of 6 requests that were sent
    assert littles_law.littles_law_e2el_of_answers(1, 30.3, np.ones(4)) == pytest.approx(7.575)


def test_littles_law_e2el_is_unknown_where_requests_arrive_at_a_rate() -> None:
    # nothing is kept in flight, so that a limit of 128 says nothing: 128 × 30.7 s ÷ 100 would be 39 s
    assert littles_law.littles_law_e2el(0, 30.7, 100) == Unknown(OPEN_LOOP)
    assert littles_law.littles_law_e2el_of_answers(0, 30.7, np.ones(100)) == Unknown(OPEN_LOOP)


def test_littles_law_e2el_is_unknown_with_fewer_requests_than_slots() -> None:
    assert littles_law.littles_law_e2el(128, 30.7, 100) is littles_law.TOO_FEW
    assert littles_law.littles_law_e2el(100, 30.7, 100) == pytest.approx(30.7)


def test_wave_closure_compares_that_mean_with_the_median() -> None:
    # 4 s ÷ 3.2 s − 1
    assert littles_law.wave_closure(4, 3.2) == 0.25


def test_wave_closure_is_zero_where_they_agree() -> None:
    # 4 s ÷ 4 s − 1
    assert littles_law.wave_closure(4, 4) == 0


def test_mean_concurrency_is_all_time_in_the_system_over_the_duration() -> None:
    # 3.5 s × 120 ÷ 60 s
    assert littles_law.mean_concurrency(3.5, 120, 60) == pytest.approx(7)


def test_mean_concurrency_of_requests_adds_up_what_each_took() -> None:
    # (2 + 3 + 4) s ÷ 6 s
    assert littles_law.mean_concurrency_of_requests(np.array([2.0, 3.0, 4.0]), 6) == 1.5
