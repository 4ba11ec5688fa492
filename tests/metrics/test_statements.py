from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Answer, Picked
from generator.metrics import statements


def picked(answer: Answer) -> Picked:
    """Return an answer that rests on some rows only."""
    assert isinstance(answer, Picked)
    return answer


def test_marginal_step_cost_excess_is_the_difference_of_two_slopes() -> None:
    # 0.5 ms − 0.125 ms a slot
    assert statements.marginal_step_cost_excess(0.0005, 0.000125) == pytest.approx(0.000375)


def test_step_lines_meet_where_the_gap_is_used_up() -> None:
    # 16 ms against 6 ms at C=1, and 0.5 ms nearer with each slot: 1 + 10 ÷ 0.5 = 21
    steps = {"baseline_itl_p50": np.array([0.016, 0.017]), "compared_itl_p50": np.array([0.006, 0.020])}
    slots = np.array([1.0, 8.0])
    answer = picked(statements.step_lines_meet(baseline_concurrency=slots, marginal_step_cost_excess=0.0005, **steps))
    assert answer.value == pytest.approx(21)
    assert answer.rows == (0,)


def test_step_lines_meet_nowhere_where_both_rise_alike() -> None:
    column = np.array([1.0, 2.0])

    assert statements.step_lines_meet(column, column, column, 0.0) is statements.PARALLEL


def test_step_growth_is_the_last_step_over_the_first() -> None:
    # 20 ÷ 8
    answer = picked(statements.step_growth(np.array([0.008, 0.012, 0.020])))
    assert answer.value == pytest.approx(2.5)
    assert answer.rows == (0, 2)


def test_step_increase_is_what_comes_on_top() -> None:
    # 20 ÷ 8 − 1
    answer = picked(statements.step_increase(np.array([0.008, 0.012, 0.020])))
    assert answer.value == pytest.approx(1.5)
    assert answer.rows == (0, 2)


def test_wave_prefill_is_one_prefill_a_slot() -> None:
    # 32 × 80 ms
    assert statements.wave_prefill(32.0, 0.08) == pytest.approx(2.56)


def test_decode_steps__as_published_are_tokens() -> None:
    # 40 requests of 256 tokens
    assert statements.decode_steps__as_published(40.0, 256.0) == 10240


def test_weight_bytes_ratio_is_baseline_over_compared() -> None:
    # 15 GB ÷ 5 GB
    assert statements.weight_bytes_ratio(15e9, 5e9) == 3


def test_asked_output_throughput_takes_every_answer_as_whole() -> None:
    # 40 × 256 ÷ 160 s
    assert statements.asked_output_throughput(40.0, 256.0, 160.0) == 64


def test_output_tokens_missing_are_asked_less_counted() -> None:
    # 1000 − 990
    assert statements.output_tokens_missing(1000.0, 990.0) == 10


def test_itl_p99_ratio_is_compared_over_baseline() -> None:
    # 380 ms ÷ 190 ms
    assert statements.itl_p99_ratio(0.38, 0.19) == 2
