"""JSON as events: what Python writes that is no JSON, in whatever pieces it comes."""

from __future__ import annotations

import json
import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import InputError
from generator.store import json_stream
from generator.store.json_stream import AS_LONG, LONGEST_STRING, MOST_DIGITS, Event, Legaliser, read_events
from generator.store.unpacking import PIECE


def events(folder: Path, data: bytes) -> list[Event]:
    path = folder / "x.json"
    path.write_bytes(data)
    return list(read_events(path, lambda _: None))


def legal(pieces: list[bytes], legaliser: Legaliser | None = None) -> bytes:
    legaliser = legaliser or Legaliser()
    return b"".join([*(legaliser.feed(piece) for piece in pieces), legaliser.feed(b"", last=True)])


def cut(data: bytes, size: int) -> list[bytes]:
    return [data[start : start + size] for start in range(0, len(data), size)]


def test_values_come_one_after_another(tmp_path: Path) -> None:
    assert events(tmp_path, b'{"a":1}{"a":2.5}\n[true,null]') == [
        ("start_map", None), ("map_key", "a"), ("number", 1), ("end_map", None),
        ("start_map", None), ("map_key", "a"), ("number", 2.5), ("end_map", None),
        ("start_array", None), ("boolean", True), ("null", None), ("end_array", None),
    ]  # fmt: skip


@pytest.mark.parametrize("size", range(1, 12))
def test_nan_and_infinity_become_null_wherever_a_piece_ends(size: int) -> None:
    data = b'[NaN,-Infinity, Infinity,-1,{"NaN":"Infinity \\"NaN\\\\"},NaN]'
    assert legal(cut(data, size)) == b'[null,null, null,-1,{"NaN":"Infinity \\"NaN\\\\"},null]'


@pytest.mark.parametrize("size", range(1, 7))
def test_stand_ins_may_keep_the_length(size: int) -> None:
    data = '["é",NaN,-Infinity,"'.encode() + b'\xe4\xb8"]'
    kept = legal(cut(data, size), Legaliser(AS_LONG, keep_length=True))
    assert kept == '["é",0.0,1        ,"??"]'.encode()
    assert len(kept) == len(data)


@pytest.mark.parametrize("size", range(1, 6))
def test_bytes_that_are_no_text_become_the_mark_for_it(size: int) -> None:
    assert legal(cut(b'["\xe4\xb8","\xe4\xb8\xad"]', size)).decode() == '["\ufffd","中"]'


PLAIN = st.none() | st.booleans() | st.integers(-(10**15), 10**15) | st.floats() | st.text(max_size=20)
VALUES = st.recursive(PLAIN, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=9), inner))


@given(value=VALUES, size=st.integers(1, 40), escaped=st.booleans())
def test_whatever_python_writes_becomes_json_of_the_same_value(value: object, size: int, *, escaped: bool) -> None:
    data = json.dumps(value, ensure_ascii=escaped).encode("utf-8", "replace")
    assert json.loads(legal(cut(data, size)), parse_constant=pytest.fail) == without_nan(json.loads(data))


def without_nan(value: Any) -> Any:
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, list):
        return [without_nan(inner) for inner in value]
    if isinstance(value, dict):
        return {key: without_nan(inner) for key, inner in value.items()}
    return value


@settings(max_examples=30, deadline=None)
@given(at=st.integers(0, 2 * PIECE), word=st.sampled_from([b"NaN", b"-Infinity"]))
def test_a_break_is_placed_to_the_byte(tmp_path_factory: pytest.TempPathFactory, at: int, word: bytes) -> None:
    # Blanks and an unfitting brace: what comes before has the same length in the file as for the parser.
    before = b"[" + word + b',"\xe4\xb8",\n' + b" " * at
    with pytest.raises(InputError) as caught:
        events(tmp_path_factory.mktemp("break"), before + b"}" + b" " * 100)
    assert caught.value.place == f"line 2, byte {len(before) + 1}"


def test_progress_is_told_piece_by_piece(tmp_path: Path) -> None:
    path = tmp_path / "x.json"
    path.write_bytes(b"[" + b" " * (2 * PIECE) + b"]")
    told: list[int] = []
    list(read_events(path, told.append))
    assert told == [PIECE, PIECE, 2]


def test_a_file_that_is_not_there_is_said_to_be(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="No such file"):
        list(read_events(tmp_path / "none.json", lambda _: None))


@pytest.mark.parametrize("before", [0, PIECE - 500, 2 * PIECE - 1])
@pytest.mark.parametrize("number", ["9" * MOST_DIGITS + "9", "-0." + "0" * (3 * PIECE), "1" * (2 * PIECE) + "e5"])
def test_a_number_longer_than_any_is_refused_where_it_becomes_so(tmp_path: Path, before: int, number: str) -> None:
    begin = b"[\n" + b" " * before
    with pytest.raises(InputError) as caught:
        events(tmp_path, begin + number.encode() + b"]")
    assert caught.value.problem == "is not JSON: a number has more than 1000 digits"
    digits = len(number) - len(number.lstrip("-.").removeprefix("0."))  # what stands before the long run
    assert caught.value.place == f"line 2, byte {len(begin) + digits + MOST_DIGITS + 1}"


@pytest.mark.parametrize("size", [1, 7, 999, 10_000])
def test_digits_of_texts_and_of_several_numbers_are_not_those_of_one(size: int) -> None:
    data = b'["' + b"7" * 3000 + b'",' + b"1" * MOST_DIGITS + b"," + b"2" * MOST_DIGITS + b',"\\"' + b"3" * 3000 + b'"]'
    assert legal(cut(data, size)) == data


def test_of_a_long_text_and_of_a_long_name_the_end_is_left_out(tmp_path: Path) -> None:
    text = b"\\u4e2d" * (LONGEST_STRING // 2)  # three times as long
    found = events(tmp_path, b'{"' + text + b'": ["' + text + b'", "after"], "b": 2}')
    names = [value for event, value in found if event in ("map_key", "string", "number")]
    assert names[2:] == ["after", "b", 2]
    for kept in names[:2]:
        assert set(kept) == {"\u4e2d"}
        # A code takes six bytes in the file.
        assert LONGEST_STRING <= 6 * len(kept) <= LONGEST_STRING + 2 * PIECE


@given(size=st.integers(1, 40), text=st.text(st.sampled_from('ab"\\\u4e2d\U0001f600\n'), min_size=60, max_size=300))
def test_a_text_that_is_cut_is_still_one(size: int, text: str) -> None:
    data = json.dumps([text, "after"]).encode()
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(json_stream, "LONGEST_STRING", 30)
        kept, after = json.loads(legal(cut(data, size)))
    assert after == "after"
    # Half of a pair of codes may be left at the end.
    assert text.startswith(kept.rstrip("\ud83d"))
