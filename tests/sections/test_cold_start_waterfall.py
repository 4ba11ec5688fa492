from __future__ import annotations

from generator.told.blocks import FigureBlock
from tests.support.started_rounds import Start, started_round
from tests.support.telling import analysed, chapter_of


def test_it_shows_the_stages_of_a_start() -> None:
    chapter = chapter_of("cold_start_waterfall", analysed(started_round((Start(),))))

    assert chapter is not None
    assert chapter.blocks[-1] == FigureBlock("cold_start_stages")


def test_without_a_start_there_is_none() -> None:
    assert chapter_of("cold_start_waterfall", analysed(started_round(()))) is None
