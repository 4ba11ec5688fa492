from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from generator.model import Round
from generator.runs.server_times import ServerTimes
from generator.told.blocks import FigureBlock
from tests.numeric.test_common_stalls import TWO
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, failure, requests_of
from tests.support.run_rounds import round_of
from tests.support.telling import analysed, chapter_of, text_of


def told(round_: Round) -> str:
    analysis = analysed(round_)
    chapter = chapter_of("timeline", analysis)
    assert chapter is not None
    assert isinstance(chapter.blocks[0], FigureBlock)
    return text_of(chapter, analysis).replace("\u202f", " ")


def test_it_says_when_all_stood_still_and_what_went_on() -> None:
    # of 1.2 s with two under way one second; a third had its first token at 1.7 s
    text = told(round_of({("a", "c2", None): requests_of(*TWO, answer(0.7, start=1.0))}))

    assert "a at C=2: all running answers stalled at once 1 time, for 1.00 s in total or 83.3%" in text
    assert "the longest stall, at 0.700 s, lasted 1,000 ms" in text
    assert "Coinciding with: the prefill of another request (1 time)." in text


def test_a_full_pool_in_the_log_is_named() -> None:
    logged = replace(requests_of(*TWO), server=ServerTimes({"kv_full": np.array([1.0])}))

    assert "a preemption or a full KV pool in the log (1 time)" in told(round_of({("a", "c2", None): logged}))


@pytest.mark.parametrize(
    ("lag", "stamped", "said"),
    [
        (0.1, 0.0, "The client's own delay was at most 100 ms, so it did not cause the stalls."),
        (0.6, 0.0, "The client's own delay was up to 600 ms, so it may have caused them."),
        (0.6, 1.0, "so it did not cause the stalls"),  # the kernel took the times
    ],
)
def test_the_client_is_asked_whether_it_was_late(lag: float, stamped: float, said: str) -> None:
    level = {"concurrency": 2.0, "client_loop_lag_most": lag, "client_kernel_stamps": stamped}
    round_ = memory_round({"a": {"c2": level}}, runs={("a", "c2", None): requests_of(*TWO)})

    assert said in told(round_)


def test_answers_that_flow_are_told_with_their_waves() -> None:
    flowing = requests_of(*(answer(0.1, *[0.1] * 5, start=0.6 * (number // 4)) for number in range(12)))
    text = told(round_of({("a", "c4", None): flowing}))

    assert "At the usable levels of a the running answers never stalled at once." in text
    assert "a at C=4: at least half of the running answers ended together 2 times." in text
    assert "Slots come free in waves" not in text  # two are too few to follow from one another


def test_waves_that_follow_each_other_are_told_so() -> None:
    flowing = requests_of(*(answer(0.1, *[0.1] * 5, start=0.6 * (number // 4)) for number in range(16)))

    assert "ended together 3 times. Slots come free in waves" in told(round_of({("a", "c4", None): flowing}))


def test_where_no_two_were_under_way_nothing_is_said_of_stalls() -> None:
    alone = requests_of(answer(0.1, 1.0, start=0.0), failure(start=2.0))

    assert "cannot be detected for a" in told(round_of({("a", "c1", None): alone}))


def test_of_a_table_of_results_there_is_no_chapter() -> None:
    assert chapter_of("timeline", analysed(published("round-2"))) is None
