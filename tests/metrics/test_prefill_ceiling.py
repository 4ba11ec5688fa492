from __future__ import annotations

import numpy as np
import pytest

from generator.metrics import prefill_ceiling
from generator.places import record, setting
from tests.support.memory_round import read_typed


def test_observed_peak_compute() -> None:
    assert read_typed("peak_compute", setting("hardware.peak_tflops", "TFLOP/s"), 165.2) == (165.2e12, 165.2)


def test_observed_measured_compute() -> None:
    place = record("calibration.json", "probe.compute_tflops.high", "TFLOP/s")
    assert read_typed("measured_compute", place, 0.09) == pytest.approx((0.09e12, 0.09))


def test_prefill_ceiling_takes_two_operations_a_parameter() -> None:
    # 160e12 ÷ (2 × 8e9)
    assert prefill_ceiling.prefill_ceiling(160e12, 8e9) == 10_000


def test_prefill_rate_is_counted_input_over_the_wait() -> None:
    assert prefill_ceiling.prefill_rate(1024, 0.128) == 8000


def test_prefill_rate_asked_takes_the_length_asked() -> None:
    assert prefill_ceiling.prefill_rate_asked(1000, 0.25) == 4000


def test_server_prefill_rate_is_at_the_lowest_level() -> None:
    # 459 new tokens in 1.82 s
    assert prefill_ceiling.server_prefill_rate(np.array([459.0, 9000.0]), 1.82) == pytest.approx(252.2, abs=0.01)
