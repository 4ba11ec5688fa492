from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.errors import InputError
from generator.store.table import BLANKS, Row, read_table

KNOWN = {"a", "b", "c"}


def test_rows_know_their_line_and_leave_out_empty_cells() -> None:
    assert read_table("a,b\n1,\n,2\n", "t.csv", KNOWN) == [Row(2, {"a": "1"}), Row(3, {"b": "2"})]


def test_a_row_over_two_lines_is_named_after_its_first() -> None:
    assert read_table('a,b\n"1\n1",2\n3,4\n', "t.csv", KNOWN) == [
        Row(2, {"a": "1\n1", "b": "2"}),
        Row(4, {"a": "3", "b": "4"}),
    ]


def test_the_last_line_needs_no_line_break() -> None:
    assert read_table("a\n1", "t.csv", KNOWN) == [Row(2, {"a": "1"})]


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a,d\n1,2\n", "t.csv, line 1, column 2: there is no column 'd'; known here: a, b, c"),
        ("a,\n1,2\n", "t.csv, line 1, column 2: there is no column ''; known here: a, b, c"),
        ("\na;b\n1;2\n", "t.csv, line 2: the header is one cell; separate the columns by commas"),
        ("a,b\n1\n", "t.csv, line 2: the row ends after 1 of 2 cells; complete the row"),
        ("a,b\n1,2\n1,2,3\n", "t.csv, line 3: 3 cells under a header of 2; write numbers without thousands"),
        ('a\n"1"2\n', "t.csv, line 2: not CSV: ',' expected after '\"'; correct the quotes of this row"),
    ],
)
def test_a_crooked_table_is_refused(text: str, line: str) -> None:
    with pytest.raises(InputError) as refused:
        read_table(text, "t.csv", KNOWN)
    assert str(refused.value).startswith(line)


cells = st.text(st.characters(codec="utf-8", exclude_characters="\0"), min_size=1, max_size=8).filter(
    lambda text: text.strip(BLANKS)
)


@given(st.lists(st.tuples(cells, cells), min_size=1, max_size=5))
def test_what_a_spreadsheet_writes_is_read_back(rows: list[tuple[str, str]]) -> None:
    text = io.StringIO(newline="")
    csv.writer(text).writerows([("a", "b"), *rows])
    read = [(row.cells["a"], row.cells["b"]) for row in read_table(text.getvalue(), "t.csv", KNOWN)]
    assert read == [(a.strip(BLANKS), b.strip(BLANKS)) for a, b in rows]
