from __future__ import annotations

from generator.frame import Analysis
from generator.report_kinds import Chapter
from generator.told.blocks import Paragraph, Table
from tests.support.odd_rounds import ANALYSES, pair, series
from tests.support.telling import analysed, chapter_of


def chapter(name: str) -> Chapter:
    return told_of(ANALYSES[name]())


def told_of(analysis: Analysis) -> Chapter:
    told = chapter_of("data", analysis)
    assert told is not None
    return told


def table(name: str) -> Table:
    return table_of(ANALYSES[name]())


def table_of(analysis: Analysis) -> Table:
    (found,) = [block for block in told_of(analysis).blocks if isinstance(block, Table)]
    return found


def headings(analysis: Analysis) -> list[str]:
    return [heading.label.text.en for heading in table_of(analysis).headings]


def test_every_level_of_every_series_has_a_row() -> None:
    assert len(table("round-2").rows) == 2 * 7
    assert len(table("three series").rows) == 3 * 4
    assert table("no levels").rows == ()


def test_columns_that_are_known_nowhere_are_left_out() -> None:
    assert headings(ANALYSES["nothing recorded"]()) == ["series", "concurrency"]


def test_cache_hits_stand_where_they_were_counted() -> None:
    assert {"cache hits", "hit ratio"} <= set(headings(ANALYSES["round-1"]()))
    assert not {"cache hits", "hit ratio"} & set(headings(ANALYSES["round-2"]()))


def test_output_of_a_request_stands_where_it_can_be_counted() -> None:
    assert "output per request" in headings(ANALYSES["round-2"]())
    assert "output per request" not in headings(
        ANALYSES["round-1"]()
    )  # no level has throughput, duration and completed requests


def test_failures_have_a_column_where_there_are_any() -> None:
    # Round 2: 1 of 320 at C=32, and none elsewhere. The invented series sends 60 requests at each level.
    none_failed = analysed(pair({}, series((100, 200), (0.01, 0.01), completed=60)))

    assert "failed" in headings(ANALYSES["round-2"]())
    assert "completed" in headings(none_failed)
    assert "failed" not in headings(none_failed)
    assert "failed" not in headings(ANALYSES["nothing recorded"]())


def test_every_row_has_a_cell_under_each_heading() -> None:
    for name in ("round-1", "round-2", "one series"):
        assert {len(row.cells) for row in table(name).rows} == {len(table(name).headings)}


def test_spoilt_rows_say_why_and_a_note_says_what_that_means() -> None:
    assert [row.spoilt is not None for row in table("round-2").rows] == [False] * 12 + [True, False]
    assert isinstance(chapter("round-2").blocks[0], Paragraph)


def test_without_spoilt_rows_there_is_no_such_note() -> None:
    assert all(row.spoilt is None for row in table("round-1").rows)
    assert chapter("round-1").blocks == (table("round-1"),)
