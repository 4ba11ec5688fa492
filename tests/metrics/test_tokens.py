from __future__ import annotations

import numpy as np
import pytest

from generator.metrics import tokens
from generator.places import Place, column, fact
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "place", "typed"),
    [
        ("output_tokens_mean", column("output_tokens_mean", "tok"), 255.95),
        ("input_tokens_counted", column("input_tokens_counted", "tok"), 40960),
        ("output_tokens_counted", column("output_tokens_counted", "tok"), 10238),
        ("tokens_per_chunk", column("tokens_per_chunk", "tok/chunk"), 1.25),
        ("output_tokens_total", fact("output.tokens_total", "tok"), 336142),
    ],
)
def test_observed(key: str, place: Place, typed: float) -> None:
    assert read_typed(key, place, typed) == (typed, typed)


def test_output_tokens_mean_from_throughput_undoes_the_division_by_time() -> None:
    # 400 × 64 ÷ 100
    assert tokens.output_tokens_mean_from_throughput(400, 64, 100) == 256


def test_output_tokens_mean_from_count_is_over_the_completed() -> None:
    # 10 238 ÷ 40
    assert tokens.output_tokens_mean_from_count(10_238, 40) == 255.95


def test_input_tokens_of_requests_are_added_up() -> None:
    # 100 + 80 + 50
    assert tokens.input_tokens_of_requests(np.array([50.0, 80.0, 100.0])) == 230


def test_output_tokens_of_requests_are_added_up() -> None:
    # 0 + 1 + 5
    assert tokens.output_tokens_of_requests(np.array([0.0, 1.0, 5.0])) == 6


def test_tokens_per_chunk_seen_weighs_each_answer_by_its_chunks() -> None:
    # (9 + 9) ÷ (4 + 8); the mean of the answers' own ratios, 2.25 and 1.125, would be 1.69
    assert tokens.tokens_per_chunk_seen(np.array([9.0, 9.0]), np.array([4.0, 8.0])) == 1.5


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


def test_output_tokens_per_request_counts_failed_requests_as_sent() -> None:
    # 256 × 90 ÷ 100
    assert tokens.output_tokens_per_request(256, 90, 100) == pytest.approx(230.4)


def test_output_tokens_per_completed_request_is_the_mean_of_the_answers() -> None:
    assert tokens.output_tokens_per_completed_request(256) == 256
