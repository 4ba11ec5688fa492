"""Which metrics of a level two rounds are compared in."""

from __future__ import annotations

from typing import Final

from generator.comparing.shares import QUANTITIES

STATISTICS: Final = ("mean", "p50", "p90", "p95", "p99")
FAILURES: Final = "failed"
USUAL_METRICS: Final = (
    "output_throughput", "total_token_throughput", "request_throughput", "request_goodput",
    *(f"{quantity}_{statistic}" for quantity in QUANTITIES for statistic in STATISTICS),
    FAILURES,
)  # fmt: skip
"""What is measured of a level. What is derived from it by constants would only say the same once more."""
