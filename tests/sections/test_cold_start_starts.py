from __future__ import annotations

from generator.model import Round
from generator.told.blocks import Table
from tests.sections.test_distributions import cells
from tests.support.started_rounds import Start, started_in_every_way, started_round
from tests.support.telling import analysed, chapter_of


def rows(round_: Round) -> list[list[str]]:
    chapter = chapter_of("cold_start_starts", analysed(round_))
    assert chapter is not None
    (table,) = (block for block in chapter.blocks if isinstance(block, Table))
    return cells(table, round_)


def test_a_row_a_start_and_a_median_for_each_kind_of_several() -> None:
    found = rows(started_in_every_way())

    # start 2: port after 2 s, ready after 4, first token after 7, completion after 9
    assert found[1] == ["s", "2", "cold", "0", "2.00", "4.00", "5.00", "7.00", "7.00"]
    assert [row[:4] for row in found[4:6]] == [["s", "5", "unknown", "—"], ["s", "6", "unknown", "50.0"]]
    # cold: ports after 1 and 2 s, first tokens after 5 and 7
    assert found[6] == ["s", "median of 2", "cold", "—", "1.50", "3.50", "4.50", "6.00", "6.00"]
    assert [row[1:3] for row in found[7:9]] == [["median of 2", "warm"], ["median of 2", "unknown"]]


def test_what_was_only_declared_is_said_to_be() -> None:
    assert rows(started_in_every_way())[-1] == [
        "declared",
        "declared",
        "unknown",
        "—",
        "20.0",
        "—",
        "1.50",
        "2.00",
        "21.5",
    ]


def test_a_single_start_of_a_kind_has_no_median() -> None:
    assert [row[1] for row in rows(started_round((Start(), Start(resident=0.0))))] == ["1", "2"]


def test_without_a_start_there_is_no_table() -> None:
    assert chapter_of("cold_start_starts", analysed(started_round(()))) is None
