from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pytest

from generator.metrics import cold_start
from generator.places import fact, record
from generator.values import Address
from tests.support.memory_round import read_typed
from tests.support.started_rounds import Start, started_round
from tests.support.telling import analysed


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("cold_start_t1", "port_s"),
        ("cold_start_first_token", "first_token_s"),
        ("cold_start_first_completion", "first_completion_s"),
        ("cold_start_healthy", "healthy_s"),
        ("cold_start_sent", "sent_s"),
    ],
)
def test_observed_in_the_record_of_the_start(key: str, name: str) -> None:
    assert read_typed(key, record("cold_start.json", name, "s"), 12.5) == (12.5, 12.5)


@pytest.mark.parametrize(
    ("key", "name"),
    [
        ("cold_start_t1", "t1_s"),
        ("cold_start_t2", "t2_s"),
        ("cold_start_t3", "t3_s"),
        ("cold_start_healthy", "healthy_s"),
    ],
)
def test_observed_as_declared(key: str, name: str) -> None:
    assert read_typed(key, fact(f"cold_start.{name}", "s"), 12.5) == (12.5, 12.5)


@pytest.mark.parametrize(
    ("key", "name"),
    [("cold_start_resident", "page_cache.resident"), ("cold_start_resident_before", "page_cache.before")],
)
def test_observed_shares_in_the_page_cache(key: str, name: str) -> None:
    assert read_typed(key, record("cold_start.json", name, "ratio"), 0.25) == (0.25, 0.25)


def test_observed_clock_of_the_spawn() -> None:
    # 18 557 247 299 660 ns
    key = "cold_start_spawn_clock"

    assert read_typed(key, record("cold_start.json", "spawn_mono_ns", "ns"), 18_557_247_299_660)[0] == pytest.approx(
        18_557.24729966, abs=1e-8
    )


def test_observed_starts_are_counted_in_the_sessions() -> None:
    key = "cold_starts"

    assert read_typed(key, record("sessions/*", "cold_start.json", "1"), 2) == (2, 2)


def test_cold_start_t2_is_from_the_port_to_the_first_token() -> None:
    # 61.5 s after the spawn, 20 of them before the port
    assert cold_start.cold_start_t2(cold_start_first_token=61.5, cold_start_t1=20) == 41.5


def test_cold_start_t3_is_from_the_port_to_the_first_completion() -> None:
    # 64.25 s after the spawn, 20 of them before the port
    assert cold_start.cold_start_t3(cold_start_first_completion=64.25, cold_start_t1=20) == 44.25


def test_cold_start_perceived_is_what_a_user_waits_for() -> None:
    assert cold_start.cold_start_perceived(cold_start_t1=20, cold_start_t2=41.5) == 61.5


def test_cold_start_unready_is_between_the_port_and_good_health() -> None:
    assert cold_start.cold_start_unready(cold_start_healthy=60.5, cold_start_t1=20) == 40.5


def test_cold_start_first_wait_is_behind_good_health() -> None:
    assert cold_start.cold_start_first_wait(cold_start_first_token=61.5, cold_start_healthy=60.5) == 1


def test_cold_start_answer_is_the_rest_of_the_first_answer() -> None:
    assert cold_start.cold_start_answer(cold_start_first_completion=64.25, cold_start_first_token=61.5) == 2.75


def test_cold_start_answer_declared_takes_the_times_from_the_port() -> None:
    assert cold_start.cold_start_answer_declared(cold_start_t3=44.25, cold_start_t2=41.5) == 2.75


@pytest.mark.parametrize(
    ("compute", "expected"),
    [(cold_start._median, 3.0), (cold_start._least, 1.0), (cold_start._most, 8.0), (cold_start._count, 3.0)],
    ids=["_median", "_least", "_most", "_count"],
)
def test_statistics_over_starts(compute: Callable[..., float], expected: float) -> None:
    assert compute(cold_start_t1=np.array([3.0, 1.0, 8.0])) == expected


COLD, WARM, HALF, UNKNOWN = 0.0, 1.0, 0.5, None
STARTS = (
    Start(COLD, port=1.0, token=9.0), Start(WARM, port=1.0, token=3.0), Start(WARM, port=1.0, token=4.0),
    Start(WARM, port=1.0, token=3.5), Start(HALF, port=1.0, token=6.0), Start(UNKNOWN, port=1.0, token=5.0),
)  # fmt: skip


@pytest.mark.parametrize(
    ("basis", "median", "low", "high", "n"),
    # cold: 9; warm: 3, 4, 3.5; of unknown state, which a half is, too: 6 and 5
    [("cold", 9.0, 9.0, 9.0, 1), ("warm", 3.5, 3.0, 4.0, 3), ("unknown_cache", 5.5, 5.0, 6.0, 2)],
)
def test_starts_that_found_the_files_alike_are_taken_together_and_no_others(
    basis: str, median: float, low: float, high: float, n: int
) -> None:
    frame = analysed(started_round(STARTS)).frame

    seen = frame.of_series("cold_start_perceived", "s", basis)
    assert (seen.value, seen.low, seen.high, seen.n) == (median, low, high, n)
    assert frame.of_series("cold_start_perceived_low", "s", basis).value == low
    assert frame.of_series("cold_start_perceived_high", "s", basis).value == high
    assert frame.of_series("cold_starts_alike", "s", basis).value == n
    # T2 = T1 + T2 − 1 s
    assert frame.of_series("cold_start_t2", "s", basis).value == median - 1


def test_the_inputs_of_a_median_are_its_starts() -> None:
    seen = analysed(started_round(STARTS)).frame.of_series("cold_start_t2", "s", "warm")

    assert seen.formula == "median(cold_start_t2)"
    assert [(one.address.trial, one.address.basis) for one in seen.inputs] == [(2, None), (3, None), (4, None)]


def test_a_kind_of_which_there_is_no_start_has_a_reason() -> None:
    frame = analysed(started_round((Start(WARM),))).frame

    cold = frame.of_series("cold_start_t1", "s", "cold")
    assert (cold.value, cold.reason and cold.reason.en) == (
        None,
        "no start found the model's files outside the page cache",
    )


def test_each_start_has_its_own_numbers_and_none_stands_in_for_another() -> None:
    analysis = analysed(started_round((Start(WARM, port=1.0, token=3.0), Start(WARM, port=2.0, token=None))))

    def of_start(metric: str, number: int) -> float | None:
        return analysis.frame.values[Address(metric, "series", "s", trial=number)].value

    assert [of_start("cold_start_t2", number) for number in (1, 2)] == [2.0, None]  # the second had no first token
    assert [of_start("cold_start_t1", number) for number in (1, 2)] == [1.0, 2.0]
