from __future__ import annotations

from generator.deciding.rules import RULES
from generator.told.blocks import Subheading, Table
from generator.told.sentence import SeriesName
from tests.support.choices import levels, two
from tests.support.example_rounds import one_series, published
from tests.support.telling import analysed, chapter_of, said


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
