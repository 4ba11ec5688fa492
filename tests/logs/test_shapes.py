from __future__ import annotations

import re

import pytest

from generator.logs import shapes
from generator.logs.shapes import ALIKE, Shapes, first_words, shapes_of, sought
from generator.runs.log_events import EventKind


@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        (rb"prompt eval time = +(\d+)", b"prompt eval time "),
        (rb"prompt eval time +(\d+)", b"prompt eval time"),
        (rb"ab?c", b"a"),
        (rb"took (?:one|two)", b"took "),
        (rb"took [|] one", b"took "),
        (rb"\[20", b"["),
        (rb"# \w+ blocks", b"# "),
        (rb"\d+ engines", b""),
    ],
)
def test_a_pattern_is_found_by_its_first_words(pattern: bytes, words: bytes) -> None:
    assert first_words(re.compile(pattern)) == words


def test_alternatives_have_to_stand_in_brackets() -> None:
    with pytest.raises(ValueError, match="alternatives without brackets"):
        first_words(re.compile(rb"took one|took two"))


def test_lines_that_differ_in_digits_have_one_shape() -> None:
    known = Shapes([EventKind("took", re.compile(rb"took (?P<n>\d+)"))])

    numbers = [known[line.translate(ALIKE)] for line in (b"took 12", b"took 99", b"took 7", b"gave 12")]

    assert numbers == [1, 1, 2, 0]
    assert not any(one.careful for found in known.found for one in found)


@pytest.mark.parametrize(
    "pattern", [rb"took (?P<n>\d+), child = 0", rb"took (?P<n>\d+)(?!, child = 1)", rb"took [0-4]"]
)
def test_a_pattern_that_tells_digits_apart_looks_at_each_line(pattern: bytes) -> None:
    known = Shapes([EventKind("took", re.compile(pattern))])
    (one,) = known.found[known[b"took 0, child = 0"]]

    assert one.careful


def test_shapes_are_forgotten_where_they_become_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(shapes, "MOST", 2)
    known = Shapes([EventKind("took", re.compile(rb"took"))])
    for shape in (b"took a", b"took b", b"took c"):
        assert known[shape]

    known.forget()

    assert (len(known), len(known.found)) == (0, 1)
    assert known[b"took c"] == 1


@pytest.mark.parametrize(
    ("pattern", "digits"),
    [(rb"took (?P<n1>\d{1,3}) \S{2} tokens", 1), (rb"took (?:V0 )?\d+", 10), (rb"took [1-9]\d", 10)],
    ids=["any digits", "one in particular", "a class"],
)
def test_one_digit_stands_for_all_where_a_pattern_asks_for_none(pattern: bytes, digits: int) -> None:
    assert len(sought(EventKind("took", re.compile(pattern))).variants) == digits


def test_a_shape_is_examined_once_for_all_logs() -> None:
    kinds = (EventKind("took", re.compile(rb"took (?P<n>\d+)")),)
    number = shapes_of(kinds)[b"took 00"]

    assert dict(shapes_of(kinds)) == {b"took 00": number}
    assert not shapes_of((EventKind("gave", re.compile(rb"gave")),))
