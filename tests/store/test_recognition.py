from __future__ import annotations

import gzip
from dataclasses import replace
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.store.recognition import (
    Recogniser,
    best_of,
    csv_header,
    is_json,
    json_entries,
    recognise,
    text_marks,
    yaml_entries,
)
from tests.support.toy_runs import TOY


@pytest.mark.parametrize(
    ("recogniser", "head", "marks"),
    [
        (json_entries("a", "b"), b'{"a": 1, "c": {"b" : 2}}', 2),
        (json_entries("a", "b"), b'[{"b": 1}, {"a": 2}]', 2),
        (json_entries("a", "b"), b'{"a": 1}', 0),
        (json_entries("a", "b"), b'{"a": "b"}', 0),
        (json_entries("a"), b'a line of a log with "a": 1', 0),
        (json_entries("a.b"), b'{"axb": 1}', 0),
        (json_entries("a", without=["z"]), b'{"a": 1, "z": 2}', 0),
        (yaml_entries("a", "b"), b"a: 1\nc:\n  - b: 2\n", 2),
        (yaml_entries("a"), b'{"x": "\na: 1"}', 0),
        (yaml_entries("a"), b"aa: 1\n", 0),
        (text_marks(rb"^Result is", rb"QPS"), b"x\nResult is : VALID\nQPS: 1", 2),
        (text_marks(rb"^Result is"), b"no Result is here", 0),
        (csv_header("Metric", "avg"), b'note\n"Metric", avg ,p99\n', 2),
        (csv_header("Metric", "avg"), b"Metric;p99\navg;1\n", 0),
        (best_of(json_entries("a"), json_entries("a", "b")), b'{"a": 1, "b": 2}', 2),
        (best_of(json_entries("a"), json_entries("b")), b'{"c": 1}', 0),
    ],
)
def test_as_many_marks_as_are_found(recogniser: Recogniser, head: bytes, marks: int) -> None:
    assert recogniser(head) == marks


@pytest.mark.parametrize("head", [b"", b"\xff\xfe\x00", b"{" * 9000, b'{"a', b"\x00" * 99])
def test_odd_bytes_are_no_file_of_any_kind(head: bytes) -> None:
    kinds = (json_entries("a"), yaml_entries("a"), text_marks(rb"a"), csv_header("a"))
    assert [one(head) for one in kinds if one is not kinds[2] or b"a" not in head] == [0] * (3 if b"a" in head else 4)


def file(folder: Path, data: bytes) -> Path:
    path = folder / "x"
    path.write_bytes(data)
    return path


def test_whoever_finds_most_takes_the_file(tmp_path: Path) -> None:
    few = replace(TOY, key="few", recognises=json_entries("a"))
    more = replace(TOY, key="more", recognises=json_entries("a", "b"))
    importers = {"few": few, "more": more}
    assert recognise(file(tmp_path, b'{"a": 1, "b": 2}'), importers) is more
    assert recognise(file(tmp_path, b'{"a": 1}'), importers) is few
    assert recognise(file(tmp_path, b'{"c": 1}'), importers) is None
    assert recognise(file(tmp_path, b'{"c": 1}'), {}) is None


def test_a_file_as_much_of_one_kind_as_of_another_is_not_guessed_at(tmp_path: Path) -> None:
    one, other = (replace(TOY, key=key, recognises=json_entries("a")) for key in ("one", "other"))
    with pytest.raises(InputError) as caught:
        recognise(file(tmp_path, b'{"a": 1}'), {"one": one, "other": other})
    assert caught.value.problem == "may be of one or of other: it has as many marks of each"
    assert caught.value.remedy == "say which with --format"


def test_packed_files_are_told_by_what_is_in_them(tmp_path: Path) -> None:
    assert recognise(file(tmp_path, gzip.compress(b'[{"toy": 1}]')), {"toy": TOY}) is TOY


def test_a_file_is_json_by_how_it_begins(tmp_path: Path) -> None:
    assert is_json(file(tmp_path, b'[{"a": 1}]'))
    assert is_json(file(tmp_path, gzip.compress(b"{}")))
    assert not is_json(file(tmp_path, b"[INFO] ready"))
