from __future__ import annotations

from generator.blocks import Paragraph, Table
from generator.kinds import Chapter
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import chapter_of


def chapter(name: str) -> Chapter:
    told = chapter_of("data", ANALYSES[name]())
    assert told is not None
    return told


def table(name: str) -> Table:
    (found,) = [block for block in chapter(name).blocks if isinstance(block, Table)]
    return found


def test_every_level_of_every_series_has_a_row() -> None:
    assert len(table("round-2").rows) == 2 * 7
    assert len(table("three series").rows) == 3 * 4
    assert table("no levels").rows == ()


def test_columns_that_are_known_nowhere_are_left_out() -> None:
    assert [heading.label.text.en for heading in table("nothing recorded").headings] == ["series", "concurrency"]


def test_every_row_has_a_cell_under_each_heading() -> None:
    for name in ("round-1", "round-2", "one series"):
        assert {len(row.cells) for row in table(name).rows} == {len(table(name).headings)}


def test_spoilt_rows_say_why_and_a_note_says_what_that_means() -> None:
    assert [row.spoilt is not None for row in table("round-2").rows] == [False] * 12 + [True, False]
    assert isinstance(chapter("round-2").blocks[0], Paragraph)


def test_without_spoilt_rows_there_is_no_such_note() -> None:
    assert all(row.spoilt is None for row in table("round-1").rows)
    assert chapter("round-1").blocks == (table("round-1"),)
