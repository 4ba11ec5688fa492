from __future__ import annotations

import pytest

from generator.kinds import Place, column
from generator.metrics import throughput
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("output_throughput", column("output_throughput", "tok/s")),
        ("total_token_throughput", column("total_token_throughput", "tok/s")),
    ],
)
def test_observed(key: str, place: Place) -> None:
    assert read_typed(key, place, 1387.8) == (1387.8, 1387.8)


def test_total_token_throughput_from_output_adds_the_prompts() -> None:
    # 100 + 1024 × 40 ÷ 512 = 100 + 80
    assert throughput.total_token_throughput_from_output(100, 1024, 40, 512) == 180


def test_total_token_throughput_from_output_without_a_completion_is_the_output() -> None:
    # 100 + 1024 × 0 ÷ 512
    assert throughput.total_token_throughput_from_output(100, 1024, 0, 512) == 100


def test_request_throughput_counts_completed_requests() -> None:
    # 120 ÷ 48
    assert throughput.request_throughput(120, 48) == 2.5


def test_slot_decode_rate_is_the_reciprocal_of_the_gap() -> None:
    # 1 ÷ 0.016
    assert throughput.slot_decode_rate(0.016) == 62.5


def test_undisturbed_throughput_is_a_typical_step_for_every_slot() -> None:
    # 64 slots ÷ 0.032 s a step
    assert throughput.undisturbed_throughput(64, 0.032) == 2000


def test_accounted_token_throughput_adds_the_prompts() -> None:
    # 100 + 1024 × 40 ÷ 512 = 100 + 80
    assert throughput.accounted_token_throughput(100, 1024, 40, 512) == 180
