"""The quantities of a level that a choice goes by."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from generator.deciding.records import Yardstick
from generator.text import Text, same

YARDSTICKS: Final[tuple[Yardstick, ...]] = (
    Yardstick(
        "output_throughput", Text(zh="输出吞吐", en="output throughput"), "higher", "tok/s",
        "throughput_ratio", "output_throughput_lead", "crossover_concurrency", is_latency=False,
    ),
    Yardstick(
        "ttft_p50", same("TTFT p50"), "lower", "ms", "ttft_p50_ratio", "ttft_p50_lead", "crossover_concurrency_ttft_p50"
    ),
    Yardstick(
        "ttft_p99", same("TTFT p99"), "lower", "ms", "ttft_p99_ratio", "ttft_p99_lead", "crossover_concurrency_ttft_p99"
    ),
    Yardstick(
        "itl_p50", same("ITL p50"), "lower", "ms", "itl_p50_ratio", "itl_p50_lead", "crossover_concurrency_itl_p50",
        is_latency=False,
    ),
    Yardstick(
        "e2el_p50", same("E2EL p50"), "lower", "ms", "e2el_p50_ratio", "e2el_p50_lead", "crossover_concurrency_e2el_p50"
    ),
)  # fmt: skip
BY_METRIC: Final[Mapping[str, Yardstick]] = {one.metric: one for one in YARDSTICKS}
