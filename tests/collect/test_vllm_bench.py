from __future__ import annotations

import asyncio
import json
import os
import sys
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from generator.collect import vllm_bench
from generator.collect.round_plan import PlannedRun
from generator.collect.vllm_bench import (
    LOG,
    Benched,
    Target,
    bench,
    command_of,
    files_of,
    program_of,
    refuse_unfit,
    tokenizer_of,
)
from generator.declared.round_tables import SeriesTable
from generator.errors import InputError
from generator.store.level_file import read_level_file
from generator.store.request_columns import unpack
from generator.telemetry.page import Growth
from generator.values import Source
from tests.collect.planning import run, workload
from tests.importers.vllm.results import detailed, totals

TARGET = Target("http://127.0.0.1:8000", "toy", "/models/toy", key="sk-not-for-argv")
SERIES = SeriesTable(id="v", client="vllm-bench", endpoint="http://127.0.0.1:8000")

FAKE = """\
#!{python}
import json, os, sys, time
from pathlib import Path
options = dict(zip(sys.argv[1:], sys.argv[2:]))
folder = Path(options["--result-dir"])
told = {{"argv": sys.argv[1:], "pid": os.getpid(), "key": os.environ["OPENAI_API_KEY"]}}
Path({notes!r}).write_text(json.dumps(told))
print("Namespace(backend='openai')", flush=True)
{body}
"""
"""Stands in for the program: it keeps what it was told, and does what a test wants."""

WRITE = """\
result = json.loads({result!r})
begins = time.perf_counter()
result["start_times"] = [begins + after for after in (0.0, 0.5, 1.0, 1.25)]
(folder / options["--result-filename"]).write_text(json.dumps(result))
"""


class Fake:
    """A program named ``vllm`` on PATH."""

    def __init__(self, folder: Path, body: str) -> None:
        self._notes = folder / "notes.json"
        program = folder / "bin" / "vllm"
        program.parent.mkdir()
        program.write_text(FAKE.format(python=sys.executable, notes=str(self._notes), body=body))
        program.chmod(0o755)

    @property
    def notes(self) -> dict[str, Any]:
        found: dict[str, Any] = json.loads(self._notes.read_text())
        return found

    @property
    def has_begun(self) -> bool:
        return self._notes.exists() and bool(self._notes.read_text())


@pytest.fixture
def fake(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    monkeypatch.setenv("PATH", f"{tmp_path / 'bin'}{os.pathsep}{os.environ['PATH']}")
    monkeypatch.setattr(vllm_bench, "LOOK_S", 0.01)
    return lambda body: Fake(tmp_path, body)


def writing(result: dict[str, Any]) -> str:
    return WRITE.format(result=json.dumps(result))


def benched(**keys: Any) -> Benched:
    return asyncio.run(bench(run(), workload(**keys), TARGET, "round.toml"))


def options(asked: PlannedRun, **keys: Any) -> dict[str, str]:
    command = command_of("vllm", asked, workload(**keys), TARGET, Path("/results"))
    assert command[:3] == ["vllm", "bench", "serve"]
    words = iter(command[3:])
    found: dict[str, str] = {}
    name = ""
    for word in words:
        if word.startswith("--"):
            name, found[word] = word, ""
        else:
            found[name] = f"{found[name]} {word}".strip()
    return found


def test_the_command_asks_for_what_is_planned() -> None:
    # The client's generator takes seeds below 2³²: 2³³ + 7 becomes 7.
    assert options(run(concurrency=8, requests=80, seed=2**33 + 7)) == {
        "--backend": "openai", "--base-url": "http://127.0.0.1:8000", "--endpoint": "/v1/completions",
        "--model": "toy", "--tokenizer": "/models/toy", "--dataset-name": "random",
        "--random-input-len": "64", "--random-output-len": "32", "--random-range-ratio": "0.0",
        "--num-prompts": "80", "--max-concurrency": "8", "--seed": "7", "--temperature": "0",
        "--ready-check-timeout-sec": "0", "--percentile-metrics": "ttft,tpot,itl,e2el",
        "--metric-percentiles": "50,90,95,99", "--result-dir": "/results", "--result-filename": "vllm-bench.json",
        "--save-result": "", "--save-detailed": "", "--disable-tqdm": "", "--ignore-eos": "",
    }  # fmt: skip


def test_an_open_loop_has_a_rate_and_at_will_bursts() -> None:
    rated = run(concurrency=None, rate=2.5)
    poisson = options(rated)
    assert poisson["--request-rate"] == "2.5"
    assert not {"--max-concurrency", "--burstiness"} & poisson.keys()
    assert options(rated, arrival="gamma", burstiness=0.5)["--burstiness"] == "0.5"


def test_lengths_targets_and_the_api_are_handed_on() -> None:
    asked = options(
        run(),
        api="chat",
        lengths="uniform",
        length_spread=0.25,
        slo_ttft_ms=200.0,
        slo_e2el_ms=1500.5,
    )
    assert (asked["--backend"], asked["--endpoint"]) == ("openai-chat", "/v1/chat/completions")
    assert asked["--random-range-ratio"] == "0.25"
    assert asked["--goodput"] == "ttft:200 e2el:1500.5"


def test_what_authorises_is_no_argument(fake: Any) -> None:
    program = fake(writing(detailed()))
    benched()
    assert program.notes["key"] == "sk-not-for-argv"
    assert "sk-not-for-argv" not in " ".join(program.notes["argv"])
    assert "sk-not-for-argv" not in repr(TARGET)


def test_the_result_becomes_a_trial_of_the_tool(fake: Any, tmp_path: Path) -> None:
    fake(writing(detailed()))
    grown = {"prompt_tokens": Growth(41.0), "generation_tokens": Growth(None, "reset"), "preemptions": Growth(2.0)}
    for name, data in files_of(benched(), grown).items():
        (tmp_path / name).write_bytes(data)
    level = read_level_file(tmp_path, tmp_path)
    assert (level.tool, level.concurrency, level.rate, level.original) == ("vllm bench serve", 2.0, None, None)
    reported = {one.metric: (one.value, one.unit) for one in level.reported}
    assert reported["server_prompt_tokens"] == (41.0, "tok")
    assert "server_output_tokens" not in reported
    assert reported["request_throughput"] == (2.0, "req/s")
    assert level.summary["server_preemptions"] == 2.0
    assert (level.summary["seed"], level.summary["client_seed"]) == ("7", 7)
    assert (level.summary["input_tokens_asked"], level.summary["output_tokens_asked"]) == (64, 32)
    assert level.errors == {"ReadTimeout": 1}


def test_the_requests_are_kept_and_their_texts_are_not(fake: Any, tmp_path: Path) -> None:
    fake(writing(detailed(generated_texts=["the secret answer", "", "ok", ""])))
    files = files_of(benched(), {})
    assert files.keys() == {"level.json", "requests.parquet", "chunks.parquet"}
    assert not any(b"secret" in data for data in files.values())
    for name, data in files.items():
        (tmp_path / name).write_bytes(data)
    requests = unpack(tmp_path, Source("", ""))
    assert requests.answered.tolist() == [True, False, True, True]
    assert requests.start.tolist() == pytest.approx([0.0, 0.5, 1.0, 1.25])
    assert np.array_equal(requests.gaps, [20_000, 30_000])


def test_the_run_is_placed_on_our_clock(fake: Any) -> None:
    fake(f"time.sleep(0.2)\n{writing(detailed())}")
    before, wall = time.monotonic_ns(), time.time_ns()
    found = benched()
    # The first sending comes 0.2 s after the client's start at least, and before its end.
    assert before + 2 * 10**8 <= found.first_ns <= found.last_ns <= time.monotonic_ns()
    assert wall <= found.began_wall_ns <= time.time_ns()
    started = json.loads(files_of(found, {})["level.json"])["started"]
    assert started == time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(found.began_wall_ns // 10**9))


def test_times_of_another_clock_are_not_taken_for_ours(fake: Any) -> None:
    fake(writing(detailed()).replace("begins = time.perf_counter()", "begins = 5.0"))
    before = time.monotonic_ns()
    assert benched().first_ns >= before


def test_nothing_is_left_in_the_temporary_folder(fake: Any) -> None:
    program = fake(writing(detailed()))
    benched()
    argv = program.notes["argv"]
    assert not Path(argv[argv.index("--result-dir") + 1]).exists()


@pytest.mark.parametrize(
    ("body", "line"),
    [
        (
            "sys.exit('vllm: error: unrecognized arguments: --ready-check-timeout-sec')",
            "vllm bench serve ended with exit code 1; its last words: ",
        ),
        ("os.kill(os.getpid(), 9)", "vllm bench serve ended with exit code -9; "),
        ("pass", "vllm bench serve left no result; its last words: "),
        (writing(totals()).replace('result["start_times"]', "_"), "has not one run with its requests; "),
        ("(folder / options['--result-filename']).write_text('{')", "in the middle of a JSON value"),
    ],
    ids=["an error", "killed", "no result", "no requests", "cut off"],
)
def test_a_client_that_fails_is_told_of_in_one_line(fake: Any, body: str, line: str) -> None:
    fake(body)
    with pytest.raises(InputError) as error:
        benched()
    assert line in str(error.value)
    assert "\n" not in str(error.value)


def test_the_last_words_of_a_client_are_repeated(fake: Any) -> None:
    fake("sys.exit('the tokenizer is not there')")
    with pytest.raises(InputError, match="the tokenizer is not there") as error:
        benched()
    assert error.value.file == LOG


def gone(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return True
    return False


def test_a_client_that_never_ends_is_ended(fake: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(vllm_bench, "START_S", 1.0)
    program = fake("time.sleep(600)")
    # 10 requests, 2 at once: 5 one after the other, 0.1 s each, and the second that is given.
    with pytest.raises(InputError, match=r"has not ended after 2 s"):
        benched(timeout_s=0.1)
    assert gone(program.notes["pid"])


def test_a_client_that_is_cut_short_is_ended(fake: Any) -> None:
    program = fake("time.sleep(600)")

    async def cut() -> None:
        task = asyncio.create_task(bench(run(), workload(), TARGET, "round.toml"))
        while not program.has_begun:
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cut())
    assert gone(program.notes["pid"])


@pytest.mark.parametrize(
    ("changed", "most"),
    [
        # 900 s to start and to end, and one request after the other: 10 × 60 s; or 2 at once: 5 × 60 s.
        ({"concurrency": 1}, 1500.0),
        ({}, 1200.0),
        # All at once: 60 s; and 2 × 10 ÷ 0.5 = 40 s in which they come.
        ({"concurrency": None, "rate": 0.5}, 1000.0),
    ],
)
def test_the_time_that_a_run_may_take(changed: dict[str, Any], most: float) -> None:
    assert vllm_bench._most_seconds(run(**changed), workload(timeout_s=60.0)) == most


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        ({"dataset_file": "d.json"}, "[workload] dataset_file: is nothing that vllm-bench can do (v); leave it out"),
        ({"lengths": "lognormal"}, '[workload] lengths: is nothing that vllm-bench can do (v); choose "fixed"'),
        ({"lengths": "uniform", "length_spread": 1.0}, "[workload] length_spread: is nothing"),
        ({"ignore_eos": False}, "[workload] ignore_eos: is nothing that vllm-bench can do (v); leave it out"),
        ({"arrival": "constant"}, '[workload] arrival: is nothing that vllm-bench can do (v); choose "poisson"'),
    ],
)
def test_a_load_that_the_client_does_not_know_is_refused_beforehand(fake: Any, keys: dict[str, Any], line: str) -> None:
    fake("")
    with pytest.raises(InputError) as error:
        refuse_unfit(SERIES, workload(**keys), "round.toml")
    assert line in str(error.value)
    refuse_unfit(SERIES.model_copy(update={"client": "rounds"}), workload(**keys), "round.toml")


def test_a_load_that_it_knows_is_not(fake: Any) -> None:
    fake("")
    refuse_unfit(SERIES, workload(lengths="uniform", length_spread=0.5, arrival="gamma"), "round.toml")


def test_the_program_is_found_on_path_or_beside_the_interpreter(
    fake: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fake("")
    program = str(tmp_path / "bin" / "vllm")
    assert program_of("v", "round.toml") == program
    monkeypatch.setenv("PATH", str(tmp_path / "empty"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "bin" / "python"))
    assert program_of("v", "round.toml") == program


def test_without_the_program_one_line_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "python"))
    with pytest.raises(InputError) as error:
        refuse_unfit(SERIES, workload(), "round.toml")
    assert str(error.value) == (
        "round.toml, [[series]] v: client = 'vllm-bench' needs the program vllm, which is not on PATH; "
        "install vLLM, or use our own client"
    )


@pytest.mark.parametrize(
    ("page", "found"),
    [
        ('{"data": [{"id": "toy", "root": "/models/toy"}]}', "/models/toy"),
        ('{"data": [{"id": "toy"}]}', None),
        ('{"data": []}', None),
        ("<html>", None),
        ("[]", None),
    ],
)
def test_a_server_says_where_its_model_came_from(page: str, found: str | None) -> None:
    assert tokenizer_of(page, ()) == found


def test_else_the_folder_of_the_model_has_the_tokenizer(tmp_path: Path) -> None:
    (tmp_path / "model.gguf").touch()
    assert tokenizer_of("", (tmp_path / "model.gguf", tmp_path)) == str(tmp_path)
    assert tokenizer_of("", (tmp_path / "model.gguf",)) is None
