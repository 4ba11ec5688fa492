from __future__ import annotations

import pytest

from generator.blocks import Cards, Paragraph
from generator.frame import Analysis
from generator.kinds import Chapter
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import chapter_of, text_of


def chapter(analysis: Analysis) -> Chapter:
    told = chapter_of("verdict", analysis)
    assert told is not None
    return told


def leads(name: str) -> list[str]:
    """Return the leading paragraphs of a round, in English."""
    analysis = ANALYSES[name]()
    blocks = chapter(analysis).blocks
    return [text_of(one, analysis) for one in blocks if isinstance(one, Paragraph) and one.kind == "lead"]


def cards(analysis: Analysis, series: int) -> list[tuple[str, str]]:
    rows = [block for block in chapter(analysis).blocks if isinstance(block, Cards)]
    return [(text_of(card.label, analysis), text_of(card.context, analysis)) for card in rows[series].cards]


def test_second_round_changes_hands_once() -> None:
    # Steps at C=1: 15.83 ÷ 5.84 = 2.71; bytes 14.207 GB ÷ 4.746 GB = 2.99. Throughput 161.5 ÷ 61.9 = 2.61 at
    # C=1 and 1064.8 ÷ 1387.8 = 0.77 at C=64.
    (lead,) = leads("round-2")

    assert lead == (
        "At C=1 a decode step takes 5.84 ms on llama.cpp Q4_K_M and 15.83 ms on vLLM BF16: 2.71× the speed, where the "
        "bytes predict 2.99×. Throughput changes hands at C ≈ 8.3: llama.cpp Q4_K_M delivers 2.61× what vLLM BF16 does "
        "at C=1, and 0.77× at C=64."
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param("round-1", "cannot be said: output throughput is not recorded", id="no throughput"),
        pytest.param("compared leads throughout", "does not change hands: b delivers 1.25× what a", id="100 ÷ 80"),
        pytest.param("compared trails throughout", "does not change hands: b delivers 0.80× what a", id="80 ÷ 100"),
        pytest.param("compared trails throughout", "12.5 ms on b and 10.0 ms on a: 0.80× the speed", id="slower"),
        pytest.param("three crossings", "changes hands 3 times, first at C ≈ 1.6", id="1.1, 0.95, 1.1, 0.875"),
        pytest.param("one level", "at C=1 only, which shows no crossover: b delivers 0.80× what a", id="one level"),
        pytest.param("no level shared", "cannot be said: there is no usable level", id="none shared"),
        pytest.param("all of the compared series spoilt", "cannot be said: there is no usable level", id="all spoilt"),
        pytest.param("arrival rates", "does not change hands: b delivers 1.10× what a does at 1 req/s", id="rates"),
        pytest.param("arrival rates that cross", "hands between these levels: b delivers 1.10×", id="rates cross"),
    ],
)
def test_throughput_is_told_as_it_is(name: str, words: str) -> None:
    (lead,) = leads(name)

    assert words in lead
    assert "—" not in lead


def test_prediction_is_left_out_where_there_is_none() -> None:
    (lead,) = leads("arrival rates")

    assert "10.0 ms on b and 10.0 ms on a: 1.00× the speed. Over the usable levels" in lead


def test_each_of_three_series_has_its_own_paragraph() -> None:
    first, second = leads("three series")

    assert "early delivers" in first
    assert "late delivers" in second


def test_series_alone_is_held_against_its_floor() -> None:
    # Alone: 80 × 64 ÷ (1 + 0.05 × 64) = 1219 tok/s; its step is 12 ms × 4.2 = 50.4 ms.
    assert leads("one series") == [
        "alone delivers most at C=64: 1,219 tok/s. A decode step then takes 50.4 ms and reaches 35.8% of its floor."
    ]


def test_without_a_baseline_each_series_speaks_for_itself() -> None:
    assert [lead.split(":")[0] for lead in leads("no baseline")] == ["a delivers most at C=8", "b delivers most at C=8"]


def test_unknown_floor_is_not_spoken_of() -> None:
    assert cards(ANALYSES["arrival rates"](), 0) == [("Decode step at 1 req/s", "floor unknown")]


def test_cards_of_the_second_round() -> None:
    # Marginal cost (35.32 − 5.84) ÷ 63 = 0.468 ms; its floor 1152 × 57344 B ÷ 1008 GB/s = 0.0655 ms: 7.14 ×.
    assert cards(ANALYSES["round-2"](), 1) == [
        ("Decode step at C=1", "floor 4.708 ms"),
        ("Share of the floor at C=64", "14.7% with stalls"),
        ("Cost of one more request", "7.14× its floor of 0.0655 ms/slot"),
        ("C=32, left out", "found spoilt by a check"),
    ]


def test_checks_are_counted() -> None:
    analysis = ANALYSES["round-2"]()
    counted = chapter(analysis).blocks[-1]

    assert text_of(counted, analysis) == (
        "Of 10 self-checks, 1 failed, 3 gave a warning, 2 could not be run, 1 gave a note and 3 passed."
    )
    assert text_of(counted, analysis, "zh") == "自检共 10 项：1 项不通过、3 项警告、2 项无从检查、1 项提示、3 项通过。"
