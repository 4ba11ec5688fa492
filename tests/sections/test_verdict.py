from __future__ import annotations

from collections import Counter

import pytest

from generator.blocks import Cards, Paragraph
from generator.frame import Analysis
from generator.kinds import Chapter
from generator.render.numbers import Printer
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import ANALYSES, by_rate
from tests.support.telling import analysed, catalogue, chapter_of, text_of, throughputs


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
    # Steps at C=1: 15.83 ÷ 5.84 = 2.71; bytes 14.207 GB ÷ 4.746 GB = 2.99, and ÷ 4.440 GB = 3.20 without the
    # embedding. Throughput 161.5 ÷ 61.9 = 2.61 at C=1 and 1064.8 ÷ 1387.8 = 0.77 at C=64; 415.6 ÷ 411.4 = 1.01 at C=8
    # and 548.0 ÷ 681.5 = 0.80 at C=16.
    (lead,) = leads("round-2")

    assert lead == (
        "At C=1 a decode step takes 5.84 ms on llama.cpp Q4_K_M and 15.83 ms on vLLM BF16: 2.71× the speed, where the "
        "bytes predict 2.99× (3.20× with weights counted alike). Up to C ≈ 8.3 llama.cpp Q4_K_M delivers more, beyond "
        "it vLLM BF16 does (they change places between C=8 and C=16): llama.cpp Q4_K_M delivers 2.61× what vLLM BF16 "
        "does at C=1, and 0.77× at C=64."
    )


@pytest.mark.parametrize(
    ("name", "words"),
    [
        pytest.param(
            "round-1", "for one, there is no record of output throughput of llama.cpp Q4_K_M C=1", id="no throughput"
        ),
        pytest.param("compared leads throughout", "does not change hands: b delivers 1.25× what a", id="100 ÷ 80"),
        pytest.param("compared trails throughout", "does not change hands: b delivers 0.80× what a", id="80 ÷ 100"),
        pytest.param("compared trails throughout", "12.5 ms on b and 10.0 ms on a: 0.80× the speed", id="slower"),
        pytest.param(
            "three crossings",
            "Up to C ≈ 1.6 b delivers more; throughput changes hands 3 times",
            id="1.1, 0.95, 1.1, 0.875",
        ),
        pytest.param("one level", "at C=1 only, which shows no crossover: b delivers 0.80× what a", id="one level"),
        pytest.param("no level shared", "cannot be said: there is no usable level", id="none shared"),
        pytest.param("all of the compared series spoilt", "cannot be said: there is no usable level", id="all spoilt"),
        pytest.param("arrival rates", "does not change hands: b delivers 1.10× what a does at 1 req/s", id="rates"),
        pytest.param(
            "arrival rates that cross", "Up to 1 req/s b delivers more, from 2 req/s on a does: b", id="rates cross"
        ),
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
    # Alone: 55 × 64 ÷ (1 + 0.05 × 64) = 838.1 tok/s; its step is 16 ms × 4.2 = 67.2 ms, its floor
    # 7e9 × 2 B + 64 × 1100 × 57344 B = 18.04 GB ÷ 1000 GB/s: 26.8 %.
    assert leads("one series") == [
        "alone delivers most at C=64: 838 tok/s. A decode step then takes 67.2 ms, of which its floor is 26.8%."
    ]


def test_without_a_baseline_each_series_speaks_for_itself() -> None:
    assert [lead.split(":")[0] for lead in leads("no baseline")] == ["a delivers most at C=8", "b delivers most at C=8"]


def test_unknown_floor_is_a_dash_that_leads_to_its_reason() -> None:
    analysis = ANALYSES["arrival rates"]()
    (row, _) = [block for block in chapter(analysis).blocks if isinstance(block, Cards)]

    assert cards(analysis, 0) == [("Decode step at 1 req/s", "floor —")]
    assert 'href="how.html#' in Printer(analysis, catalogue().graph, "en").html(row.cards[0].context)


def test_who_leads_first_depends_on_the_ratio_below_the_crossing() -> None:
    # b delivers 90 ÷ 100 = 0.9 of a at C=1, and 220 ÷ 200 = 1.1 of it at C=2.
    analysis = analysed(memory_round({"a": throughputs(100, 200), "b": throughputs(90, 220)}, baseline="a"))
    lead = text_of(chapter(analysis).blocks[0], analysis)

    assert "a delivers more, beyond it b does (they change places between C=1 and C=2): b delivers 0.90×" in lead


def test_rates_that_cross_often_name_the_first_bracket() -> None:
    analysis = analysed(by_rate((1.1, 0.9, 1.2)))

    assert "Up to 1 req/s b delivers more; throughput changes hands 2 times, first between 1 req/s and 2 req/s: b" in (
        text_of(chapter(analysis).blocks[0], analysis)
    )


def test_cards_of_the_second_round() -> None:
    # Marginal cost (35.32 − 5.84) ÷ 63 = 0.468 ms; its floor 1152 × 57344 B ÷ 1008 GB/s = 0.0655 ms: 7.14 ×.
    assert cards(ANALYSES["round-2"](), 1) == [
        ("Decode step at C=1", "floor 4.708 ms"),
        ("Floor ÷ step at C=64", "14.7% with stalls and first tokens"),
        ("Cost of one more request, on average from C=1 to C=64", "7.14× its floor of 0.0655 ms/slot"),
        ("C=32, left out", "found spoilt by a check"),
    ]


COUNTED = {
    "fail": ("{} failed", "{} 项不通过"),
    "warn": ("{} gave a warning", "{} 项警告"),
    "unknown": ("{} could not be run", "{} 项无从检查"),
    "note": ("{} gave a note", "{} 项提示"),
    "pass": ("{} passed", "{} 项通过"),
}


def test_checks_are_counted() -> None:
    analysis = ANALYSES["round-2"]()
    n = Counter(finding.status for finding in analysis.findings)
    counted = chapter(analysis).blocks[-1]

    assert text_of(counted, analysis).startswith(
        f"Of {n.total()} self-checks, {n['fail']} failed, {n['warn']} gave a warning, {n['unknown']} could not be run, "
        f"{n['note']} gave a note and {n['pass']} passed. "
    )
    assert text_of(counted, analysis, "zh").startswith(
        f"自检共 {n.total()} 项：{n['fail']} 项不通过、{n['warn']} 项警告、{n['unknown']} 项无从检查、"
        f"{n['note']} 项提示、{n['pass']} 项通过。"
    )


@pytest.mark.parametrize(
    ("name", "corrected"),
    [
        ("round-2", "3 published definitions are corrected under Definitions."),
        ("round-1", "2 published definitions are corrected under Definitions."),
    ],
)
def test_definitions_that_do_not_hold_are_a_link_away(name: str, corrected: str) -> None:
    analysis = ANALYSES[name]()
    note = chapter(analysis).blocks[-1]
    assert isinstance(note, Paragraph)

    assert text_of(note, analysis).endswith(corrected)
    assert '<a href="#definitions">Definitions</a>' in Printer(analysis, catalogue().graph, "en").html(note.sentence)


def test_a_round_with_one_definition_of_each_thing_corrects_nothing() -> None:
    analysis = ANALYSES["arrival rates"]()

    assert text_of(chapter(analysis).blocks[-1], analysis).endswith(" passed.")
