from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said

CHECK = "concurrency_reached"
LEVEL = {"concurrency": 8.0, "requests": 100.0, "completed": 100.0, "duration": 25.0}


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def level(**seen: float) -> Round:
    return memory_round({"s": {"c8": {**LEVEL, **seen}}})


@pytest.mark.parametrize(
    ("e2el", "status"),
    [
        (2.0, "pass"),  # 100 × 2.0 ÷ 25 = 8.0
        (1.61, "pass"),  # 6.44, 80.5 %
        (1.59, "warn"),  # 6.36, 79.5 %
        (2.03, "pass"),  # 8.12, 1.5 % above
        (2.05, "warn"),  # 8.2, 2.5 % above
    ],
)
def test_latencies_over_duration_are_the_requests_in_flight(e2el: float, status: str) -> None:
    assert examine(level(e2el_mean=e2el)).status == status


def test_a_load_that_was_not_kept_up_is_told_with_both_numbers() -> None:
    round_ = level(e2el_mean=1.0)  # 100 × 1.0 ÷ 25 = 4.0
    text = said(examine(round_), round_)

    assert "fewer requests in flight than its concurrency: 4 against 8" in text
    assert "平均在途数没有达到并发：4 对 8" in text


def test_more_in_flight_than_allowed_puts_the_clock_in_doubt() -> None:
    round_ = level(e2el_mean=3.0)  # 12 of 8
    finding = examine(round_)

    assert {doubt.metric for doubt in finding.doubts} == {"e2el_mean", "duration"}
    assert "12 against 8. One of latencies, duration and concurrency is wrong" in said(finding, round_)


def test_passing_proves_no_scheduler() -> None:
    round_ = level(e2el_mean=2.0)

    assert "this holds for any scheduler" in said(examine(round_), round_)


@pytest.mark.parametrize(
    "round_",
    [
        pytest.param(level(e2el_mean=1.0, requests=101.0), id="one failed, and how long it was in flight is not known"),
        pytest.param(level(e2el_mean=1.0, rate=4.0), id="under a rate the concurrency is a limit"),
        pytest.param(published("round-2"), id="no mean"),
    ],
)
def test_where_the_mean_cannot_be_told_there_is_nothing_to_examine(round_: Round) -> None:
    assert examine(round_).is_empty
