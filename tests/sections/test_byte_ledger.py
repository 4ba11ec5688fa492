from __future__ import annotations

import pytest

from generator.report_kinds import Chapter
from generator.told.blocks import Ledger, Paragraph
from tests.support.model_rounds import models_of_several_kinds
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import analysed, chapter_of, text_of


def chapter(name: str) -> Chapter:
    told = chapter_of("byte_ledger", ANALYSES[name]())
    assert told is not None
    return told


def callout(name: str) -> str:
    analysis = ANALYSES[name]()
    (told,) = [block for block in chapter(name).blocks if isinstance(block, Paragraph) and block.kind == "callout"]
    return text_of(told, analysis)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("round-2", "Byte ledger: 3.20× predicted with weights counted alike, 2.71× measured"),
        ("three series", "Byte ledger: what a step must read"),
        ("one series", "Byte ledger: what a step must read"),
    ],
)
def test_heading_quotes_the_speed_of_one_pair(name: str, expected: str) -> None:
    assert text_of(chapter(name).heading, ANALYSES[name]()) == expected


def test_sums_have_a_rule_above_them() -> None:
    (ledger,) = [block for block in chapter("round-2").blocks if isinstance(block, Ledger)]

    assert [len(group.lines) for group in ledger.groups] == [
        6,
        6,
        5,
    ]  # 2.99 and 3.20 predicted, 2.71 measured: 90.6 and 84.7 %
    sums = [line.quantity.address.metric for group in ledger.groups for line in group.lines if line.is_sum]
    assert sums == ["bytes_per_step", "bytes_per_step", "predicted_speedup_attained"]


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("round-2", "attains 90.6% of the prediction, which means that it stays further from"),  # 2.71 ÷ 2.99
        # b reads 8.063 GB where a reads 4.063 GB, in 12.5 ms where a takes 10 ms: 0.80 ÷ 0.504 = 158.8 %
        ("compared trails throughout", "attains 158.8% of the prediction, which means that it stays no further from"),
    ],
)
def test_share_attained_is_read_the_right_way(name: str, words: str) -> None:
    assert words in callout(name)
    assert "says nothing about causes" in callout(name)


def test_what_holds_for_all_pairs_is_said_once() -> None:
    assert callout("three series").count("of the prediction") == 2
    assert callout("three series").count("by construction") == 1


def test_weights_counted_alike_have_a_prediction_of_their_own() -> None:
    # Without the input embedding on either side: 14.207 GB ÷ 4.440 GB = 3.20. One pair has it in its heading.
    assert "3.20×" in text_of(chapter("round-2").heading, ANALYSES["round-2"]())
    assert "3.20×" not in callout("round-2")


def test_a_step_follows_its_bytes_only_under_a_bandwidth() -> None:
    intro = chapter("round-2").blocks[1]

    assert "Where decoding one stream is bound by memory bandwidth, a step" in text_of(intro, ANALYSES["round-2"]())


def test_the_answer_stands_first_and_holds_no_more_than_is_known() -> None:
    # 14.207 GB ÷ 4.746 GB = 2.99; 15.83 ms ÷ 5.84 ms = 2.71. b and a are of no precision, so nothing is mixed up.
    def lead(name: str) -> str:
        first = chapter(name).blocks[0]
        assert isinstance(first, Paragraph)
        assert first.kind == "lead"
        return text_of(first, ANALYSES[name]())

    assert lead("round-2") == (
        "At C=1 llama.cpp Q4_K_M reads 4.75 GB in a step and vLLM BF16 14.21 GB: that predicts llama.cpp Q4_K_M to be "
        "2.99× as fast (3.20× with weights counted alike); 2.71× was measured. As the load grows, the cost of each "
        "further request counts for more: 0.468 ms/slot on llama.cpp Q4_K_M, 0.106 ms/slot on vLLM BF16. Engine and "
        "precision differ together, so the gap cannot be put down to either alone."
    )
    assert "Engine and precision" not in lead("compared trails throughout")


def test_without_levels_there_is_nothing_to_tell() -> None:
    assert chapter_of("byte_ledger", ANALYSES["no levels"]()) is None


@pytest.mark.parametrize(
    ("name", "reason"),
    [
        ("nothing recorded", "The byte ledger of a cannot be computed: there is no record of weight parameters for a"),
        ("arrival rates", "The byte ledger of a cannot be computed: requests arrive at a rate, and how many were"),
        ("all of both series spoilt", "The byte ledger of vLLM BF16 cannot be computed: there is no usable level."),
    ],
)
def test_without_bytes_each_series_says_why(name: str, reason: str) -> None:
    first, second = chapter(name).blocks

    assert isinstance(first, Paragraph)
    assert isinstance(second, Paragraph)
    assert text_of(first, ANALYSES[name]()).startswith(reason)


def test_a_series_without_bytes_is_told_below_those_that_have_them() -> None:
    ledger, reason = chapter("all of the compared series spoilt").blocks[1:]

    assert isinstance(ledger, Ledger)
    assert [len(group.lines) for group in ledger.groups] == [6]
    assert text_of(reason, ANALYSES["all of the compared series spoilt"]()) == (
        "The byte ledger of llama.cpp Q4_K_M cannot be computed: there is no usable level."
    )


def test_of_a_mixture_the_weights_are_those_of_the_level() -> None:
    told = chapter_of("byte_ledger", analysed(models_of_several_kinds()))
    assert told is not None
    (ledger,) = (block for block in told.blocks if isinstance(block, Ledger))
    first = {group.lines[0].quantity.address.series: group.lines[0].quantity.address.metric for group in ledger.groups}
    assert first == {
        "mixture": "weight_bytes_read", "windows": "weight_bytes_per_step", "states": "weight_bytes_per_step",
        "wide": "weight_bytes_per_step",
    }  # fmt: skip


def test_sides_that_count_their_weights_otherwise_are_said_to() -> None:
    told = [text_of(one, ANALYSES["round-2"]()) for one in chapter("round-2").blocks if isinstance(one, Paragraph)]
    (unlike,) = [one for one in told if "alike (" in one]

    assert "(vLLM BF16: parameters in matrix products only; llama.cpp Q4_K_M: file size, an upper bound)" in unlike
    # 14.207 GB ÷ (4.746 − 0.307) GB
    assert unlike.endswith("With the input embedding left out on both sides, 3.20× is predicted.")


def test_sides_that_declare_no_count_are_not_said_to_differ() -> None:
    name = "compared trails throughout"
    told = [text_of(one, ANALYSES[name]()) for one in chapter(name).blocks if isinstance(one, Paragraph)]

    assert not any("alike (" in one for one in told)
