from __future__ import annotations

import pytest

from generator.kinds import Unknown, column, fact
from generator.metrics import latency
from tests.support.memory_round import read_typed

LATENCIES = [
    f"{quantity}_{statistic}"
    for quantity in ("ttft", "itl", "tpot", "e2el")
    for statistic in ("mean", "p50", "p90", "p95", "p99")
]


@pytest.mark.parametrize("key", LATENCIES)
def test_observed(key: str) -> None:
    base, reported = read_typed(key, column(f"{key}_ms", "ms"), 15.83)

    assert base == pytest.approx(0.01583, rel=1e-15)
    assert reported == 15.83


def test_observed_server_prefill() -> None:
    base, reported = read_typed("server_prefill", fact("server.prefill_ms", "ms"), 93.5)

    assert base == pytest.approx(0.0935, rel=1e-15)
    assert reported == 93.5


def test_every_quantity_has_every_statistic() -> None:
    assert [metric.key for metric in latency.latencies] == LATENCIES


def test_tpot_implied_spreads_the_decode_over_the_gaps() -> None:
    # (2.75 − 0.2) ÷ (256 − 1) = 2.55 ÷ 255
    assert latency.tpot_implied(2.75, 0.2, 256) == pytest.approx(0.01)


def test_tpot_implied_of_two_tokens_is_their_one_gap() -> None:
    # (2.75 − 0.25) ÷ (2 − 1)
    assert latency.tpot_implied(2.75, 0.25, 2) == 2.5


@pytest.mark.parametrize("asked", [0, 1])
def test_tpot_implied_is_unknown_without_a_gap(asked: float) -> None:
    answer = latency.tpot_implied(0.25, 0.25, asked)

    assert isinstance(answer, Unknown)
    assert "no gap" in answer.reason.en
