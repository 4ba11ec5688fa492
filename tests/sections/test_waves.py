from __future__ import annotations

import pytest

from generator.frame import Analysis
from generator.report_kinds import Chapter
from generator.told.blocks import Paragraph, Table
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import ANALYSES
from tests.support.request_rows import answer, requests_of
from tests.support.run_rounds import two_series
from tests.support.telling import analysed, chapter_of, text_of


def chapter(analysis: Analysis) -> Chapter:
    told = chapter_of("waves", analysis)
    assert told is not None
    return told


def paragraphs(analysis: Analysis) -> list[str]:
    """Return what is said between the introduction and the closing remark."""
    return [text_of(one, analysis) for one in chapter(analysis).blocks if isinstance(one, Paragraph)][1:-1]


def closed_loop(mean_over_median: float) -> Analysis:
    """Return a series of which the mean latency by Little's law is so many times the median of 2 s."""
    # C × D ÷ N = 4 × D ÷ 10, so D = 5 s × ratio
    level = {"concurrency": 4, "requests": 10, "completed": 10, "duration": 5 * mean_over_median, "e2el_p50": 2}
    return analysed(memory_round({"a": {"c4": level}}))


def test_second_round_departs_most_at_eight() -> None:
    # 8 × 73.58 s ÷ 120 = 4.905 s against 3.416 s: + 43.6 %; at C=4 35.2 %. vLLM departs by 2.7 % at most.
    (told,) = paragraphs(ANALYSES["round-2"]())

    assert told.startswith("Across its usable levels llama.cpp Q4_K_M shows the largest difference at C=8, 43.6%")


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(1.05, []), (1.2, [", 20.0%: latencies"]), (0.8, [", -20.0%: latencies"])],
    ids=["close", "mean above", "mean below"],
)
def test_small_departures_are_not_worth_a_sentence(ratio: float, said: list[str]) -> None:
    told = paragraphs(closed_loop(ratio))

    assert len(told) == len(said)
    assert all(words in one.replace("−", "-") for words, one in zip(said, told, strict=True))


def test_mean_and_median_are_in_one_unit() -> None:
    analysis = ANALYSES["round-2"]()
    (table,) = [block for block in chapter(analysis).blocks if isinstance(block, Table)]

    assert [(heading.label.text.en, heading.unit) for heading in table.headings][2:5] == [
        ("waves", ""),
        ("E2EL p50", "ms"),
        ("mean by Little's law", "ms"),
    ]
    assert len(table.rows) == 14
    assert [row.spoilt is not None for row in table.rows].index(True) == 7 + 5


@pytest.mark.parametrize(("name", "rows"), [("one series", 4), ("three series", 12)])
def test_every_level_of_every_series_has_a_row(name: str, rows: int) -> None:
    (table,) = [block for block in chapter(ANALYSES[name]()).blocks if isinstance(block, Table)]

    assert len(table.rows) == rows


def test_the_question_of_scheduling_stays_open() -> None:
    analysis = ANALYSES["round-2"]()

    assert text_of(chapter(analysis).blocks[-1], analysis).endswith("so the question stays open.")


def test_single_requests_show_whether_slots_stayed_empty() -> None:
    # C=2: ends at 1.0, 1.0, 2.1, 2.1; the third and fourth are sent at 1.1. Idle 2 × 0.1 s of 2 × 1.1 s: 9.09 %.
    rows = [answer(0.5, 0.5, start=start) for start in (0.0, 0.0, 1.1, 1.1)]
    level = {"concurrency": 2.0, "duration": 2.1}
    analysis = analysed(memory_round({"a": {"c2": level}}, runs={("a", "c2", None): requests_of(*rows)}))
    told = text_of(chapter(analysis).blocks[-1], analysis)

    assert "at the most: 9.1% on a (C=2, with a median of 100 ms to refill one)." in told
    assert "stays open" not in told


@pytest.mark.parametrize("name", ["round-1", "nothing recorded", "no levels", "arrival rates"])
def test_without_latencies_of_a_closed_loop_there_is_nothing_to_tell(name: str) -> None:
    assert chapter_of("waves", ANALYSES[name]()) is None


def test_failures_keep_the_departure_from_telling_of_latencies() -> None:
    # 1 × 30 s ÷ 6 sent = 5 s against 7.5 s: − 33.3 %; two of the six failed
    level = {"concurrency": 1, "requests": 6, "completed": 4, "duration": 30, "e2el_p50": 7.5}
    (told,) = paragraphs(analysed(memory_round({"a": {"c1": level}})))

    assert "33.3% of the requests failed there" in told
    assert "skewed" not in told


def test_slots_left_empty_are_told_from_unlike_latencies() -> None:
    # 4 × 15 s ÷ 10 = 6 s against 2 s, while the mean of the requests is 2.1 s
    level = {"concurrency": 4, "requests": 10, "completed": 10, "duration": 15, "e2el_p50": 2, "e2el_mean": 2.1}
    (told,) = paragraphs(analysed(memory_round({"a": {"c4": level}})))

    assert "the mean of its requests is 2,100 ms" in told
    assert "skewed" not in told


def test_levels_that_keep_no_slots_filled_are_left_out_with_the_reason() -> None:
    # a rate of 10 under a limit of 128, and 8 requests on 16 slots
    usual = {"concurrency": 4, "requests": 40, "completed": 40, "duration": 20, "e2el_p50": 2}
    limited = {**usual, "rate": 10, "concurrency": 128, "requests": 100, "completed": 100}
    few = {**usual, "concurrency": 16, "requests": 8, "completed": 8}
    analysis = analysed(memory_round({"a": {"c4": usual, "r10": limited, "c16": few}}))
    (table,) = [block for block in chapter(analysis).blocks if isinstance(block, Table)]
    (told,) = paragraphs(analysis)

    assert len(table.rows) == 1
    assert "a at 10 req/s ≤ C=128 (requests arrive at a rate" in told
    assert "a at C=16 (there are fewer requests than slots" in told


def test_where_times_of_requests_are_known_it_leads_to_the_timeline() -> None:
    timed = analysed(two_series())
    table = analysed(published("round-2"))

    assert "is drawn in the timeline" in text_of(chapter_of("waves", timed), timed)
    assert "is drawn in the timeline" not in text_of(chapter_of("waves", table), table)
