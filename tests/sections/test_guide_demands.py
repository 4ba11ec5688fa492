from __future__ import annotations

from generator.told.blocks import Table
from tests.support.choices import levels, two
from tests.support.example_rounds import published
from tests.support.telling import analysed, chapter_of, said, text_of


def test_what_is_stated_is_told_of_each_demand() -> None:
    analysis = analysed(published("round-2"))
    text = text_of(chapter_of("guide_demands", analysis), analysis)

    for stated in ("Q4_K_M", "7 levels", "TTFT p99 and ITL p99 at every level", "not declared"):
        assert stated in text


def test_the_checks_that_bound_conclusions_are_listed() -> None:
    analysis = analysed(published("round-2"))
    chapter = chapter_of("guide_demands", analysis)

    assert chapter is not None
    [table] = (block for block in chapter.blocks if isinstance(block, Table))
    assert [analysis.titles["same_precision"].en in text_of(row, analysis) for row in table.rows].count(True) == 1


def test_a_round_that_meets_them_has_no_caution() -> None:
    at = levels(output_throughput=[100], ttft_p99=[0.1])
    text = said(chapter_of("guide_demands", analysed(two(at, at))), two(at, at))

    assert "does not state" not in text
    assert "“qualitative only” shows direction and order of magnitude alone" in text
    assert "warmed up" in text
    assert "TTFT p99 at every level" in text
