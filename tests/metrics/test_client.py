from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import REPORTED
from generator.metrics import client
from generator.model import Round
from generator.values import Address
from tests.support.memory_round import observation
from tests.support.run_rounds import QUICK, round_of
from tests.support.telling import analysed


def said(metric: str, value: float) -> Round:
    """Return a round whose client gives one number of its only run."""
    return round_of(
        {("a", "c1", None): QUICK}, [observation(Address(metric, "level", "a", "c1", REPORTED), value, "reported")]
    )


# QUICK has TTFTs of 100 to 400 ms, gaps of 10 × 4, 20 × 2, 40 and 80 ms, E2ELs of 130, 230, 350 and 490 ms,
# and TPOTs of (10 + 20) ÷ 2 = 15, 15, 25 and 45 ms.
@pytest.mark.parametrize(
    ("metric", "client_says", "departure"),
    [
        ("ttft_p50", 0.2, 0.25),  # 250 ÷ 200 − 1
        ("ttft_p99", 0.397, 0.0),  # 300 + 0.97 × 100 = 397
        ("itl_p50", 0.03, -0.5),  # (10 + 20) ÷ 2 = 15; 15 ÷ 30 − 1
        ("itl_p99", 0.0772, 0.0),  # 40 + 0.93 × 40 = 77.2
        ("tpot_mean", 0.02, 0.25),  # (15 + 15 + 25 + 45) ÷ 4 = 25; 25 ÷ 20 − 1
        ("e2el_p50", 0.145, 1.0),  # (230 + 350) ÷ 2 = 290; 290 ÷ 145 − 1
    ],
    ids=[
        "ttft_p50_departure__reported",
        "ttft_p99_departure__reported",
        "itl_p50_departure__reported",
        "itl_p99_departure__reported",
        "tpot_mean_departure__reported",
        "e2el_p50_departure__reported",
    ],
)
def test_departure_is_relative_to_what_the_client_says(metric: str, client_says: float, departure: float) -> None:
    frame = analysed(said(metric, client_says)).frame
    value = frame.of_level(f"{metric}_departure", "a", "c1", REPORTED)

    assert value.value == pytest.approx(departure)


def test_departure_is_unknown_where_the_client_says_nothing() -> None:
    frame = analysed(round_of({("a", "c1", None): QUICK})).frame

    assert frame.of_level("ttft_p50_departure", "a", "c1", REPORTED).value is None


def test_output_throughput_departure__reported_is_of_tokens_a_second() -> None:
    # 12 tokens ÷ 2 s = 6 tok/s; 6 ÷ 8 − 1
    assert client.output_throughput_departure__reported(np.array([3.0, 3, 3, 3]), 2.0, 8.0) == -0.25
