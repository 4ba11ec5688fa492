from __future__ import annotations

from generator.told.blocks import Table
from tests.support.ladder_rounds import ladder_levels, of_ladder
from tests.support.telling import analysed, chapter_of, text_of


def test_goodput_peaks_below_the_highest_throughput() -> None:
    levels = {
        level: {**seen, "request_goodput": good}
        for (level, seen), good in zip(
            ladder_levels({1: 60.0, 8: 400.0, 16: 640.0}).items(), (0.3, 2.0, 1.2), strict=True
        )
    }
    analysis = analysed(of_ladder(levels))
    chapter = chapter_of("curve_goodput", analysis)
    assert chapter is not None

    assert "The goodput of a is highest at C=8: 2.00 req/s." in text_of(chapter, analysis)
    (table,) = (block for block in chapter.blocks if isinstance(block, Table))
    assert len(table.rows) == 3


def test_without_targets_there_is_nothing_to_tell() -> None:
    assert chapter_of("curve_goodput", analysed(of_ladder(ladder_levels()))) is None
