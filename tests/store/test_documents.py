from __future__ import annotations

import gzip
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from generator.errors import InputError
from generator.store import documents
from generator.store.documents import (
    DEEPEST,
    LONGEST_LINE,
    blocks_of,
    drop,
    is_rule,
    joined_header,
    markdown_cells,
    read_beside,
    read_document,
    read_documents,
    read_lines,
    read_rows,
    read_yaml,
    sibling,
)


def quiet(_: int) -> None:
    """Tell nobody."""


def file(folder: Path, text: str | bytes) -> Path:
    path = folder / "x"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    return path


def refusal(read: Callable[..., Any], path: Path, **more: Any) -> InputError:
    with pytest.raises(InputError) as caught:
        list(read(path, quiet, **more))
    assert "\n" not in str(caught.value)
    return caught.value


# JSON


def test_what_python_writes_and_json_does_not_know_is_missing(tmp_path: Path) -> None:
    path = file(tmp_path, '\ufeff{"a": NaN, "b": [-Infinity, 1, 2.5], "c": {"d": null, "e": "NaN", "f": true}}')
    assert read_document(path, quiet) == {
        "a": None, "b": [None, 1, 2.5], "c": {"d": None, "e": "NaN", "f": True},
    }  # fmt: skip


@pytest.mark.parametrize("between", ["", "\n", "\r\n\r\n", " "])
def test_values_are_read_however_they_are_put_together(tmp_path: Path, between: str) -> None:
    path = file(tmp_path, between.join(['{"n": 1}', '{"n": 2}', '[{"n": 3}, {"n": 4}]']))
    assert [one["n"] for one in read_documents(path, quiet)] == [1, 2, 3, 4]


def test_one_value_is_asked_for_and_several_are_refused(tmp_path: Path) -> None:
    assert refusal(read_document, file(tmp_path, "{}{}")).problem == "holds 2 JSON values, where one should be"
    assert read_document(file(tmp_path, "[1, 2]"), quiet) == [1, 2]


def test_an_entry_that_is_there_twice_is_refused_and_not_chosen_from(tmp_path: Path) -> None:
    error = refusal(read_documents, file(tmp_path, '{"a": 1} {"a": 1, "b": 2, "a": 3}'))
    assert (error.place, error.problem) == ("object 2", "has the entry 'a' twice")


def test_a_broken_file_is_shown_the_place(tmp_path: Path) -> None:
    error = refusal(read_document, file(tmp_path, '{\n"a": 1,\n"b" ]}'))
    # {⏎ are bytes 1–2, the second line 3–10, and "b"␣ 11–14
    assert (error.place, error.problem.partition(":")[0]) == ("line 3, byte 15", "is not JSON")


def test_a_file_that_was_cut_off_is_said_to_be(tmp_path: Path) -> None:
    assert refusal(read_document, file(tmp_path, '{"a": [1, ')).problem == (
        "ends after 10 bytes in the middle of a JSON value"
    )


def test_brackets_without_end_are_refused(tmp_path: Path) -> None:
    deep = f"{'[' * DEEPEST}1{']' * DEEPEST}"
    assert read_document(file(tmp_path, deep), quiet) is not None
    error = refusal(read_document, file(tmp_path, f"[{deep}]"))
    assert error.problem == f"is nested more than {DEEPEST} deep"
    assert refusal(read_document, file(tmp_path, "[" * 500_000)).problem == error.problem


def test_entries_of_a_sink_pass_one_by_one_and_are_not_kept(tmp_path: Path) -> None:
    taken: list[Any] = []
    document = {"benchmarks": [{"requests": {"ok": [{"n": 1}, {"n": 2}]}, "texts": ["x"]}], "ok": [3]}
    found = read_document(
        file(tmp_path, json.dumps(document)),
        quiet,
        {"benchmarks.requests.ok": taken.append, "benchmarks.texts": drop},
    )
    assert taken == [{"n": 1}, {"n": 2}]
    assert found == {"benchmarks": [{"requests": {"ok": []}, "texts": []}], "ok": [3]}


def test_what_is_kept_of_a_document_is_bounded(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_VALUES", 1000)
    path = file(tmp_path, json.dumps({"rows": list(range(1000)), "last": 1}))
    assert refusal(read_document, path).problem == "holds more than can be kept of one document"
    assert read_document(path, quiet, {"rows": drop})["last"] == 1
    long = file(tmp_path, json.dumps({"text": "x" * 64_001}))  # 64 001 ÷ 64 > 1000
    assert refusal(read_document, long).problem == "holds more than can be kept of one document"


def test_each_value_of_many_has_the_room_to_itself(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_VALUES", 1000)
    lines = "".join(json.dumps({"n": list(range(400))}) for _ in range(10))
    assert len(list(read_documents(file(tmp_path, lines), quiet))) == 10
    nested = file(tmp_path, json.dumps({"rows": [{"n": list(range(400))} for _ in range(10)]}))
    taken: list[Any] = []
    read_document(nested, quiet, {"rows": taken.append})
    assert len(taken) == 10


def test_packed_json_is_json(tmp_path: Path) -> None:
    assert read_document(file(tmp_path, gzip.compress(b'{"a": 1}')), quiet) == {"a": 1}


# YAML


def test_yaml_is_read_as_json_is(tmp_path: Path) -> None:
    text = "a: 1.5\nb: [x, 2]\nc: {d: null, e: true}\nwhen: 2026-03-01 10:15:00\nday: 2026-03-01\n7: seven\n"
    assert read_yaml(file(tmp_path, text), quiet) == {
        "a": 1.5, "b": ["x", 2], "c": {"d": None, "e": True},
        "when": "2026-03-01T10:15:00", "day": "2026-03-01", "7": "seven",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("a: !!python/object/apply:os.system ['true']\n", "is not YAML: could not determine a constructor"),
        ("a: &x [*x]\n", "is nested more than 64 deep"),
        ("a: [1\nb: 2\n", "is not YAML: "),
        ("a: " + "[" * 5000, "is n"),
    ],
    ids=["an object", "a ring", "an open bracket", "depth"],
)
def test_yaml_that_is_no_plain_data_is_refused(tmp_path: Path, text: str, words: str) -> None:
    assert refusal(read_yaml, file(tmp_path, text)).problem.startswith(words)


def test_few_bytes_of_yaml_do_not_become_many_values(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_VALUES", 1000)
    laughs = "".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 10)}]\n" for n in range(1, 5))  # 10 to the power of 4
    error = refusal(read_yaml, file(tmp_path, "l0: &l0 ha\n" + laughs))
    assert error.problem == "holds more than can be kept of one document"


@pytest.mark.parametrize(
    "scalar",
    ["1" + "0" * 5000, "1" + ":59" * 2000, "1" + ":59" * 2000 + ".5", "2026-13-45", "!!int ''", "!!bool perhaps"],
    ids=["digits", "sixtieths", "sixtieths of a float", "a day that is none", "no digit", "no word for it"],
)
def test_what_looks_like_a_number_or_a_time_and_cannot_be_one_is_text(tmp_path: Path, scalar: str) -> None:
    found = read_yaml(file(tmp_path, f"a: {scalar}\nb: 90:30\n"), quiet)
    # 90 × 60 + 30, as YAML 1.1 counts
    assert found == {"a": scalar.partition(" ")[2].strip("'") if scalar.startswith("!!") else scalar, "b": 5430}


def test_a_number_may_be_a_name_however_long(tmp_path: Path) -> None:
    assert read_yaml(file(tmp_path, f"? {'9' * 5000}\n: 1\n"), quiet) == {"9" * 5000: 1}


def test_names_take_room_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_VALUES", 10)
    # Two names of 640 characters count as 10 values each.
    text = f'{{"{"a" * 640}": 1, "{"b" * 640}": 1}}'
    assert refusal(read_document, file(tmp_path, text)).problem == "holds more than can be kept of one document"


def test_a_fault_of_yaml_is_shown_its_line(tmp_path: Path) -> None:
    assert refusal(read_yaml, file(tmp_path, "a: 1\nb: c: d\n")).place == "line 2"


# Tables and lines


@pytest.mark.parametrize("mark", [",", ";", "\t", "|"])
def test_cells_are_told_apart_by_what_there_is_most_of(tmp_path: Path, mark: str) -> None:
    rows = read_rows(file(tmp_path, f"a{mark} b {mark}c\n1{mark}2.5{mark}\n"), quiet)
    assert rows == [["a", "b", "c"], ["1", "2.5", ""]]


def test_tables_below_each_other_are_told_apart_by_empty_rows(tmp_path: Path) -> None:
    rows = read_rows(file(tmp_path, "Metric,avg\nTTFT,1\n\n,\nMetric,Value\nRequests,5\n"), quiet)
    assert blocks_of(rows) == [[["Metric", "avg"], ["TTFT", "1"]], [["Metric", "Value"], ["Requests", "5"]]]


def test_a_header_of_several_rows_becomes_one() -> None:
    rows = [["Run", "TTFT", "", "ITL"], ["", "ok", "failed", "ok"], ["id", "mean", "mean", "mean"]]
    assert joined_header(rows) == ["Run.id", "TTFT.ok.mean", "TTFT.failed.mean", "ITL.ok.mean"]


def test_a_table_too_large_to_be_one_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(documents, "MOST_ROWS", 2)
    error = refusal(read_rows, file(tmp_path, "a,b\n1,2\n3,4\n"))
    assert (error.place, error.problem) == ("line 3", "more than 2 rows")
    monkeypatch.setattr(documents, "LARGEST_SLOW", 4)
    assert refusal(read_rows, tmp_path / "x").problem == "is larger than 0 MiB"


def test_a_quote_that_is_not_closed_swallows_no_row(tmp_path: Path) -> None:
    error = refusal(read_rows, file(tmp_path, 'a,b\n1,"x\n3,4\n'))
    assert (error.place, error.problem) == ("line 2", "opens a quote that is not closed")


def test_lines_end_at_carriage_returns_too(tmp_path: Path) -> None:
    assert list(read_lines(file(tmp_path, "\ufeffa\r\nb\rc\n\nd"), quiet)) == ["a", "b", "c", "", "d"]


@pytest.mark.parametrize("length", [LONGEST_LINE, 3 * LONGEST_LINE])
def test_of_a_long_line_the_first_words_are_read_and_the_next_line_keeps_its_number(
    tmp_path: Path, length: int
) -> None:
    # "first words " is 12 characters: the word behind it begins before the bound, and ends behind it.
    path = file(tmp_path, f"a\nfirst words {'x' * length} more\nb\n{'y' * LONGEST_LINE}\nlast {'z' * length}")
    assert list(read_lines(path, quiet)) == ["a", "first words …", "b", "y" * LONGEST_LINE, "last …"]


def test_a_sibling_lies_in_the_same_folder(tmp_path: Path) -> None:
    (tmp_path / "in").mkdir()
    (tmp_path / "in" / "args.json").write_text("{}", encoding="utf-8")
    (tmp_path / "secret").write_text("x", encoding="utf-8")
    (tmp_path / "in" / "link").symlink_to(tmp_path / "secret")
    main = tmp_path / "in" / "main.json"
    assert sibling(main, "args.json") == tmp_path / "in" / "args.json"
    assert [sibling(main, name) for name in ("none", "link", "../secret", "")] == [None] * 4


def test_what_lies_beside_a_file_is_read_and_the_file_stands_without_it(tmp_path: Path) -> None:
    result = file(tmp_path, "{}")
    (tmp_path / "args.json").write_text('{"model": "toy"}')
    (tmp_path / "config.yaml").write_text("model: toy")
    (tmp_path / "broken.json").write_text("{")

    assert read_beside(result, "args.json") == {"model": "toy"}
    assert read_beside(result, "config.yaml", read_yaml) == {"model": "toy"}
    assert read_beside(result, "broken.json") is None
    assert read_beside(result, "none.json") is None


def test_a_row_in_markdown_is_its_cells_and_the_rule_is_told_from_the_others() -> None:
    assert markdown_cells(" | pp512 |  7.5 ± 0.1 | ") == ["pp512", "7.5 ± 0.1"]
    assert markdown_cells("build: 1a2b3c (4)") == []
    assert is_rule(markdown_cells("| :--- | ---: |"))
    assert not is_rule(["pp512", "-"])
