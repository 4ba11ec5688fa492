from __future__ import annotations

import pytest

from generator.metrics import prefill
from generator.places import fact
from tests.support.memory_round import read_typed


def test_observed_server_prefill() -> None:
    base, reported = read_typed("server_prefill", fact("server.prefill_ms", "ms"), 93.5)

    assert base == pytest.approx(0.0935, rel=1e-15)
    assert reported == 93.5


def test_server_prefill_saving_is_what_the_compared_series_does_without() -> None:
    # 1 − 75 ÷ 100
    assert prefill.server_prefill_saving(0.075, 0.1) == pytest.approx(0.25)


def test_ttft_p50_saving_is_negative_where_it_answers_later() -> None:
    # 1 − 0.75 ÷ 0.5
    assert prefill.ttft_p50_saving(0.75, 0.5) == -0.5


def test_ttft_p99_saving_compares_the_tails() -> None:
    # 1 − 0.3 ÷ 0.4
    assert prefill.ttft_p99_saving(0.3, 0.4) == pytest.approx(0.25)
