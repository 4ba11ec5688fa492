from __future__ import annotations

from generator.deciding.rules import RULES
from generator.told.blocks import Subheading, Table
from generator.told.sentence import SeriesName, say
from tests.support.choices import levels, two
from tests.support.example_rounds import one_series, published
from tests.support.telling import analysed, chapter_of, said, text_of


def test_every_scenario_has_a_row() -> None:
    chapter = chapter_of("guide_matrix", analysed(published("round-2")))

    assert chapter is not None
    scenarios, thumbs = (block for block in chapter.blocks if isinstance(block, Table))
    assert len(scenarios.rows) == len(RULES)
    preferred = [row.cells[2] for row in scenarios.rows]
    assert preferred.count(SeriesName("llamacpp-q4_k_m")) == 3
    assert preferred.count(SeriesName("vllm-bf16")) == 2
    assert len(thumbs.rows) == 6


def test_engines_without_rules_of_thumb_have_none() -> None:
    at = levels(output_throughput=[100])
    chapter = chapter_of("guide_matrix", analysed(two(at, at)))

    assert chapter is not None
    assert not any(isinstance(block, Subheading) for block in chapter.blocks)


def test_one_series_has_nothing_to_choose_between() -> None:
    assert chapter_of("guide_matrix", analysed(one_series())) is None


def test_what_was_not_measured_is_said() -> None:
    round_ = two(levels(output_throughput=[100]), levels(output_throughput=[200]))
    text = said(chapter_of("guide_matrix", analysed(round_)), round_)

    assert "No usable level with 32 or more in flight is common to all." in text
    assert "What lies beyond is extrapolation." in text


def test_a_load_that_no_scenario_asks_for_is_said_with_who_leads_there() -> None:
    round_ = published("round-2")
    text = said(chapter_of("guide_matrix", analysed(round_)), round_)

    assert "No scenario covers 9 to 31 in flight. At C=16, " in text
    assert "For a load that was not measured, look at the nearest levels on both sides" in text


def test_a_gap_without_a_level_names_the_nearest() -> None:
    round_ = two(levels(4, output_throughput=[1, 2]), levels(4, output_throughput=[2, 4]))  # C=4 and C=8
    text = said(chapter_of("guide_matrix", analysed(round_)), round_)

    assert "No usable level there is common to all; the nearest: C=8." in text


def test_what_was_not_measured_has_no_certainty() -> None:
    # Two of the scenarios go by a start, and none was recorded.
    analysis = analysed(published("round-2"))
    chapter = chapter_of("guide_matrix", analysis)

    assert chapter is not None
    [table] = (block for block in chapter.blocks if isinstance(block, Table) and block.key == "guide-scenarios")
    told = [
        [text_of(say(zh="{x}", en="{x}", x=cell), analysis) for cell in (row.cells[2], row.cells[4])]
        for row in table.rows
    ]
    assert [sure for preferred, sure in told if preferred == "not measured"] == ["—", "—"]


def test_a_preference_that_cannot_be_known_is_unknown_in_the_guide() -> None:
    # At C=32 llama.cpp failed 8 of 320 requests, and nobody wrote down how many of vLLM's failed.
    analysis = analysed(published("round-1"))
    chapter = chapter_of("guide_matrix", analysis)

    assert chapter is not None
    [table] = (block for block in chapter.blocks if isinstance(block, Table) and block.key == "guide-scenarios")
    row = next(row for row, rule in zip(table.rows, RULES, strict=True) if rule.key == "api_high")
    told = [text_of(say(zh="{x}", en="{x}", x=cell), analysis) for cell in row.cells[2:]]
    assert told[0] == "unknown"
    assert told[1].startswith("Whether vLLM BF16 keeps this at C=32 is unknown:")
    assert told[2] == "open"
