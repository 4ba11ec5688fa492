from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Place, column, fact
from generator.metrics import tokens
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "place", "typed"),
    [
        ("output_tokens_mean", column("output_tokens_mean", "tok"), 255.95),
        ("tokens_per_chunk", column("tokens_per_chunk", "tok/chunk"), 1.25),
        ("output_tokens_total", fact("output.tokens_total", "tok"), 336142),
    ],
)
def test_observed(key: str, place: Place, typed: float) -> None:
    assert read_typed(key, place, typed) == (typed, typed)


def test_output_tokens_mean_from_throughput_undoes_the_division_by_time() -> None:
    # 400 × 64 ÷ 100
    assert tokens.output_tokens_mean_from_throughput(400, 64, 100) == 256


def test_output_shortfall_is_the_share_not_counted() -> None:
    # 1 − 192 ÷ 256
    assert tokens.output_shortfall(192, 256) == 0.25


def test_output_shortfall_is_negative_where_more_was_counted_than_asked() -> None:
    # 1 − 320 ÷ 256
    assert tokens.output_shortfall(320, 256) == -0.25


def test_output_tokens_total_from_levels_weighs_each_mean_by_its_requests() -> None:
    # 256 × 4 + 250 × 8 = 1024 + 2000
    assert tokens.output_tokens_total_from_levels(np.array([256.0, 250.0]), np.array([4.0, 8.0])) == 3024


def test_asked_output_tokens_total_weighs_each_length_by_its_requests() -> None:
    # 256 × 4 + 128 × 16 = 1024 + 2048
    assert tokens.asked_output_tokens_total(np.array([256.0, 128.0]), np.array([4.0, 16.0])) == 3072


def test_output_token_deficit_is_of_all_levels_together() -> None:
    # 1 − 3072 ÷ 4096
    assert tokens.output_token_deficit(3072, 4096) == 0.25
