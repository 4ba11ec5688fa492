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


def test_a_load_between_two_levels_has_its_answer() -> None:
    # At C=1 and C=2 the other is ahead by half, at C=4 and C=8 by less than nothing: the lead changes between 2 and 4.
    round_ = two(levels(output_throughput=[100, 200, 400, 800]), levels(output_throughput=[150, 300, 300, 500]))
    text = said(chapter_of("guide_verdict", analysed(round_)), round_)

    assert "Loads between two levels were not measured. From C=1 to C=2" in text
    assert "at every level, and likely at the loads between them too. From C=4 to C=8" in text
    # Straight on log-log axes: the ratio is 1.5 at C=2 and half of that at twice the load: 3 ÷ C, which is 1 at C=3.
    assert (
        "Between C=2 and C=4 the lead changes in output throughput (at C ≈ 3): nothing is concluded there, measure"
        in text
    )
    assert "C=2 与 C=4 之间，领先者会变的有：输出吞吐（约在 C ≈ 3）；那里不下结论，先测。" in text


def test_nothing_is_likely_between_levels_that_are_too_close() -> None:
    # One per cent apart everywhere: nobody leads by enough.
    round_ = two(levels(output_throughput=[100, 200]), levels(output_throughput=[101, 202]))

    assert "Loads between two levels" not in said(chapter_of("guide_verdict", analysed(round_)), round_)


def test_every_quantity_whose_lead_changes_is_named_and_no_level_left_out_is_led() -> None:
    round_ = published("round-2")
    text = said(chapter_of("guide_verdict", analysed(round_)), round_)

    assert (
        "the lead changes in output throughput (at C ≈ 8.25), ITL p50 (at C ≈ 12.2) and E2EL p50 (at C ≈ 13.8)" in text
    )
    # C=32 failed a check: from C=16 to C=64 no neighbouring levels have one leader.
    assert "From C=1 to C=4 llama.cpp Q4_K_M leads in output throughput at every level" in text
    assert "From C=16" not in text


def test_a_lead_that_checks_leave_open_is_told_as_open() -> None:
    # Of the requests at C=1, C=2 and C=4 there are too few for a p99.
    round_ = published("round-2")
    text = said(chapter_of("guide_verdict", analysed(round_)), round_)

    assert "has the shorter TTFT p99 up to C=4 (1.12× at C=1; too close to choose at C=4; who leads is open)" in text
    assert "（C=1 处 1.12×；C=4 处差距太小；谁领先未定）" in text
