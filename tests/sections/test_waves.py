from __future__ import annotations

import pytest

from generator.blocks import Paragraph, Table
from generator.frame import Analysis
from generator.kinds import Chapter
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import ANALYSES
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

    assert told.startswith("Over its usable levels llama.cpp Q4_K_M departs most at C=8, by 43.6%: latencies")


@pytest.mark.parametrize(
    ("ratio", "said"),
    [(1.05, []), (1.2, ["by 20.0%"]), (0.8, ["by -20.0%"])],
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


@pytest.mark.parametrize("name", ["round-1", "nothing recorded", "no levels", "arrival rates"])
def test_without_latencies_of_a_closed_loop_there_is_nothing_to_tell(name: str) -> None:
    assert chapter_of("waves", ANALYSES[name]()) is None
