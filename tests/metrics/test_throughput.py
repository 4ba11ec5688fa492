from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Metric, Unknown
from generator.metrics import throughput
from generator.places import Place, column
from generator.runs.requests import OPEN_LOOP
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "place"),
    [
        ("output_throughput", column("output_throughput", "tok/s")),
        ("total_token_throughput", column("total_token_throughput", "tok/s")),
        ("request_throughput", column("request_throughput", "req/s")),
        ("request_goodput", column("request_goodput", "req/s")),
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


def test_output_throughput_of_requests_adds_up_the_answers() -> None:
    # (100 + 200 + 300) ÷ 4
    assert throughput.output_throughput_of_requests(np.array([100.0, 200.0, 300.0]), 4) == 150


def test_total_token_throughput_of_requests_adds_the_prompts_that_were_answered() -> None:
    # (10 + 30 + 100 + 200) ÷ 4
    answers, prompts = np.array([100.0, 200.0]), np.array([10.0, 30.0])

    assert throughput.total_token_throughput_of_requests(prompts, answers, 4) == 85


def test_request_throughput_of_requests_counts_the_answers() -> None:
    # 3 ÷ 2
    assert throughput.request_throughput_of_requests(np.ones(3), 2) == 1.5


def test_output_throughput__steady_counts_the_tokens_that_came_then() -> None:
    # Of five chunks two came in time, one with 2 tokens and one with 1: 3 ÷ (3 − 1)
    brought = np.array([0.0, 0.0, 0.0, 1.0, 2.0])

    assert throughput.output_throughput__steady(brought, 1, 3) == 1.5


def test_request_throughput__steady_counts_the_answers_that_ended_then() -> None:
    # Above 1 s and up to 5 s: at 2, 3, 4 and 5; the one at 1 s began the steady part. 4 ÷ (5 − 1)
    ended = np.array([1.0, 2.0, 3.0, 4.0, 5.0, 6.0])

    assert throughput.request_throughput__steady(ended, 1, 5) == 1


@pytest.mark.parametrize("last_sending", [1, 0.5])
@pytest.mark.parametrize(
    "steady", [throughput.output_throughput__steady, throughput.request_throughput__steady], ids=["tokens", "requests"]
)
def test_without_a_steady_part_there_is_no_throughput_in_it(steady: Metric, last_sending: float) -> None:
    answer = steady(np.array([1.0, 2.0]), 1, last_sending)

    assert isinstance(answer, Unknown)
    assert "no steady part" in answer.reason.en


def test_goodput_share_is_of_all_that_completed() -> None:
    # 1.5 ÷ 2
    assert throughput.goodput_share(1.5, 2) == 0.75


def test_slot_decode_rate_is_the_reciprocal_of_the_gap() -> None:
    # 1 ÷ 0.016
    assert throughput.slot_decode_rate(0.016) == 62.5


def test_undisturbed_throughput_is_a_typical_step_for_every_slot() -> None:
    # 64 slots ÷ 0.032 s a step
    assert throughput.undisturbed_throughput(64, 0.032) == 2000


def test_undisturbed_throughput_is_unknown_where_requests_arrive_at_a_rate() -> None:
    assert throughput.undisturbed_throughput(0, 0.032) == Unknown(OPEN_LOOP)


def test_accounted_token_throughput_adds_the_prompts() -> None:
    # 100 + 1024 × 40 ÷ 512 = 100 + 80
    assert throughput.accounted_token_throughput(100, 1024, 40, 512) == 180


def test_accounted_token_throughput_of_requests_adds_the_prompts_as_counted() -> None:
    # 100 + (1000 + 1048) ÷ 512 = 100 + 4
    assert throughput.accounted_token_throughput_of_requests(100, np.array([1000.0, 1048.0]), 512) == 104


def test_accounted_token_throughput_counted_adds_the_sum_of_the_client() -> None:
    # 100 + 2048 ÷ 512
    assert throughput.accounted_token_throughput_counted(100, 2048, 512) == 104


def test_a_steady_part_in_which_next_to_nothing_came_has_no_throughput() -> None:
    # One request after the other: 14 ms from the end of the first to the sending of the second, and one token in it
    token = throughput.output_throughput__steady(np.array([0.0, 0.0, 1.0]), 1.0, 1.014)
    ended = throughput.request_throughput__steady(np.array([1.0, 2.0]), 1.0, 1.014)

    assert (token, ended) == (throughput.TOO_SHORT, throughput.TOO_SHORT)
