from __future__ import annotations

from generator.told.blocks import Table
from generator.told.sentence import LevelName, say
from tests.support.choices import levels, two
from tests.support.example_rounds import one_series, published, three_series
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, chapter_of, said, text_of


def test_each_span_of_a_lead_has_a_row() -> None:
    analysis = analysed(two(levels(output_throughput=[100, 200, 400]), levels(output_throughput=[150, 202, 350])))
    chapter = chapter_of("guide_verdict", analysis)

    assert chapter is not None
    [table] = (block for block in chapter.blocks if isinstance(block, Table))
    assert len(table.rows) == 2
    # At C=2 the two are 1 % apart.
    assert [part for part in table.rows[0].cells if isinstance(part, LevelName)] == [
        LevelName("other", "c1"), LevelName("other", "c2"), LevelName("other", "c1"),
    ]  # fmt: skip
    assert "C=2" in text_of(say_cells(table), analysis)


def say_cells(table: Table) -> tuple[object, ...]:
    """Return the cells of the first row as sentences, so that lists of names are told."""
    return tuple(say(zh="{x}", en="{x}", x=cell) for cell in table.rows[0].cells)


def test_one_series_is_not_ranked() -> None:
    text = said(chapter_of("guide_verdict", analysed(one_series())), one_series())

    assert "ranks nothing" in text
    assert "delivers most at" in text


def test_series_without_a_baseline_are_not_compared() -> None:
    round_ = memory_round({"a": levels(output_throughput=[100]), "b": levels(output_throughput=[200])})
    text = said(chapter_of("guide_verdict", analysed(round_)), round_)

    assert "names no baseline" in text
    assert "delivers more" not in text


def test_each_series_is_held_against_the_baseline() -> None:
    analysis = analysed(three_series())
    chapter = chapter_of("guide_verdict", analysis)

    assert chapter is not None
    assert [block.key for block in chapter.blocks if isinstance(block, Table)] == [
        "guide-leads-early",
        "guide-leads-late",
    ]


def test_two_without_a_common_level_have_no_leader() -> None:
    round_ = two(levels(output_throughput=[100]), levels(4, output_throughput=[200]))

    assert "share no usable level" in said(chapter_of("guide_verdict", analysed(round_)), round_)


def test_starts_that_are_known_are_not_missed() -> None:
    at = levels(output_throughput=[100])
    starts = {name: {"cold_start_t1": 1.0, "cold_start_t2": 0.5} for name in ("base", "other")}
    round_ = two(at, at, starts)

    assert "no verdict on starting up" not in said(chapter_of("guide_verdict", analysed(round_)), round_)
    assert "no verdict on starting up" in said(chapter_of("guide_verdict", analysed(two(at, at))), two(at, at))


def test_every_quantity_whose_lead_changes_is_named_and_no_level_left_out_is_led() -> None:
    round_ = published("round-2")
    text = said(chapter_of("guide_verdict", analysed(round_)), round_)

    assert (
        "the lead changes in output throughput (at C ≈ 8.3), ITL p50 (at C ≈ 12.2) and E2EL p50 (at C ≈ 13.8):" in text
    )
    # C=32 failed a check: from C=16 to C=64 no neighbouring levels have one leader.
    assert "From C=1 to C=4 llama.cpp Q4_K_M leads in output throughput at every level" in text
    assert "From C=16" not in text
    assert "Between C=16 and C=64 these data do not settle who leads; measure before choosing." in text


def test_a_lead_that_checks_leave_open_is_told_as_open() -> None:
    # Of the requests at C=1, C=2 and C=4 there are too few for a p99.
    round_ = published("round-2")
    text = said(chapter_of("guide_verdict", analysed(round_)), round_)

    assert "Who has the shorter TTFT p99 up to C=4 is open (llama.cpp Q4_K_M is ahead, 1.12× at C=1), vLLM" in text
    assert "到 C=4 为止，谁的 TTFT p99 更短未定（数值上 llama.cpp Q4_K_M 占先，在 C=1 是 1.12×）" in text
