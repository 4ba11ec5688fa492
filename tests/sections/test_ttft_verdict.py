from __future__ import annotations

import pytest

from generator.frame import Analysis
from generator.told.blocks import Cards, Paragraph
from tests.support.anatomy_rounds import by_log, divided, listed, nothing, of_levels, swept
from tests.support.memory_round import Levels, memory_round
from tests.support.telling import analysed, chapter_of, text_of


def lead(analysis: Analysis) -> str:
    chapter = chapter_of("ttft_verdict", analysis)
    assert chapter is not None
    return "\n".join(text_of(block, analysis) for block in chapter.blocks if isinstance(block, Paragraph))


def test_the_lead_says_what_the_ttft_is_made_of_alone_and_under_load() -> None:
    told = lead(divided())

    assert told.startswith(
        "At C=1 a first token of a takes 500 ms on average: 1.00 ms in the queue, 490 ms in prefill, 9.00 ms for the "
        "rest. At C=4 a first token of a takes 500 ms on average: 200 ms in the queue, 280 ms in prefill, 20.0 ms for "
        "the rest."
    )


def test_the_lead_says_what_neighbours_do() -> None:
    # The second waits from 1.0 to 1.5 s, during the gaps of 0.6 and 0.1 s of the first: 0.35 s in the middle. Its own
    # gaps of 0.1 s are undisturbed.
    assert "makes the median gap of a request that decodes 3.50× what it is otherwise (C=1)" in lead(divided())


def test_without_queueing_on_record_it_says_how_much_is_prefill() -> None:
    numbers = {key: value for key, value in by_log(0.1, 0.3).items() if key != "first_sent_clock"}

    assert "300 ms of it in prefill; how much of the other 200 ms is queueing the server does not tell." in lead(
        analysed(of_levels({"c4": numbers}))
    )


def test_of_a_table_of_results_it_says_how_the_ttft_rises_and_what_is_missing() -> None:
    assert lead(listed()) == (
        "The TTFT p50 of a goes from 100 ms at C=1 to 300 ms at C=8. How much of it is queueing and how much prefill "
        "cannot be told without the server's log or counters."
    )


def test_of_a_sweep_it_gives_the_terms_of_the_fit_that_stands() -> None:
    bent = analysed(memory_round({"a": swept(0.01, 1e-4, 2e-8)}))
    straight = analysed(memory_round({"a": swept(0.01, 1e-4, off=0.004)}))

    assert "from 16.5 ms at an input of 64 tok to 755 ms at 4,096 tok" in lead(bent)
    assert "Prefill grows by 100 µs/tok and by 20.0 ns/tok² with the square" in lead(bent)
    assert "Prefill grows with the input by 100 µs/tok, and no bend can be told" in lead(straight)


@pytest.mark.parametrize(
    ("levels", "told"),
    [
        # 10 ms + 0.1 ms × 64 = 16.4 ms and 10 ms + 0.1 ms × 4096 = 419.6 ms
        (
            swept(0.01, 1e-4),
            "Prefill grows more slowly than the input: its speed rises from 3,902 tok/s at 64 tok to 9,762",
        ),
        # 0.1 ms × 64 + 20 ns × 64² = 6.482 ms and 0.1 ms × 4096 + 20 ns × 4096² = 745.1 ms
        (
            swept(0.0, 1e-4, 2e-8),
            "Prefill grows faster than the input: its speed falls from 9,874 tok/s at 64 tok to 5,497",
        ),
        (
            swept(0.0, 1e-4),
            "The speed of prefill is 10,000 tok/s at 64 tok and 10,000 tok/s at 4,096 tok, much the same",
        ),
    ],
    ids=["slower", "faster", "alike"],
)
def test_of_three_lengths_it_gives_the_speeds_and_calls_no_growth_straight(levels: Levels, told: str) -> None:
    few = {level: levels[level] for level in ("n64", "n512", "n4096")}
    said = lead(analysed(memory_round({"a": few})))

    assert told in said
    assert "Whether prefill grows in a straight line with the input or bends cannot be told" in said


def test_cards_give_the_shares_at_the_highest_load() -> None:
    analysis = divided()
    chapter = chapter_of("ttft_verdict", analysis)
    assert chapter is not None

    (cards,) = [block for block in chapter.blocks if isinstance(block, Cards)]
    assert [text_of(card.label, analysis) for card in cards.cards] == [
        "Share of prefill",
        "Share of queueing",
        "Prefill speed of a request alone",
    ]


@pytest.mark.parametrize(
    ("queue", "prefill", "heading"),
    [
        # of 0.5 s on average
        (0.1, 0.3, "mostly prefill"),
        (0.3, 0.1, "mostly waits in a queue"),
        (0.2, 0.2, "where the time to the first token goes"),
    ],
    ids=["prefill", "queue", "neither"],
)
def test_the_heading_names_what_takes_more_than_half(queue: float, prefill: float, heading: str) -> None:
    analysis = analysed(of_levels({"c4": by_log(queue, prefill)}))
    chapter = chapter_of("ttft_verdict", analysis)
    assert chapter is not None

    assert heading in text_of(chapter.heading, analysis)


def test_without_a_ttft_there_is_nothing_to_say() -> None:
    assert lead(nothing()) == ""
