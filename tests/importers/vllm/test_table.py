"""The printed table: found in logs, one run a table."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.importers.vllm import vllm
from generator.runs.imported import Reported, Run
from tests.importers.vllm.results import read_text, reported

TABLE = """\
============ Serving Benchmark Result ============
Successful requests:                     28        \n\
Failed requests:                         2         \n\
Maximum request concurrency:             16        \n\
Request rate configured (RPS):           0.30      \n\
Benchmark duration (s):                  130.98    \n\
Total input tokens:                      97924     \n\
Total generated tokens:                  7680      \n\
Request throughput (req/s):              0.23      \n\
Output token throughput (tok/s):         58.64     \n\
Peak output token throughput (tok/s):    176.00    \n\
Peak concurrent requests:                19.00     \n\
Total token throughput (tok/s):          806.29    \n\
---------------Time to First Token----------------
Mean TTFT (ms):                          15462.13  \n\
Median TTFT (ms):                        8305.98   \n\
P99 TTFT (ms):                           43036.39  \n\
-----Time per Output Token (excl. 1st token)------
Mean TPOT (ms):                          0.00      \n\
Median TPOT (ms):                        nan       \n\
---------------Speculative Decoding---------------
Acceptance rate (%):                     77.22     \n\
Per-position acceptance (%):
  Position 0:                            84.00     \n\
==================================================
"""
NAMESPACE = (
    "Namespace(subparser='bench', bench_type='serve', num_prompts=30, model='acme/Toy-1B', request_rate=inf, "
    "max_concurrency=None, served_model_name='toy')\n"
)


CUT_OFF = "the printed table is cut off: its last line, of equals signs, is missing"


def read_log(folder: Path, text: str | bytes) -> list[Run]:
    return read_text(folder, text, "bench.log")


def refusal(folder: Path, text: str) -> str:
    with pytest.raises(InputError) as caught:
        read_log(folder, text)
    return f"{caught.value.place}: {caught.value.problem}"


def test_a_table_is_a_run(tmp_path: Path) -> None:
    [run] = read_log(tmp_path, TABLE)
    assert (run.concurrency, run.rate, run.model, run.place, run.requests) == (16.0, 0.3, None, "", None)
    # 28 answered and 2 failed are 30 attempted; 0.00 and nan are no latencies.
    assert reported(run) == {
        "requests": 30.0, "completed": 28.0, "duration": 130.98, "input_tokens_counted": 97924.0,
        "output_tokens_counted": 7680.0, "request_throughput": 0.23, "output_throughput": 58.64,
        "peak_concurrency": 19.0, "total_token_throughput": 806.29,
        "ttft_mean": 15462.13, "ttft_p50": 8305.98, "ttft_p99": 43036.39,
    }  # fmt: skip
    assert run.reported[0] == Reported("requests", "Successful requests + Failed requests", "1", 30.0)
    assert (run.summary["Acceptance rate (%)"], run.summary["Position 0"]) == (77.22, 84.0)


def test_an_older_table_writes_token_large(tmp_path: Path) -> None:
    [run] = read_log(tmp_path, TABLE.replace("Total token", "Total Token"))
    assert reported(run)["total_token_throughput"] == 806.29


def test_progress_bars_and_colours_are_in_nobody_s_way(tmp_path: Path) -> None:
    bars = "".join(f"\r{n}%|\u2588\u258f| {n}/100 [00:01<00:07,  2.64s/it]" for n in range(100))
    [run] = read_log(tmp_path, f"INFO x\n{bars}\n\x1b[35mdone\x1b[0m\n" + TABLE.replace("28  ", "\x1b[1m28\x1b[0m"))
    assert reported(run)["completed"] == 28.0


def test_windows_line_ends_and_bytes_that_are_no_text(tmp_path: Path) -> None:
    [run] = read_log(tmp_path, b"\xff\xfa log\r\n" + TABLE.replace("\n", "\r\n").encode())
    assert reported(run)["duration"] == 130.98


def test_each_table_is_a_run_and_has_the_command_before_it(tmp_path: Path) -> None:
    bare = TABLE.replace("Maximum request concurrency:             16        \n", "")
    text = NAMESPACE + bare + "vllm bench serve --model acme/Two --max-concurrency=8 --num-prompts 40\n" + bare
    first, second = read_log(tmp_path, text)
    assert (first.model, first.concurrency, first.place) == ("acme/Toy-1B", None, "table 1")
    assert (second.model, second.concurrency, second.place) == ("acme/Two", 8.0, "table 2")
    assert Reported("requests", "num_prompts", "1", 40.0) in second.reported


def test_the_table_goes_before_the_command(tmp_path: Path) -> None:
    [run] = read_log(tmp_path, NAMESPACE.replace("max_concurrency=None", "max_concurrency=99") + TABLE)
    assert (run.concurrency, run.rate) == (16.0, 0.3)


def test_a_command_that_stands_after_the_only_table_is_its_own(tmp_path: Path) -> None:
    [run] = read_log(tmp_path, TABLE + "\nvllm bench serve --model 'acme/Toy-1B' --seed it's\n")
    assert run.model == "acme/Toy-1B"


def test_a_model_s_folder_does_not_say_whose_it_is(tmp_path: Path) -> None:
    [run] = read_log(tmp_path, NAMESPACE.replace("acme/", "/home/jo/") + TABLE)
    assert run.model == "~/Toy-1B"
    assert "/jo/" not in repr(run)


def test_a_log_without_line_breaks_is_read_in_pieces(tmp_path: Path) -> None:
    [run] = read_log(tmp_path, "x" * 300_000 + "\n" + TABLE)
    assert reported(run)["completed"] == 28.0


def test_progress_of_a_log_adds_up_to_its_size(tmp_path: Path) -> None:
    path = tmp_path / "bench.log"
    path.write_bytes(("\u2588\r\n" * 9000 + TABLE).encode())
    told: list[int] = []
    vllm.read(path, told.append)
    assert sum(told) == path.stat().st_size


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (TABLE[:400], f"line 1: {CUT_OFF}"),
        ("x\n" + TABLE[:400] + TABLE, f"line 2: {CUT_OFF}"),
        (
            TABLE.replace("Benchmark duration", "Time"),
            (
                "table 1: holds no result of `vllm bench serve`: `duration` is missing; it has 'Successful requests', "
                "'Failed requests', 'Maximum request concurrency', 'Request rate configured (RPS)' and more"
            ),
        ),
        (
            TABLE.replace("Successful", "Backend:          sglang\nSuccessful"),
            (
                "line 1: holds no result of `vllm bench serve`: it is a result of SGLang's bench_serving, "
                "which means other things by some of the names"
            ),
        ),
        (
            TABLE.replace("130.98", "-1.0"),
            "table 1: `Benchmark duration (s)` is '-1.0', where a number from 0 to 1e+18 should be",
        ),
    ],
)  # fmt: skip
def test_tables_that_cannot_be_used(tmp_path: Path, text: str, words: str) -> None:
    assert refusal(tmp_path, text) == words
