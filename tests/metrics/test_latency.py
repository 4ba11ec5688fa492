from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import STEADY, Unknown
from generator.metrics import latency
from generator.places import column
from tests.support.memory_round import read_typed

LATENCIES = [
    f"{quantity}_{statistic}"
    for quantity in ("ttft", "itl", "tpot", "e2el")
    for statistic in ("mean", "p50", "p90", "p95", "p99")
]
STEADY_LATENCIES = [
    f"{quantity}_{statistic}" for quantity in ("ttft", "itl", "tpot", "e2el") for statistic in ("p50", "p99")
]
FOUR = np.array([0.1, 0.2, 0.3, 0.4])
OF_FOUR = {
    "mean": 0.25,  # 1.0 ÷ 4
    "p50": 0.25,  # rank 0.50 × 3 = 1.5: 0.2 + 0.5 × 0.1
    "p90": 0.37,  # rank 0.90 × 3 = 2.7: 0.3 + 0.7 × 0.1
    "p95": 0.385,  # rank 0.95 × 3 = 2.85
    "p99": 0.397,  # rank 0.99 × 3 = 2.97
}
"""The statistics of those four, in seconds."""


@pytest.mark.parametrize("key", LATENCIES)
def test_observed(key: str) -> None:
    base, reported = read_typed(key, column(f"{key}_ms", "ms"), 15.83)

    assert base == pytest.approx(0.01583, rel=1e-15)
    assert reported == 15.83


def test_every_quantity_has_every_statistic() -> None:
    assert [metric.key for metric in latency.latencies] == LATENCIES


@pytest.mark.parametrize("key", LATENCIES, ids=LATENCIES)
def test_a_statistic_is_taken_from_the_sample_of_its_quantity(key: str) -> None:
    quantity, statistic = key.split("_")
    (metric,) = (one for one in latency.latencies if one.key == key)

    assert metric(**{f"request_{quantity}": FOUR}) == pytest.approx(OF_FOUR[statistic])


@pytest.mark.parametrize("key", STEADY_LATENCIES, ids=[f"{key}__steady" for key in STEADY_LATENCIES])
def test_a_steady_statistic_is_taken_from_the_requests_sent_then(key: str) -> None:
    quantity, statistic = key.split("_")
    (metric,) = (one for one in latency.steady_latencies if one.key == key)

    assert metric.basis == STEADY
    assert metric(**{f"steady_request_{quantity}": FOUR}) == pytest.approx(OF_FOUR[statistic])


@pytest.mark.parametrize("quantity", ["ttft", "tpot", "e2el"], ids=["ttft_samples", "tpot_samples", "e2el_samples"])
def test_samples_are_counted(quantity: str) -> None:
    (metric,) = (one for one in latency.sample_sizes if one.key == f"{quantity}_samples")

    assert metric(**{f"request_{quantity}": FOUR}) == 4


def test_itl_samples_counted_are_the_gaps_that_were_seen() -> None:
    assert latency.itl_samples_counted(FOUR) == 4


def test_tpot_implied_spreads_the_decode_over_the_gaps() -> None:
    # (2.75 − 0.2) ÷ 255 gaps = 2.55 ÷ 255
    assert latency.tpot_implied(2.75, 0.2, 255) == pytest.approx(0.01)


def test_tpot_implied_of_two_tokens_is_their_one_gap() -> None:
    # (2.75 − 0.25) ÷ 1 gap
    assert latency.tpot_implied(2.75, 0.25, 1) == 2.5


def test_tpot_implied_counted_uses_the_mean_answer() -> None:
    # (2.75 − 0.2) ÷ (52 − 1) = 2.55 ÷ 51
    assert latency.tpot_implied_counted(2.75, 0.2, 52) == pytest.approx(0.05)
    assert latency.tpot_implied_counted(0.25, 0.25, 1) is latency.NO_GAP


def test_e2el_from_parts_uses_the_gaps_of_the_mean_answer() -> None:
    # 0.2 + (52 − 1) × 0.05 = 0.2 + 2.55
    assert latency.e2el_from_parts(0.2, 52, 0.05) == pytest.approx(2.75)


@pytest.mark.parametrize("gaps", [-1, 0])
def test_tpot_implied_is_unknown_without_a_gap(gaps: float) -> None:
    answer = latency.tpot_implied(0.25, 0.25, gaps)

    assert isinstance(answer, Unknown)
    assert "no gap" in answer.reason.en


def test_ttft_share_is_of_the_end_to_end_latency() -> None:
    # 0.478 ÷ 17.925 = 0.02666…; with round numbers 0.5 ÷ 20
    assert latency.ttft_share(0.5, 20.0) == 0.025


def test_itl_samples_are_requests_times_gaps() -> None:
    # 512 requests × 255 gaps
    assert latency.itl_samples(512, 255) == 130_560


def test_itl_samples_total_is_over_all_levels() -> None:
    # 10 200 + 130 560
    assert latency.itl_samples_total(np.array([10_200.0, 130_560.0])) == 140_760


def test_tpot_implied_departure_is_relative_to_the_mean_gap() -> None:
    # 15 ms ÷ 20 ms − 1
    assert latency.tpot_implied_departure(0.015, 0.02) == -0.25


def test_tpot_bound_spreads_the_time_of_all_slots_over_all_gaps() -> None:
    # 32 slots × 80 s ÷ (320 requests × 16 gaps) = 2560 ÷ 5120
    assert latency.tpot_bound(32, 80, 320, 16) == 0.5


def test_tpot_bound_of_one_gap_is_the_time_of_a_request() -> None:
    # 1 × 10 ÷ (5 × 1)
    assert latency.tpot_bound(1, 10, 5, 1) == 2


def test_tpot_bound_of_half_a_gap() -> None:
    # 1 × 10 ÷ (5 × 0.5)
    assert latency.tpot_bound(1, 10, 5, 0.5) == 4


@pytest.mark.parametrize("gaps", [0, -1])
def test_tpot_bound_is_unknown_without_a_gap(gaps: float) -> None:
    assert isinstance(latency.tpot_bound(1, 10, 5, gaps), Unknown)


def test_e2el_from_asked_parts_has_a_gap_behind_every_token_but_the_last() -> None:
    # 0.25 + 255 × 0.01
    assert latency.e2el_from_asked_parts(0.25, 255, 0.01) == pytest.approx(2.8)


def test_e2el_closure_is_relative_to_the_parts() -> None:
    # 5 s ÷ 4 s − 1
    assert latency.e2el_closure(5, 4) == 0.25
