from __future__ import annotations

import numpy as np

from generator.metrics import log_totals
from generator.places import fact
from tests.support.memory_round import read_typed


def test_observed_warm_up_log_lines() -> None:
    assert read_typed("warm_up_log_lines", fact("server.warm_up_log_lines", "1"), 31) == (31, 31)


def test_log_timing_lines_total_adds_up() -> None:
    assert log_totals.log_timing_lines_total(np.array([40.0, 59.0, 79.0])) == 178


def test_completed_total_adds_up() -> None:
    assert log_totals.completed_total(np.array([40.0, 60.0, 80.0])) == 180
