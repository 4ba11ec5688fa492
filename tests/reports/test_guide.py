"""The selection guide: what it says of a published round, from that round's own data."""

from __future__ import annotations

from functools import cache

import pytest

from generator.frame import Analysis
from generator.text import LANGS, Lang
from tests.support.choices import levels
from tests.support.example_rounds import one_series, published
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, catalogue, chapter_of, text_of


@cache
def round_2() -> Analysis:
    return analysed(published("round-2"))


def told(section: str, lang: Lang = "en") -> str:
    return text_of(chapter_of(section, round_2()), round_2(), lang)


def test_it_is_made_of_any_usable_level() -> None:
    report = catalogue().report("guide")

    assert report.page == "guide.html"
    assert report.lacks(analysed(memory_round({"s": levels(output_throughput=[100])}))) is None
    assert report.lacks(analysed(one_series())) is None


def test_a_round_without_says_what_it_needs() -> None:
    why = catalogue().report("guide").lacks(analysed(memory_round({"s": {}})))

    assert why is not None
    assert "published.csv" in why.en
    assert "published.csv" in why.zh


def test_it_begins_with_the_verdict_and_ends_with_the_terms() -> None:
    sections = catalogue().report("guide").sections

    assert sections[0] == "guide_verdict"
    assert sections[-1] == "guide_terms"


def test_llama_cpp_is_ahead_below_the_crossover_and_vllm_above() -> None:
    text = told("guide_verdict")

    assert "llama.cpp Q4_K_M delivers more up to C=4 (2.61× at C=1; too close to choose at C=8)" in text
    assert "vLLM BF16 at the usable levels from C=16 on (1.30× at C=64)" in text
    assert "the curves meet at C ≈ 8.3" in text


def test_the_median_of_the_first_token_and_its_tail_have_different_leaders() -> None:
    text = told("guide_verdict")

    assert "llama.cpp Q4_K_M has the shorter TTFT p50 at each usable level from C=1 to C=64" in text
    assert "Who has the shorter TTFT p99 up to C=4 is open (llama.cpp Q4_K_M is ahead, 1.12× at C=1)," in text
    assert "vLLM BF16 has the shorter TTFT p99 at the usable levels from C=16 on (1.14× at C=16; too close" in text


def test_no_verdict_on_starts_is_given_without_a_cold_start() -> None:
    assert "There is no verdict on starting up" in told("guide_verdict")
    assert "没有测量" in told("guide_verdict", "zh")


def test_the_precision_is_not_the_same_and_the_page_says_so() -> None:
    assert "Q4_K_M against BF16" in told("guide_demands")
    assert "Qualitative only" in told("guide_verdict")


@pytest.mark.parametrize("lang", LANGS)
def test_rules_of_thumb_are_contradicted_with_numbers(lang: Lang) -> None:
    text = told("guide_matrix", lang)

    assert "2.61×" in text
    assert "1.14×" in text
    assert "35.0%" in text
