from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Answer, Unknown
from generator.metrics import load
from generator.places import Place, column, setting
from generator.runs.requests import OPEN_LOOP
from tests.support.memory_round import read_typed


@pytest.mark.parametrize(
    ("key", "place", "typed", "base"),
    [
        ("concurrency", column("concurrency", "1"), 8, 8),
        ("rate", column("rate", "req/s"), 2.5, 2.5),
        ("asked_input_tokens", column("input_tokens", "tok"), 1024, 1024),
        ("asked_input_tokens", setting("level.input_tokens", "tok"), 1024, 1024),
        ("asked_input_tokens", setting("workload.input_tokens", "tok"), 1024, 1024),
        ("asked_output_tokens", column("output_tokens", "tok"), 256, 256),
        ("asked_output_tokens", setting("level.output_tokens", "tok"), 256, 256),
        ("asked_output_tokens", setting("workload.output_tokens", "tok"), 256, 256),
        ("requests", column("requests", "1"), 320, 320),
        ("completed", column("completed", "1"), 319, 319),
        ("duration", column("duration_s", "s"), 165.54, 165.54),
    ],
)
def test_observed(key: str, place: Place, typed: float, base: float) -> None:
    assert read_typed(key, place, typed) == (base, typed)


def test_requests_seen_are_all_that_were_sent() -> None:
    assert load.requests_seen(np.ones(3)) == 3


def test_completed_seen_are_those_that_were_answered() -> None:
    assert load.completed_seen(np.ones(2)) == 2


def test_completed_seen_is_zero_where_all_failed() -> None:
    assert load.completed_seen(np.ones(0)) == 0


def test_failed_is_what_was_not_completed() -> None:
    # 320 − 312
    assert load.failed(320, 312) == 8


def test_failed_is_zero_where_all_completed() -> None:
    assert load.failed(40, 40) == 0


def test_failure_ratio_is_a_fraction_of_what_was_sent() -> None:
    # 8 ÷ 320
    assert load.failure_ratio(8, 320) == 0.025


def test_requests_total_adds_up_all_levels() -> None:
    # 40 + 60 + 80
    assert load.requests_total(np.array([40.0, 60.0, 80.0])) == 180


def test_requests_total_of_one_level_is_its_own() -> None:
    assert load.requests_total(np.array([40.0])) == 40


def test_failed_total_adds_up_all_levels() -> None:
    # 0 + 1 + 8
    assert load.failed_total(np.array([0.0, 1.0, 8.0])) == 9


def test_gaps_per_request_are_one_fewer_than_the_tokens() -> None:
    assert load.gaps_per_request(256) == 255


def test_waves_are_requests_over_concurrency() -> None:
    # 320 ÷ 32
    assert load.waves(320, 32) == 10


def test_waves_are_unknown_where_requests_arrive_at_a_rate() -> None:
    assert load.waves(320, 0) == Unknown(OPEN_LOOP)


def test_kept_in_flight_without_rate_is_the_concurrency() -> None:
    assert load.kept_in_flight_without_rate(32) == 32


def test_kept_in_flight_is_nothing_where_requests_arrive_at_a_rate() -> None:
    assert load.kept_in_flight(10) == 0


def test_in_flight_is_the_concurrency_of_a_closed_loop() -> None:
    assert load.in_flight(32) == 32
    assert load.in_flight(0) is load.NOT_COUNTED


def test_in_flight_on_average_is_the_mean() -> None:
    assert load.in_flight_on_average(3.5) == 3.5


@pytest.mark.parametrize(
    ("in_flight", "running", "waiting", "decoded"),
    [(12, 3.5, 6.5, 3.5), (3, 3.2, 0.5, 3), (8, 7.6, 0.4, load.NONE_QUEUED)],
    ids=["most of them wait", "someone else has requests, too", "a run that fills up and empties"],
)
def test_decoded_together_is_what_the_engine_runs_where_requests_wait(
    in_flight: float, running: float, waiting: float, decoded: Answer
) -> None:
    assert load.decoded_together(in_flight, running, waiting) == decoded


def test_decoded_in_slots_is_no_more_than_there_are() -> None:
    assert load.decoded_in_slots(12, 4) == 4
    assert load.decoded_in_slots(4, 4) is load.ALL_IN_SLOTS


def test_decoded_in_flight_is_all_that_is_in_flight() -> None:
    assert load.decoded_in_flight(8) == 8


def test_request_tokens_are_input_and_output() -> None:
    # 1024 + 256
    assert load.request_tokens(1024, 256) == 1280


def test_request_tokens_counted_are_spread_over_the_completed_requests() -> None:
    # (628 + 256) ÷ 4
    assert load.request_tokens_counted(628, 256, 4) == 221
