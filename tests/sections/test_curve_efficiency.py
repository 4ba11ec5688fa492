from __future__ import annotations

from generator.model import Round
from generator.told.blocks import FigureBlock, Table
from tests.support.example_rounds import published
from tests.support.ladder_rounds import ladder_and_sweep, ladder_levels, of_ladder
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, chapter_of, text_of


def told(round_: Round) -> str:
    analysis = analysed(round_)
    return text_of(chapter_of("curve_efficiency", analysis), analysis)


def test_half_of_it_is_kept_up_to_a_level() -> None:
    # 640 ÷ (16 × 60) = 66.7 %; 660 ÷ (32 × 60) = 34.4 %; 665 ÷ (64 × 60) = 17.3 %
    text = told(ladder_and_sweep())

    assert "each still gets at least half of that up to C=16 (66.7%), and 17.3% at C=64" in text
    assert "At C=32 and C=64 some requests of a wait and are not decoded with the others" in text
    assert "the floor counts those that are, 16 at C=64" in text


def test_a_ladder_that_keeps_more_than_half_and_one_that_never_does() -> None:
    assert "still keeps 91.7% of that for each at C=4" in told(of_ladder(ladder_levels({1: 60.0, 2: 116.0, 4: 220.0})))
    assert "at every higher level each gets less than half of that (25.4% at C=4)" in told(
        of_ladder(ladder_levels({1: 60.0, 2: 59.0, 4: 61.0}))
    )


def test_excluded_levels_stand_in_the_table_and_those_of_a_sweep_do_not() -> None:
    analysis = analysed(published("round-2"))
    chapter = chapter_of("curve_efficiency", analysis)
    assert chapter is not None
    (table,) = (block for block in chapter.blocks if isinstance(block, Table))
    assert len(table.rows) == 14
    assert sum(row.spoilt is not None for row in table.rows) == 1

    swept = chapter_of("curve_efficiency", analysed(ladder_and_sweep()))
    assert swept is not None
    (table,) = (block for block in swept.blocks if isinstance(block, Table))
    assert len(table.rows) == 7


def test_without_a_floor_there_is_no_figure_of_it_and_without_throughput_no_chapter() -> None:
    no_floor = chapter_of("curve_efficiency", analysed(memory_round({"a": ladder_levels()})))
    assert no_floor is not None
    assert not [block for block in no_floor.blocks if isinstance(block, FigureBlock)]
    assert chapter_of("curve_efficiency", analysed(memory_round({"a": {"c1": {"concurrency": 1.0}}}))) is None
