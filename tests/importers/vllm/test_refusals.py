"""What is no result: one line that says what is missing, and what the file looks like."""

from __future__ import annotations

import json
import math
import os
import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from generator.errors import InputError
from generator.importers.vllm import vllm
from generator.store.unpacking import PIECE
from tests.importers.vllm.results import TOTALS, detailed, read_text, totals, without
from tests.importers.vllm.test_table import TABLE
from tests.support.mutated import survives

BOTH = "`duration` and `completed` are missing"


def refusal(folder: Path, text: str | bytes, name: str = "x.json") -> InputError:
    with pytest.raises(InputError) as caught:
        read_text(folder, text, name)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 700
    return caught.value


@pytest.mark.parametrize(
    ("value", "look"),
    [
        ({"gpus": {"0": {}}, "sample_count": 42}, "it looks like GPU statistics"),
        ([{"power_draw_w": 1.0}], "it looks like GPU samples"),
        ([{"status": 200, "latency_ms": 5.0}], "it looks like a list of requests that another client sent"),
        ({'vllm:num_requests_running{model="m"}': 1.0}, "it looks like the metrics of a server"),
        ({"aborted_at_rps": 0.2, "steps": [{"completed": 100}]},
         "it looks like the summary of a sweep of rates, of which each step has a result of its own"),
        ({"model": "m", "server_config": {}}, "it looks like a description of a server, without a measurement"),
        ({"avg_latency": 1.0, "latencies": []},
         "it looks like a result of `vllm bench latency`, which drives no server"),
        ({"elapsed_time": 1.0, "tokens_per_second": 1.0},
         "it looks like a result of `vllm bench throughput`, which drives no server"),
        ([{"build_commit": "x", "avg_ts": 1.0}], "it looks like a result of llama-bench"),
        ({"benchmarks": []}, "it looks like a result of GuideLLM or llama-benchy"),
        ({}, "it is an empty object"),
        ({"a": 1, "b": [], "c": {}, "d": 1, "e": 2}, "it has 'a', 'd', 'e', 'b' and more"),
    ],
)  # fmt: skip
def test_json_of_another_kind_is_told_what_it_is(tmp_path: Path, value: object, look: str) -> None:
    error = refusal(tmp_path, json.dumps(value))
    assert error.problem == f"holds no result of `vllm bench serve`: {BOTH}; {look}"
    assert error.place == "object 1"


@pytest.mark.parametrize(
    ("text", "look"),
    [
        ("# HELP vllm:x y\n# TYPE vllm:x gauge\nvllm:x 1\n", "it looks like the metrics page of a server"),
        ("(APIServer pid=1) INFO 08-18 started\n", "it looks like the log of a server"),
        ("elapsed_s,power_w,temp_c\n10,15.3,62\n", "it looks like GPU samples as CSV"),
        ("a,b,c\n1,2,3\n", "it looks like a table of comma-separated values"),
        ("Namespace(bench_type='serve')\n 50%|\n", "it looks like a log of the client that ends before its table"),
        ("[2026-03-01 10:15:00] hello\n", "it is neither JSON nor has a printed table"),
        (b"\x00\x01\x02", "it is neither text nor JSON"),
    ],
)
def test_text_of_another_kind_is_told_what_it_is(tmp_path: Path, text: str | bytes, look: str) -> None:
    assert refusal(tmp_path, text).problem == f"holds no result of `vllm bench serve`: {look}"


def test_a_result_that_lacks_one_thing_is_told_which(tmp_path: Path) -> None:
    assert "`completed` is missing" in refusal(tmp_path, json.dumps(totals(completed="all"))).problem
    speeds = [name for name in TOTALS if name.endswith("throughput")]
    assert "`request_throughput` is missing" in refusal(tmp_path, json.dumps(without(TOTALS, *speeds))).problem


def test_one_stranger_among_results_is_named_by_its_place(tmp_path: Path) -> None:
    assert refusal(tmp_path, json.dumps([TOTALS, {"gpus": {}}, TOTALS])).place == "object 2"


def test_sglang_s_results_share_names_and_are_refused(tmp_path: Path) -> None:
    error = refusal(tmp_path, json.dumps(totals(mean_e2e_latency_ms=1.0, request_rate=float("inf"))))
    assert "it is a result of SGLang's bench_serving" in error.problem


@pytest.mark.parametrize("text", ["", " \n "])
def test_an_empty_file_is_called_empty(tmp_path: Path, text: str) -> None:
    assert refusal(tmp_path, text).problem == "is empty"


def test_a_packed_file_that_does_not_unpack_is_called_damaged(tmp_path: Path) -> None:
    error = refusal(tmp_path, b"\x1f\x8b\x08rest")
    assert error.problem == "is packed, and cannot be unpacked: it is damaged, cut off or encrypted"


def test_a_list_without_a_result_holds_none(tmp_path: Path) -> None:
    assert refusal(tmp_path, "[]").problem == "holds no result of `vllm bench serve`: no run in it came to an end"


def test_a_bare_value_after_a_result_is_named(tmp_path: Path) -> None:
    error = refusal(tmp_path, json.dumps(TOTALS) + "\n7")
    assert (error.place, error.problem) == (
        "after object 1",
        "holds a bare number where a result, which is an object, should be",
    )


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.999])
def test_a_file_that_was_cut_off_is_said_to_be(tmp_path: Path, share: float) -> None:
    whole = json.dumps(detailed(generated_texts=["x" * PIECE] * 4))
    kept = whole[: int(len(whole) * share)]
    assert refusal(tmp_path, kept).problem == f"ends after {len(kept)} bytes in the middle of a JSON value"


def test_of_appended_results_a_cut_one_refuses_the_file(tmp_path: Path) -> None:
    assert "in the middle of a JSON value" in refusal(tmp_path, json.dumps(TOTALS) + '\n{"date": "2026').problem


def test_broken_json_is_shown_the_place(tmp_path: Path) -> None:
    error = refusal(tmp_path, '{\n "a": 1,\n "b" ]}')
    assert (error.place, error.problem) == (
        "line 3, byte 17",  # {⏎ are bytes 1–2, the second line 3–11, and ␣"b"␣ 12–16
        "is not JSON: object key and value must be separated by a colon (':')",
    )


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"request_rate": "fast"}, "`request_rate` is 'fast', neither a number above 0 nor inf"),
        ({"request_rate": -1}, "`request_rate` is '-1', neither a number above 0 nor inf"),
        ({"request_rate": True}, "`request_rate` is 'True', neither a number above 0 nor inf"),
        ({"max_concurrency": 0}, "`max_concurrency` is '0', neither a number above 0 nor inf"),
        ({"duration": -2.0}, "`duration` is '-2.0', where a number from 0 to 1e+18 should be"),
        ({"completed": 1.5}, "`completed` is '1.5', where a whole number should be"),
        ({"num_prompts": 4.5}, "`num_prompts` is '4.5', where a whole number should be"),
        ({"mean_ttft_ms": 1e300}, "`mean_ttft_ms` is '1e+300', where a number from 0 to 1e+18 should be"),
    ],
)
def test_numbers_that_cannot_be_are_named(tmp_path: Path, changed: dict[str, Any], words: str) -> None:
    error = refusal(tmp_path, json.dumps(totals(**changed)))
    assert (error.place, error.problem) == ("object 1", words)


def test_no_depth_and_no_crowd_brings_it_down(tmp_path: Path) -> None:
    deep = json.dumps(totals(x=0)).replace('"x": 0', f'"x": {"[" * 200_000}{"]" * 200_000}')
    assert len(read_text(tmp_path, deep)) == 1
    crowd = json.dumps({f"k{n}": n for n in range(20_000)})
    assert "more than 10000 entries" in refusal(tmp_path, crowd).problem


ODD = st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=9)
VALUES = st.recursive(ODD, lambda inner: st.lists(inner, max_size=5) | st.dictionaries(st.text(max_size=9), inner))


@settings(max_examples=200, deadline=None)
@given(name=st.sampled_from([*detailed(), "metrics", "command", "ok", "run_number"]), value=VALUES)
def test_whatever_an_entry_holds_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, name: str, value: object
) -> None:
    read_or_refused(tmp_path_factory, json.dumps(detailed(**{name: value})).encode())


@settings(max_examples=200, deadline=None)
@given(at=st.integers(0, 1200), flipped=st.integers(0, 255), table=st.booleans())
def test_a_damaged_byte_anywhere_is_read_or_refused(
    tmp_path_factory: pytest.TempPathFactory, at: int, flipped: int, *, table: bool
) -> None:
    data = bytearray(TABLE.encode() if table else json.dumps(detailed()).encode())
    data[at % len(data)] = flipped
    read_or_refused(tmp_path_factory, bytes(data))


def read_or_refused(folders: pytest.TempPathFactory, data: bytes) -> None:
    """Import: anything but runs or the one line fails the test."""
    with suppress(InputError):
        runs = read_text(folders.mktemp("odd"), data)
        assert all(math.isfinite(number.value) for run in runs for number in run.reported)


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name, words in (("pipe", "is not a file"), ("", "is not a file"), ("none", "No such file")):
        with pytest.raises(InputError, match=words):
            vllm.read(tmp_path / name, lambda _: None)


def test_a_line_of_blanks_is_read_in_time_that_grows_with_its_length(tmp_path: Path) -> None:
    # Milliseconds; with the square of the length it would be some seconds for each of the lines.
    first, rest = TABLE.split("\n", 1)
    begun = time.process_time()
    read_text(tmp_path, f"{'=' * 60_000}x\n{first}\nA{' ' * 60_000}: b c\n{rest}")
    assert time.process_time() - begun < 2


def test_names_without_end_are_no_entries(tmp_path: Path) -> None:
    [run] = read_text(tmp_path, json.dumps(totals(**{"a-" * 20_000: 1, "b" * 201: [1], "c" * 201: ["text"]})))
    assert run.struck_out == (f"{('a-' * 30)}…", f"{'c' * 60}…")
    assert max(map(len, run.summary)) < 201


def test_a_crowd_of_entries_inside_is_refused_too(tmp_path: Path) -> None:
    crowd = {"concurrency": 1, "metrics": {f"k{n}": n for n in range(20_000)}}
    assert "more than 10000 entries" in refusal(tmp_path, json.dumps(crowd)).problem


def test_control_characters_of_a_file_are_not_repeated(tmp_path: Path) -> None:
    error = refusal(tmp_path, json.dumps({"\x1b[31mred\u2028" + "k" * 500: 1}))
    assert "\x1b" not in str(error)
    assert "\u2028" not in str(error)


@pytest.mark.fuzz
def test_damaged_results_end_in_runs_or_in_one_line(tmp_path: Path) -> None:
    appended = f"{json.dumps(totals())}\n{json.dumps(detailed())}\n"
    assert survives(vllm, json.dumps(detailed()).encode(), tmp_path, "result.json", part=2) > 20
    assert survives(vllm, appended.encode(), tmp_path, "results.json", part=2) > 20
