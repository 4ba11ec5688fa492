from __future__ import annotations

from generator.model import Round
from generator.told.blocks import Table
from tests.sections.test_distributions import cells
from tests.support.started_rounds import TOLD, Start, started_in_every_way, started_round
from tests.support.telling import analysed, chapter_of


def table(round_: Round) -> list[list[str]]:
    chapter = chapter_of("cold_start_log", analysed(round_))
    assert chapter is not None
    (found,) = (block for block in chapter.blocks if isinstance(block, Table))
    return cells(found, round_)


def test_stages_of_the_log_stand_beside_what_we_saw() -> None:
    # Spawned at 100 s by the clock: the first stage begins at 100.25, ready at 101.75; we saw it at 102.
    assert table(started_round((Start(log=TOLD),))) == [
        ["process and modules", "0.250"],
        ["engine and fit to memory", "0.500"],
        ["loading weights", "0.750"],
        ["sum of the stages in the log", "1.50"],
        ["ready, as observed", "2.00"],
        ["not explained by the log", "0.500"],
        ["ready, by the log", "1.75"],
        ["observed − log", "0.250"],
    ]


def test_only_series_with_a_log_have_a_column() -> None:
    assert {len(row) for row in table(started_in_every_way())} == {2}


def test_without_a_log_there_is_no_chapter() -> None:
    assert chapter_of("cold_start_log", analysed(started_round((Start(),)))) is None
