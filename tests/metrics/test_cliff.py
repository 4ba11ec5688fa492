from __future__ import annotations

from math import nan

import numpy as np
import pytest

from generator.kinds import Picked, Unknown
from generator.metrics import cliff
from generator.places import log
from tests.support.memory_round import read_typed

LOADS = np.array([1.0, 2.0, 4.0, 8.0])
NOTHING = np.full(4, nan)
RISING = np.array([100.0, 190.0, 360.0, 650.0])


def column(*numbers: float) -> np.ndarray:
    return np.array(numbers, dtype=np.float64)


def observed(
    loads: np.ndarray = LOADS,
    preempted: np.ndarray = NOTHING,
    waiting: np.ndarray = NOTHING,
    refused: np.ndarray = NOTHING,
    throughput: np.ndarray = RISING,
    p50: np.ndarray = NOTHING,
    p99: np.ndarray = NOTHING,
) -> Picked | Unknown:
    answer = cliff.cliff_observed(
        kept_in_flight=loads, cliff_preemptions=preempted, cliff_waiting=waiting, cliff_refused=refused,
        output_throughput=throughput, ttft_p50=p50, ttft_p99=p99,
    )  # fmt: skip
    assert isinstance(answer, Picked | Unknown)
    return answer


def test_cliff_predicted_is_the_wall_of_the_pool() -> None:
    assert cliff.cliff_predicted(wall_memory=4.5) == 4.5


@pytest.mark.parametrize(("slots", "wall"), [(4, 4), (32, 4.5)])
def test_cliff_wall_is_the_one_that_comes_first(slots: float, wall: float) -> None:
    assert cliff.cliff_wall(cliff_predicted=4.5, wall_scheduler=slots) == wall


def test_cliff_wall_of_pool_and_cliff_wall_of_scheduler_stand_alone() -> None:
    assert cliff.cliff_wall_of_pool(cliff_predicted=4.5) == 4.5
    assert cliff.cliff_wall_of_scheduler(wall_scheduler=8) == 8


def test_cliff_wall_of_scheduler_is_its_slots() -> None:
    assert cliff.cliff_wall_of_scheduler(wall_scheduler=8) == 8


def test_cliff_staggered_in_tokens_takes_half_of_the_output() -> None:
    # 720 ÷ (128 + 32 ÷ 2) = 5
    asked = {"asked_input_tokens": column(128, 128), "asked_output_tokens": column(32, 32)}
    assert cliff.cliff_staggered_in_tokens(kv_pool_tokens=720, **asked) == 5


def test_cliff_staggered_stretches_what_fits_at_full_length() -> None:
    # 175 ÷ 42 = 4.17 requests of 160 + 64; half-way through the answer each has 192 of 224: 4.17 × 224 ÷ 192 = 4.86
    asked = {"asked_input_tokens": column(160), "asked_output_tokens": column(64)}
    found = cliff.cliff_staggered(engine_pool_blocks_of_series=175, kv_blocks_of_request=42, **asked)
    assert found == pytest.approx(4.8611, abs=1e-4)


def test_cliff_tokens_are_those_of_all_requests_at_their_end() -> None:
    # 6 × (128 + 32)
    assert cliff.cliff_tokens(kept_in_flight=6, request_tokens=160) == 960


def test_under_a_rate_cliff_tokens_are_unknown() -> None:
    assert cliff.cliff_tokens(kept_in_flight=0, request_tokens=160) is cliff.NONE_KEPT


def test_cliff_preemptions_are_counted_by_the_server() -> None:
    assert cliff.cliff_preemptions(server_preemptions=9) == 9


def test_cliff_preemptions_in_log_stand_in_for_the_counter() -> None:
    assert cliff.cliff_preemptions_in_log(log_preemptions=7) == 7


def test_cliff_retracted_in_log_is_the_word_of_sglang() -> None:
    assert cliff.cliff_retracted_in_log(log_retracted=3) == 3


def test_cliff_preemptions_at_least_is_a_lower_bound() -> None:
    assert cliff.cliff_preemptions_at_least(log_preemptions_at_least=51) == 51


def test_cliff_waiting_is_the_mean_of_the_samples() -> None:
    assert cliff.cliff_waiting(gauge_waiting_mean=1.5) == 1.5


def test_cliff_waiting_in_log_is_at_least_the_mean() -> None:
    # At most 4 in the lines of which half have any: 2.
    assert cliff.cliff_waiting_in_log(log_waiting_most=4, log_waiting_share=0.5) == 2


def test_observed_lines_without_room_for_kv() -> None:
    assert read_typed("log_kv_full", log("kv_full", "1"), 14) == (14, 14)


def test_cliff_refused_are_failures_where_the_log_lacks_room() -> None:
    # 86 lines and 18 failures; lines that cost nothing; a failure of another kind
    assert cliff.cliff_refused(log_kv_full=86, failed=18) == 18
    assert cliff.cliff_refused(log_kv_full=11, failed=0) == 0
    assert cliff.cliff_refused(log_kv_full=0, failed=1) == 0


@pytest.mark.parametrize(
    "signs",
    [
        {"preempted": column(0, 0, 1, 9), "waiting": column(0, 0, 0.2, 3)},
        {"preempted": column(0, 0, 0, 0), "waiting": column(0, 0.4, 0.5, 3)},
        {"refused": column(0, 0, 14, 30)},
        {"preempted": column(nan, nan, 1, nan)},  # what is known of one level alone is told of it
    ],
    ids=["preempted", "waiting", "failed for want of KV", "known at one level"],
)
def test_cliff_observed_is_the_first_level_that_the_engine_complains_of(signs: dict[str, np.ndarray]) -> None:
    # Its evidence is every level up to it: below, nothing was wrong.
    assert observed(**signs) == Picked(4.0, (0, 1, 2))


def test_cliff_observed_needs_an_engine_that_complains_where_it_can() -> None:
    # Waiting is told to be 0 everywhere: that throughput is flat and the TTFT jumps is saturation, and no cliff.
    flat, jump = column(100, 190, 191, 192), column(0.1, 0.1, 0.9, 9.0)
    assert observed(waiting=column(0, 0, 0, 0.4), throughput=flat, p50=jump) is cliff.NO_SIGN


def test_cliff_observed_is_felt_where_the_engine_is_mute() -> None:
    # From C=2 to 4 throughput gains (370 ÷ 360 − 1) < 5 % and the TTFT p99 is 0.7 ÷ 0.2 = 3.5 times as long.
    flat = column(190, 360, 370, 380)
    assert observed(throughput=flat, p99=column(0.1, 0.2, 0.7, 0.8)) == Picked(4.0, (0, 1, 2))
    # 0.6 is not above 3 × 0.2; and a jump with throughput that still rises is none.
    assert observed(throughput=flat, p99=column(0.1, 0.2, 0.6, 0.8)) is cliff.NOT_FELT
    assert observed(p50=column(0.1, 0.2, 0.7, 0.8)) is cliff.NOT_FELT


def test_cliff_observed_holds_growth_against_the_doubling() -> None:
    # From 4 to 6 is log2(1.5) = 0.585 of a doubling: 1.05^0.585 = 1.029, so that 2 % is flat and 4 % is not.
    loads, jump = column(2, 4, 6), column(0.1, 0.1, 0.9)
    nothing = np.full(3, nan)
    common = {"loads": loads, "preempted": nothing, "waiting": nothing, "refused": nothing, "p99": nothing, "p50": jump}
    assert observed(throughput=column(50, 100, 102), **common) == Picked(6.0, (0, 1, 2))
    assert observed(throughput=column(50, 100, 104), **common) is cliff.NOT_FELT


def test_cliff_observed_is_of_closed_loops_alone() -> None:
    # The first row is a level under a rate.
    loads = column(0, 1, 2, 4)
    assert observed(loads=loads, waiting=column(9, 0, 0, 1)) == Picked(4.0, (1, 2, 3))
    assert observed(loads=column(0, 0, 0, 4)) is cliff.NO_LADDER
    assert observed(loads=column(1, 2, 2, 4)) is cliff.NO_LADDER


@pytest.mark.parametrize(
    ("seen", "wall", "gap"),
    [(8, 4.5, 0), (4, 4.5, -1), (8, 1.0, 2), (8, 4.0, 0), (4, 9.0, -2)],
    ids=["the first above it", "the last below it", "two rungs later", "a wall on a rung", "beyond the ladder"],
)
def test_cliff_gap_levels_counts_rungs(seen: float, wall: float, gap: float) -> None:
    # Rungs at 1, 2, 4, 8; a level under a rate is none.
    loads = column(0, 1, 2, 4, 8)
    assert cliff.cliff_gap_levels(kept_in_flight=loads, cliff_observed=seen, cliff_wall=wall) == gap
