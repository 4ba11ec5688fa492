from __future__ import annotations

import pytest

from generator.kinds import record
from generator.metrics import calibration
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "name", "unit", "written", "held"),
    [
        ("calibration_streams", "streams", "1", 64, 64),
        ("calibration_chunks", "chunks", "1", 8192, 8192),
        ("calibration_lost_chunks", "lost", "1", 2, 2),
        ("calibration_failed", "failed", "1", 1, 1),
        ("client_stamp_error_p50", "stamp_error_us.p50", "µs", 4.812, 4.812e-6),
        ("client_stamp_error_p99", "stamp_error_us.p99", "µs", 53.3, 5.33e-5),
        ("calibration_itl_p99_truth", "itl_p99_truth_ms", "ms", 21.9, 0.0219),
        ("calibration_itl_p99_seen", "itl_p99_seen_ms", "ms", 22.1, 0.0221),
        ("calibration_cpu_share", "cpu_share", "ratio", 0.15, 0.15),
    ],
)
def test_observed_in_the_calibration(key: str, name: str, unit: str, written: float, held: float) -> None:
    in_base, as_reported = read_typed(key, record("calibration.json", name, unit), written)

    assert in_base == pytest.approx(held)
    assert as_reported == written


def test_calibration_itl_p99_error_is_relative_to_the_truth() -> None:
    # 22 ÷ 20 − 1
    assert calibration.calibration_itl_p99_error(0.022, 0.020) == pytest.approx(0.1)
