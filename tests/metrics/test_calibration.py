from __future__ import annotations

import pytest

from generator.metrics import calibration
from generator.places import record
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
        ("probe_threads", "probe.threads", "1", 2, 2),
    ],
)
def test_observed_in_the_calibration(key: str, name: str, unit: str, written: float, held: float) -> None:
    in_base, as_reported = read_typed(key, record("calibration.json", name, unit), written)

    assert in_base == pytest.approx(held)
    assert as_reported == written


@pytest.mark.parametrize(
    ("key", "name", "written", "unit", "reported"),
    [
        ("measured_bandwidth_low", "probe.bandwidth_gb_s.low", 9.0, "GB/s", 9.0),
        ("measured_bandwidth_median", "probe.bandwidth_gb_s.median", 10.0, "GB/s", 10.0),
        ("memory_bandwidth", "probe.bandwidth_gb_s.high", 11.0, "GB/s", 11.0),
        ("measured_compute_low", "probe.compute_tflops.low", 0.07, "TFLOP/s", 0.07),
        ("measured_compute_median", "probe.compute_tflops.median", 0.08, "TFLOP/s", 0.08),
    ],
)
def test_observed_of_the_machine(key: str, name: str, written: float, unit: str, reported: float) -> None:
    in_base, as_reported = read_typed(key, record("calibration.json", name, unit), written)

    assert in_base == pytest.approx(written * (1e9 if unit == "GB/s" else 1e12))
    assert as_reported == reported


def test_calibration_itl_p99_error_is_relative_to_the_truth() -> None:
    # 22 ÷ 20 − 1
    assert calibration.calibration_itl_p99_error(0.022, 0.020) == pytest.approx(0.1)
