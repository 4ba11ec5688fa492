"""A card that became too hot halfway through a run of a minute."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from tests.cases.arriving import Told, told, vllm

HEADER: Final = (
    "timestamp, power.draw [W], power.limit [W], temperature.gpu, clocks.sm [MHz], clocks.max.sm [MHz], "
    "utilization.gpu [%], memory.used [MiB], clocks_event_reasons.active\n"
)
SAMPLES: Final = [
    (0, 340, 70, 1980, 0x0), (10, 345, 78, 1980, 0x0), (20, 348, 84, 1980, 0x0),
    (30, 250, 88, 1200, 0x20), (40, 248, 88, 1200, 0x20), (50, 249, 88, 1200, 0x20),
]  # fmt: skip
"""Second, W, °C, MHz, and what held the clock down: 0x20 is the thermal slowdown of the driver."""


@pytest.fixture
def found(tmp_path: Path) -> Told:
    rows = (
        f"2026/03/01 10:00:{second:02}.000, {watts}.00 W, 350.00 W, {heat}, {clock} MHz, 1980 MHz, 100 %, [N/A], "
        f"0x{reason:016X}\n"
        for second, watts, heat, clock, reason in SAMPLES
    )
    result = vllm(num_prompts=10, completed=10, max_concurrency=1, duration=60.0, output_throughput=25.0)
    return told(tmp_path, {"result.json": result, "gpu.csv": HEADER + "".join(rows)})


def test_half_of_the_samples_were_throttled(found: Told) -> None:
    finding = found.finding("throttling")

    # 3 of 6, from 30 s on
    assert (finding.status, finding.looks) == ("warn", "worse")
    assert "(SW thermal slowdown)): at 50.0% of the samples. It set in 30.0 s after" in found.said("throttling")
    assert "not of the card" in found.said("throttling")


def test_clock_and_power_are_means_of_all(found: Told) -> None:
    # (3 × 1980 + 3 × 1200) ÷ 6; (340 + 345 + 348 + 250 + 248 + 249) ÷ 6
    assert found.number("gpu_clock_sm_mean_of_series") == pytest.approx(1590e6)
    assert found.number("gpu_power_mean_of_series") == pytest.approx(1780 / 6)


def test_memory_that_is_not_told_is_missing(found: Told) -> None:
    reason = found.value("gpu_memory_used_max_of_series").reason

    assert found.number("gpu_memory_used_max_of_series") is None
    assert reason is not None
    assert "[N/A]" in reason.en
