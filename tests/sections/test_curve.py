from __future__ import annotations

from dataclasses import replace

import pytest

from generator.model import Round
from generator.render.wording.numbers import Printer
from generator.told.blocks import Card, Cards
from generator.told.findings import Finding
from generator.told.sentence import say
from generator.values import Address
from tests.support.cliff_rounds import POOL, cliff_round, climbing, preempting
from tests.support.example_rounds import published
from tests.support.ladder_rounds import by_rates, ladder_and_sweep, ladder_levels, of_ladder, walled
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, catalogue, chapter_of, said, text_of


def told(round_: Round) -> str:
    analysis = analysed(round_)
    return text_of(chapter_of("curve", analysis), analysis)


def cards_of(round_: Round) -> list[tuple[str, str]]:
    analysis = analysed(round_)
    chapter = chapter_of("curve", analysis)
    assert chapter is not None
    printer = Printer(analysis, catalogue().graph, "en")
    found: list[Card] = [card for block in chapter.blocks if isinstance(block, Cards) for card in block.cards]
    return [(printer.plain_sentence(card.label), printer.plain(card.number)) for card in found]


def test_the_knee_what_is_delivered_there_and_the_first_wall_are_said_first() -> None:
    text = told(ladder_and_sweep())

    assert text.startswith("Verdict: every series was measured up to its limit\n")
    assert "a is saturated from C = 16 on, at 640 tok/s" in text
    assert "The most is 665 tok/s, at C=64." in text
    assert "Its scaling efficiency at C=16 is 66.7%: throughput" in text
    # 16000 ÷ (1000 + 200) = 13.3
    assert "The lowest known bound is the memory wall (C = 13.3); the highest load, C=64, is past it" in text


def test_a_curve_that_still_grows_says_why_there_is_no_knee() -> None:
    text = told(published("round-2"))

    # Both grow by less than half of what one request at a time would bring.
    assert text.startswith("Verdict: no knee shows, but throughput grows far less than the load\n")
    assert "The knee of vLLM BF16 is not known: throughput still grows" in text
    assert "the memory wall (C = 93.8), which the highest load, C=64, does not reach" in text
    assert "the scheduler wall (C = 64); the highest load, C=64, just reaches it" in text


def grown(delivered: dict[int, float], **more: float) -> str:
    """Return what is told of a curve up to the slots that the engine has."""
    known = {"slots": float(max(delivered)), "weight_bytes_per_step": 1e9}
    return told(of_ladder(ladder_levels(delivered, **more), of_series=known))


def test_throughput_in_proportion_to_the_load_is_not_called_short() -> None:
    # 390 ÷ (4 × 100) = 97.5 %; all 4 slots are taken, so the engine is not said to be less than full
    text = grown({1: 100.0, 2: 198.0, 4: 390.0})
    assert text.startswith("Verdict: no knee shows in the loads measured\n")
    assert "falls behind the load" not in text
    # with slots for 16 it was not filled
    wide = told(of_ladder(ladder_levels({1: 100.0, 2: 198.0, 4: 390.0}), of_series={"slots": 16.0}))
    assert wide.startswith("Verdict: the loads measured did not fill the engines\n")


def test_throughput_that_hardly_rises_below_the_walls_is_said_to_be_bound_by_something_else() -> None:
    # 140 ÷ (4 × 100) = 35 %; of a step of 16.8 ms reading 1 GB at 1 TB/s takes about 1 ms
    text = grown({1: 100.0, 2: 118.0, 4: 140.0})
    assert text.startswith("Verdict: no knee shows, but throughput grows far less than the load\n")
    assert "falls behind the load is not due to the scheduler wall: no more than C = 4 requests were in flight" in text
    assert "the rest is compute or the engine's own work: memory bandwidth is not what binds first" in text
    assert "did not fill" not in text


def test_a_curve_that_falls_on_its_way_says_where() -> None:
    # 90 ÷ 100 is 10 % below, 97 ÷ 100 within 5 %; with 2 failures in 100 requests a dip does not exclude its level
    some_failed = {"failed": 2.0, "completed": 98.0}
    fell = "It does not rise throughout: from C=1 to C=2 it falls from 100 tok/s to 90.0 tok/s"
    assert fell in grown({1: 100.0, 2: 90.0, 4: 140.0}, **some_failed)
    assert "It does not rise throughout" not in grown({1: 100.0, 2: 97.0, 4: 140.0}, **some_failed)


def test_levels_of_which_every_request_failed_end_the_curve() -> None:
    # Up to C=4 throughput doubles; from C=6 on nothing is answered, and the log lacks room for KV as often.
    failing = climbing(
        output_throughput=(474.0, 933.0, 1816.0, None, None, None), completed=(48.0, 48.0, 48.0, 0.0, 0.0, 0.0),
        failed=(0.0, 0.0, 0.0, 18.0, 24.0, 36.0), log_kv_full=(5.0, 8.0, 12.0, 86.0, 90.0, 120.0),
        e2el_p50=(0.1, 0.11, 0.12, None, None, None),
    )  # fmt: skip
    text = told(cliff_round({"s": failing}, {"s": POOL}))

    assert text.startswith("Verdict: every series was measured up to its limit")
    assert "s delivers most at C=4: 1,816 tok/s. At C=6, C=8 and C=12 every request failed for want of KV" in text
    assert "still grows" not in text
    assert (
        "What bounds it is the memory wall (C = 4.50): from C=6 on the engine reports it (failed for want of KV)"
        in text
    )


def test_a_wall_that_the_engine_tells_of_bounds_it() -> None:
    text = told(preempting())
    assert (
        "What bounds it is the memory wall (C = 4.50): from C=6 on the engine reports it (preempted and waiting)"
        in text
    )


def test_a_knee_below_all_walls_is_not_blamed_on_them() -> None:
    flat = of_ladder(ladder_levels({1: 100.0, 2: 99.0, 4: 98.0}), of_series={"slots": 4.0})
    assert "The knee lies below every wall that is known: what bounds it is compute or memory bandwidth" in told(flat)


def test_a_knee_at_a_wall_of_which_the_engine_says_nothing_agrees_with_it() -> None:
    # full at C=16, above the wall of memory at 16000 ÷ 1200 = 13.3
    assert "The knee does not lie below the memory wall (C = 13.3) and agrees with it" in told(ladder_and_sweep())


def test_walls_at_one_place_are_told_together() -> None:
    assert "The lowest known bound is the memory wall and scheduler wall (C = 8), which" in told(walled())


def test_rates_are_told_as_rates() -> None:
    text = told(by_rates())

    assert "a serves up to 4.00 req/s, where it delivers 392 tok/s; above that a queue grows" in text
    assert "b is full" not in text


def test_a_series_without_a_curve_and_without_walls_says_so() -> None:
    round_ = memory_round({"a": ladder_levels({1: 60.0, 2: 118.0, 4: 230.0}), "b": ladder_levels({1: 60.0})})
    text = told(round_)

    assert "b has no two usable levels that differ in the load alone, and so no curve." in text
    assert "Where memory, bandwidth and scheduler set bounds is not known" in text


def test_a_knee_that_delivers_most_is_told_once() -> None:
    flat = of_ladder(ladder_levels({1: 100.0, 2: 99.0, 4: 98.0}))

    assert "a is saturated from C = 1 on, at 100 tok/s, its highest" in told(flat)


@pytest.mark.parametrize(
    ("round_", "cards"),
    [
        (
            ladder_and_sweep(),
            [
                ("Knee", "16"),
                ("Highest throughput", "665\u202ftok/s"),
                ("Scaling efficiency at C=16", "66.7%"),
                ("Lowest bound", "13.3"),
            ],
        ),
        (
            of_ladder({"c1": {"concurrency": 1.0}, "c2": {"concurrency": 2.0}}, of_series={"slots": 4.0}),
            [("Lowest bound", "4")],
        ),
    ],
)
def test_cards_hold_what_is_known(round_: Round, cards: list[tuple[str, str]]) -> None:
    assert cards_of(round_) == cards


def test_a_knee_on_a_doubtful_level_is_said_to_be_in_doubt() -> None:
    analysis = analysed(ladder_and_sweep())
    number = Address("output_throughput", "level", "a", "c16")
    doubted = Finding("some_check", "warn", say(zh="有疑。", en="Odd."), "a", doubts=(number,))
    told_of = replace(analysis, findings=(*analysis.findings, doubted))

    assert "It rests on numbers of C=16 that a check puts in doubt (†" in text_of(chapter_of("curve", told_of), told_of)
    assert "puts in doubt" not in text_of(chapter_of("curve", analysis), analysis)


def test_a_highest_throughput_beyond_an_excluded_level_is_said_to_be_so() -> None:
    # llama.cpp: 1,064.8 tok/s at C=64, beyond C=32, which fell below C=16.
    round_ = published("round-2")
    text = said(chapter_of("curve", analysed(round_)), round_)

    assert "It delivers most at C=64: 1,064.8 tok/s. C=64 of llama.cpp Q4_K_M lies beyond C=32, which is excl" in text
    assert text.count("at C=64, beyond the excluded C=32") == 1
    assert text.count("在 C=64，已排除的 C=32 之上") == 1
