from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.traffic import lines
from generator.traffic.lines import TOO_LONG, lines_of


@given(st.lists(st.binary(max_size=12)), st.integers(1, 7))
def test_lines_are_the_same_however_a_file_is_cut(parts: list[bytes], step: int) -> None:
    whole = b"x" + b"\n".join(parts)  # no mark of UTF-8 at its beginning
    cut = [whole[begin : begin + step] for begin in range(0, len(whole), step)]
    expected = whole.split(b"\n")

    assert list(lines_of(cut)) == (expected if expected[-1] else expected[:-1])


def test_a_mark_at_the_beginning_is_no_part_of_the_first_line() -> None:
    assert list(lines_of([b"\xef\xbb\xbfa\nb"])) == [b"a", b"b"]


def test_a_line_that_is_too_long_is_not_held(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lines, "LONGEST", 10)

    assert list(lines_of([b"ab\n", b"c" * 8, b"d" * 8, b"e\nf"])) == [b"ab", TOO_LONG, b"f"]
    assert list(lines_of([b"c" * 11])) == [TOO_LONG]
