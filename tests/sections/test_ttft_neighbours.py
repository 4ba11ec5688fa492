from __future__ import annotations

import pytest

from generator.runs.requests import Requests
from tests.support.anatomy_rounds import by_log, listed, of_levels
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import analysed, chapter_of, text_of


def told(requests: Requests) -> str | None:
    round_ = memory_round({"a": {"c2": {"concurrency": 2.0}}}, runs={("a", "c2", None): requests})
    analysis = analysed(round_)
    chapter = chapter_of("ttft_neighbours", analysis)
    return None if chapter is None else text_of(chapter, analysis)


def beside(*gaps: float) -> Requests:
    """Return an answer with these gaps from 2 s on, with a prefill beside it from 2 to 3 s, and usual gaps after."""
    return requests_of(answer(2.0, *gaps, *[0.1] * 10, start=0.0), answer(1.0, 0.1, start=2.0))


@pytest.mark.parametrize(
    ("gaps", "said"),
    [
        # five gaps of 200 ms beside a prefill: each is twice as long
        ((0.2,) * 5, "beside a prefill the median gap is 200 ms, 2.00× the usual 100 ms; the longest was 200 ms."),
        # 600 ms and four of 100 ms: one is stretched
        ((0.1, 0.1, 0.6, 0.1, 0.1), "hardly changes (100 ms against 100 ms at C=2), but the longest gap is 600 ms"),
        # 25 gaps of 40 ms beside a prefill, where 100 ms are usual
        ((0.04,) * 25, "are longer without a prefill beside them: 100 ms in the middle, against 40.0 ms."),
        ((0.1,) * 10, "shows no effect of a neighbour's prefill (100 ms against 100 ms at C=2, the longest 100 ms)"),
    ],
    ids=["each step", "one step", "shorter", "nothing"],
)
def test_it_says_how_a_prefill_holds_others_up(gaps: tuple[float, ...], said: str) -> None:
    assert said in (told(beside(*gaps)) or "")


def test_without_a_neighbour_there_is_no_chapter() -> None:
    assert told(requests_of(answer(0.1, 0.1, start=0.0), answer(0.1, 0.1, start=1.0))) is None
    assert chapter_of("ttft_neighbours", listed()) is None


def test_where_others_wait_in_a_queue_their_wait_says_little_of_a_prefill() -> None:
    # 60 % of the TTFT of 0.5 s is queueing
    analysis = analysed(of_levels({"c4": by_log(0.3, 0.19)}))
    told = text_of(chapter_of("ttft_neighbours", analysis), analysis)

    assert "At C=4 most of the wait of a is a queue: gaps that overlap it say little of a prefill." in told
    assert "is slowed most" not in told
