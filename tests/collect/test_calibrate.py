from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from generator.collect.calibrate import Calibration, busiest, calibrate, write_calibration
from generator.collect.round_plan import PlannedRun


def planned(concurrency: int | None = None, rate: float | None = None, output: int = 100) -> PlannedRun:
    return PlannedRun("a", "x", 1, concurrency, rate, 10, 8, output, 0, 0, 1)


@pytest.mark.slow
def test_the_client_is_held_against_what_the_server_sent() -> None:
    found = asyncio.run(calibrate(2))

    # At least 16 requests of 64 tokens each, a chunk a token: 1024 chunks whose send times are known.
    assert (found.streams, found.requests, found.failed) == (2, 16, 0)
    assert (found.chunks, found.lost) == (16 * 64, 0)
    # Nothing arrives before it is sent; both clocks are CLOCK_MONOTONIC, the kernel's mapped to it to a few µs.
    p50, p99, most = (found.stamp_error_us[name] or 0.0 for name in ("p50", "p99", "max"))
    assert -1000 < p50 <= p99 <= most
    assert found.itl_p99_truth_ms is not None
    assert found.itl_p99_truth_ms > 19


def test_the_most_streams_of_a_plan() -> None:
    assert busiest([planned(4), planned(16)]) == 16
    # 20 req/s of 100 tokens at 20 ms each: 2 s in the system, 40 in flight by Little's law
    assert busiest([planned(4), planned(rate=20)]) == 40
    assert busiest([planned(rate=0.1)]) == 1


def test_what_was_found_is_strict_json(tmp_path: Path) -> None:
    found = Calibration(2, 20.0, 10, 0, {"p50": 5.0, "p99": 9.0, "max": 20.0}, 20.0, 20.1, 0.1, "kernel", 4, 0)
    write_calibration(found, tmp_path)

    told = json.loads((tmp_path / "calibration.json").read_text(), parse_constant=pytest.fail)
    assert (told["schema"], told["stamp_error_us"]["p99"], told["lost"]) == (1, 9.0, 0)
