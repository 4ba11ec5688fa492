from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.store.looks import LOOKS, known_look, look_of, no_result, refuse_without, unknown_format


def problem(folder: Path, text: str | bytes) -> str:
    path = folder / "x"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    error = unknown_format(path, {"toy": 1, "other": 2})
    assert "\n" not in str(error)
    return error.problem


@pytest.mark.parametrize(
    ("text", "look"),
    [
        (json.dumps([{"build_commit": "x", "avg_ts": 1.0}]), "it looks like a result of llama-bench"),
        (json.dumps({"a": {"gpus": 1}}), "it has 'a'"),
        (json.dumps({"traceEvents": [{"name": "x"}]}), "it looks like a trace of a profiler"),
        ('{"hw": "x", "tput_per_gpu": 1, "broken": ', "it looks like a result of InferenceX"),
        ("[[]]", "it is JSON without entries"),
        ("{}", "it is JSON without entries"),
        ("# HELP vllm:x y\n", "it looks like the metrics page of a server"),
        ("TIMESTAMP,ContextTokens,GeneratedTokens\n", "it looks like a trace of requests to be replayed, not a result"),
        ("| NVIDIA-SMI 580.1  Driver |\n", "it looks like what nvidia-smi prints"),
        ("hello\n| a | b |\n| --- | --: |\n", "it looks like a table in Markdown"),
        ("hello\n", "it is text without a table that is known"),
        (b"\x00\x01", "it is neither text nor JSON"),
    ],
)
def test_a_file_of_no_known_format_is_told_what_it_looks_like(tmp_path: Path, text: str | bytes, look: str) -> None:
    assert problem(tmp_path, text) == f"is of no known format; {look}"


def test_an_empty_file_is_called_empty(tmp_path: Path) -> None:
    assert problem(tmp_path, " \n") == "is empty"


def test_the_formats_that_there_are_are_named(tmp_path: Path) -> None:
    (tmp_path / "x").write_text("hello", encoding="utf-8")
    remedy = unknown_format(tmp_path / "x", {"toy": 1, "other": 2}).remedy
    assert remedy == "name a result file, or its format with --format (toy, other)"
    assert "(docs/importers.md lists them)" in unknown_format(tmp_path / "x", dict.fromkeys("abcde")).remedy


def test_the_look_with_more_entries_comes_before_the_one_that_it_holds() -> None:
    for nth, (names, look) in enumerate(LOOKS):
        hidden = [later for more, later in LOOKS[nth + 1 :] if names < more]
        assert hidden == [], f"put {hidden} before {look!r}: it would never be said"
        assert known_look(names) in (look, "GPU samples", "the metrics of a server")


def test_what_is_missing_is_said_before_what_it_looks_like() -> None:
    error = no_result("x.json", "object 1", "Toybench", {"gpus": 1}, ["a", "b"], "import another")
    assert error.problem == "holds no result of Toybench: `a` and `b` are missing; it looks like GPU statistics"
    assert no_result("x.json", "", "Toybench", 7, ["a"], "x").problem == (
        "holds no result of Toybench: `a` is missing; it is an empty object"
    )


def test_many_names_are_cut_off() -> None:
    assert look_of(list("abcdef")) == "it has 'a', 'b', 'c', 'd' and more"


def test_a_number_that_every_result_has_must_be_there_and_be_one() -> None:
    refuse_without({"a": {"n": 0}, "b": "2"}, ["a.n", "b"], file="x.json", tool="Toy", remedy="y")

    with pytest.raises(InputError, match=r"x\.json.*row 2.*no result of Toy: `b` and `c` are missing; it has 'a', 'b'"):
        refuse_without({"a": 1, "b": "n/a"}, ["a", "b", "c"], file="x.json", place="row 2", tool="Toy", remedy="y")
