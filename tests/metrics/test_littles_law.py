from __future__ import annotations

import numpy as np
import pytest

from generator.metrics import littles_law


def test_littles_law_e2el_is_concurrency_over_throughput() -> None:
    # 8 × 60 s ÷ 120
    assert littles_law.littles_law_e2el(8, 60, 120) == 4


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
