from __future__ import annotations

import csv
from io import StringIO

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.store import csv_rows
from generator.store.csv_rows import BadRow, CsvRows, cells_of

CELLS = st.text(st.sampled_from('ab",\n; '), max_size=8)


def rows(text: str, delimiter: str = ",") -> list[tuple[int, list[str] | BadRow]]:
    """Return the rows of a text, each with the line that it begins in."""
    found = CsvRows(StringIO(text, newline=""), delimiter)
    return [(found.line, row) for row in found]


def test_rows_know_the_line_they_begin_in() -> None:
    assert rows('a;b\n"1\n2";3\n\n4;"5"', ";") == [(1, ["a", "b"]), (2, ["1\n2", "3"]), (4, []), (5, ["4", "5"])]


@pytest.mark.parametrize(
    "behind", ["3,4\n5,6\n", '"3","4"\n5,6\n', '3,"4"\n"5",6\n', '3,""\n5,"6"\n'], ids=["bare", "all", "some", "empty"]
)
def test_a_quote_that_is_not_closed_costs_its_own_line(behind: str) -> None:
    found = rows(f'a,b\n1,"2\n{behind}')

    assert found[:2] == [(1, ["a", "b"]), (2, BadRow(2, is_open=True))]
    assert found[2:] == [(line + 2, row) for line, row in rows(behind)]


def test_each_such_line_is_told() -> None:
    assert [row for _, row in rows('"a\nb\n"c\nd\n"e')] == [
        BadRow(1, is_open=True), ["b"], BadRow(3, is_open=True), ["d"], BadRow(5, is_open=True),
    ]  # fmt: skip


def test_quotes_within_a_line_are_read_as_they_are_meant() -> None:
    assert rows('"a" b,"c"d\n5,6\n') == [(1, ["a b", "cd"]), (2, ["5", "6"])]


def test_a_line_that_is_no_csv_is_told() -> None:
    assert list(CsvRows(["a\rb", "5,6"])) == [BadRow(1, is_open=False), ["5", "6"]]
    assert cells_of("a\rb") == []


def test_no_row_takes_more_than_can_be_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_rows, "LONGEST", 20)
    assert rows('"a\n' + "12345678\n" * 2 + '"\n')[0] == (1, ["a\n12345678\n12345678\n"])
    assert rows('"a\n' + "12345678\n" * 3 + '"\n')[0] == (1, BadRow(1, is_open=True))


def test_after_many_such_quotes_none_goes_on_behind_its_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(csv_rows, "MOST_OPEN", 2)
    whole = '"x\ny"\n'

    assert [row for _, row in rows(f'{whole}"a\nb\n"c\nd\n{whole}')] == [
        ["x\ny"], BadRow(3, is_open=True), ["b"], BadRow(5, is_open=True), ["d"], BadRow(7, is_open=True), ['y"'],
    ]  # fmt: skip


def test_looking_for_ends_that_are_not_there_is_bounded() -> None:
    # Each line opens a quote that each other one would leave open, too.
    found = list(CsvRows(['a",""",'] * 20_000))
    assert len(found) == 20_000


@given(st.lists(st.lists(CELLS, min_size=1, max_size=4), max_size=6))
def test_what_was_written_as_csv_is_read_as_it_was(table: list[list[str]]) -> None:
    file = StringIO(newline="")
    csv.writer(file, lineterminator="\n").writerows(table)

    assert [row for _, row in rows(file.getvalue())] == table


@given(st.text(st.sampled_from('ab",\n'), max_size=60))
def test_every_line_is_part_of_one_row(text: str) -> None:
    lines = len(StringIO(text, newline="").readlines())
    begins = [line for line, _ in rows(text)]

    assert begins == sorted(set(begins))
    assert all(1 <= line <= lines for line in begins)
