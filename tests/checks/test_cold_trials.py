from __future__ import annotations

from collections.abc import Sequence

import pytest

from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.told.findings import Finding
from tests.support.memory_round import address, memory_round, observation
from tests.support.telling import found_by, said

CHECK = "cold_trials"


def trials(metric: str, numbers: Sequence[float], completed: float = 100) -> Round:
    """Return a level that was run as often as there are numbers, each run with one of them."""
    runs: dict[Trial, Requests | None] = {("s", "c1", trial): None for trial in range(1, len(numbers) + 1)}
    seen = [
        observation(address(key, "level", "s", "c1", trial=trial), number)
        for trial, value in enumerate(numbers, 1)
        for key, number in ((metric, value), ("completed", completed))
    ]
    return memory_round({"s": {"c1": {"concurrency": 1.0}}}, runs=runs, further=seen)


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


@pytest.mark.parametrize(
    ("metric", "numbers", "status"),
    [
        ("ttft_p50", (1.19, 1.0, 1.0), "pass"),
        ("ttft_p50", (1.21, 1.0, 1.0), "warn"),
        ("output_throughput", (81.0, 100.0, 100.0), "pass"),
        ("output_throughput", (79.0, 100.0, 100.0), "warn"),
        ("ttft_p50", (0.5, 1.0, 1.0), "pass"),  # the first is better
        ("output_throughput", (130.0, 100.0), "pass"),
        ("ttft_p50", (1.3, 1.0, 1.4, 1.0), "pass"),  # the third is worse
    ],
)
def test_a_first_run_that_is_a_fifth_worse_than_all_others_is_cold(
    metric: str, numbers: Sequence[float], status: str
) -> None:
    assert examine(trials(metric, numbers)).status == status


@pytest.mark.parametrize(
    ("metric", "completed", "status"),
    [("ttft_p95", 19, "pass"), ("ttft_p95", 20, "warn"), ("ttft_p99", 99, "pass"), ("ttft_p99", 100, "warn")],
)
def test_a_tail_of_few_requests_is_the_slowest_of_them(metric: str, completed: float, status: str) -> None:
    assert examine(trials(metric, (2.4, 0.6), completed)).status == status


def test_the_first_run_is_told_beside_the_others() -> None:
    round_ = trials("ttft_p95", (2.4, 0.6, 0.62))
    finding = examine(round_)

    assert (finding.levels, finding.looks) == (("c1",), "worse")
    text = said(finding, round_)
    assert "TTFT p95 is 2,400 ms at first and then 600 ms and 620 ms" in text
    assert "TTFT p95 第一次是 2,400 ms，之后是 600 ms、620 ms" in text


def test_a_level_that_was_run_once_has_no_first_run() -> None:
    assert examine(memory_round({"s": {"c1": {"concurrency": 1.0, "ttft_p50": 1.0}}})).is_empty
