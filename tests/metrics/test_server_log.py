from __future__ import annotations

import numpy as np
import pytest

from generator.metrics import server_log
from generator.places import column, log
from generator.values import Scope
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "scope"),
    [("logged_requests", "level"), ("logged_requests_of_series", "series"), ("logged_requests_of_round", "round")],
)
def test_observed_in_the_log_of_its_scope(key: str, scope: Scope) -> None:
    assert read_typed(key, log("launches", "1", scope), 920) == (920, 920)


def test_observed_in_a_table_of_results() -> None:
    assert read_typed("logged_requests", column("log_launches", "1"), 312) == (312, 312)


def test_logged_requests_of_levels_add_up() -> None:
    # 222 + 240 + 218 + 240
    assert server_log.logged_requests_of_levels(np.array([222.0, 240.0, 218.0, 240.0])) == 920


def test_logged_requests_of_all_series_add_up() -> None:
    # 440 + 480
    assert server_log.logged_requests_of_all_series(np.array([440.0, 480.0])) == 920


def test_requests_of_round_are_those_of_all_series() -> None:
    # 480 + 480
    assert server_log.requests_of_round(np.array([480.0, 480.0])) == 960


def test_failed_of_round_are_those_of_all_series() -> None:
    # 40 + 0
    assert server_log.failed_of_round(np.array([40.0, 0.0])) == 40


def test_failure_ratio_total_is_a_fraction_of_all_that_was_sent() -> None:
    # 40 ÷ 480
    assert server_log.failure_ratio_total(40, 480) == pytest.approx(1 / 12)
