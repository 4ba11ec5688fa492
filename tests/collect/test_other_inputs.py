"""Rounds that are collected with a dataset file, or by another client."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from generator.catalogue import load
from generator.collect.campaign import Campaign, Collected
from generator.collect.progress import Progress
from generator.errors import InputError
from tests.collect.planning import round_file

SERIES = """\
[[series]]
id = "ref"
kind = "reference"
"""
LEVEL = '[[level]]\nid = "{id}"\n{load}\nrequests = 6\ntrials = {trials}\n'
LENGTHS = "input_tokens = 16\noutput_tokens = 4\n"

CLIENT = """\
#!{python}
import json, sys, time
from pathlib import Path
options = dict(zip(sys.argv[1:], sys.argv[2:]))
count, now = int(options["--num-prompts"]), time.perf_counter()
rows = range(count)
Path(options["--result-dir"], options["--result-filename"]).write_text(json.dumps({{
    "date": "20260301-101500", "backend": "openai", "model_id": options["--model"], "tokenizer_id": "t",
    "num_prompts": count, "request_rate": "inf", "burstiness": 1.0, "max_concurrency": 2, "duration": 1.0,
    "completed": count, "failed": 0, "total_input_tokens": 16 * count, "total_output_tokens": 2 * count,
    "request_throughput": 6.0, "output_throughput": 12.0, "total_token_throughput": 60.0,
    "input_lens": [16 for _ in rows], "output_lens": [2 for _ in rows], "ttfts": [0.1 for _ in rows],
    "itls": [[0.02] for _ in rows], "start_times": [now + 0.1 * n for n in rows],
    "generated_texts": ["planted secret" for _ in rows], "errors": ["" for _ in rows],
}}))
"""


@pytest.fixture(autouse=True)
def calibrated(tmp_path: Path) -> None:
    (tmp_path / "calibration.json").write_text('{"schema": 1}')  # it is there, and not what these tests are about


def collect(folder: Path, workload: str, levels: str, series: str = SERIES) -> Collected:
    round_file(folder, LENGTHS + workload, levels, series)
    campaign = Campaign(folder, load().engines, Progress(quiet=True), anyway=True)
    return asyncio.run(campaign.collect())


def summaries(folder: Path) -> dict[str, dict[str, Any]]:
    """Return level -> summary of its first trial."""
    paths = sorted(folder.glob("ref/levels/*/*/level.json"))
    return {"/".join(path.parts[-3:-1]): json.loads(path.read_text())["summary"] for path in paths}


def test_texts_of_a_dataset_are_asked_and_not_kept(tmp_path: Path) -> None:
    texts = [{"prompt": f"planted secret {n}", "output_tokens": 3} for n in range(16)]
    (tmp_path / "texts.jsonl").write_text("\n".join(map(json.dumps, texts)))
    levels = LEVEL.format(id="c2", load="concurrency = 2", trials=3)
    collected = collect(tmp_path, 'dataset_file = "texts.jsonl"\ncold_requests = 0', levels)
    assert (len(collected.done), collected.failed) == (3, [])
    told = summaries(tmp_path)
    # 3 × 6 = 18 are asked, and the file has 16: the last trial repeats two.
    assert [told[f"c2/{trial}"]["prompts_repeated"] for trial in (1, 2, 3)] == [0, 0, 2]
    assert told["c2/1"]["output_tokens_asked"] == 3
    assert told["c2/1"]["server_generation_tokens"] == 18  # 6 × 3
    kept = [path for path in (tmp_path / "ref").rglob("*") if path.is_file()]
    assert len(kept) > 10
    assert not any(b"planted" in path.read_bytes() for path in kept)


def test_a_trace_says_when_and_how_long(tmp_path: Path) -> None:
    trace = [{"timestamp": 1000 * n * n, "input_length": 8 + n, "output_length": 2 + n} for n in range(6)]
    (tmp_path / "trace.jsonl").write_text("\n".join(map(json.dumps, trace)))
    collected = collect(
        tmp_path,
        'dataset_file = "trace.jsonl"\narrival = "trace"\ncold_requests = 0',
        LEVEL.format(id="r20", load="rate = 20", trials=1),
    )
    assert (len(collected.done), collected.failed) == (1, [])
    round_ = load().read(tmp_path)
    requests = round_.requests["ref", "r20", None]
    assert requests.input_tokens.tolist() == [8, 9, 10, 11, 12, 13]
    assert requests.output_tokens.tolist() == [2, 3, 4, 5, 6, 7]
    # 0, 1, 4, 9, 16, 25 s: 5 gaps in 25 s are 0.2 req/s, and 20 req/s are 100 times as many: 0 to 0.25 s.
    assert requests.start.tolist() == pytest.approx([0.0, 0.01, 0.04, 0.09, 0.16, 0.25], abs=0.02)


def test_what_cannot_be_sent_is_found_out_before_a_server_starts(tmp_path: Path) -> None:
    (tmp_path / "trace.jsonl").write_text('{"timestamp": 0, "input_length": 8, "output_length": 2}')
    with pytest.raises(InputError, match="has 1 request, and 6 are planned"):
        collect(
            tmp_path,
            'dataset_file = "trace.jsonl"\narrival = "trace"',
            LEVEL.format(id="r20", load="rate = 20", trials=1),
        )
    assert not (tmp_path / "ref").exists()


def test_another_client_drives_the_load_and_the_rest_stays_ours(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    program = tmp_path / "bin" / "vllm"
    program.parent.mkdir()
    program.write_text(CLIENT.format(python=sys.executable))
    program.chmod(0o755)
    monkeypatch.setenv("PATH", str(program.parent), prepend=":")
    folder = tmp_path / "round"
    folder.mkdir()
    (folder / "calibration.json").write_text('{"schema": 1}')
    levels = LEVEL.format(id="c2", load="concurrency = 2", trials=2)
    collected = collect(folder, "cold_requests = 1\nwarm_requests = 2", levels, f'{SERIES}client = "vllm-bench"\n')
    assert (len(collected.done), collected.failed) == (2, [])
    told = summaries(folder)["c2/1"]
    # The client only pretends: between our two looks at the counters nothing was asked.
    assert (told["server_prompt_tokens"], told["cold_requests"], told["warm_requests"]) == (0, 1, 2)
    round_ = load().read(folder)
    assert len(round_.requests["ref", "c2", 1]) == 6
    trial = folder / "ref/levels/c2/1"
    assert (trial / "warm-up/cold/requests.parquet").exists()
    assert (trial / "warm-up/warm/requests.parquet").exists()
    assert (folder / "ref/sessions/1/samples.parquet").exists()
    assert not any(b"planted" in path.read_bytes() for path in folder.rglob("*") if path.is_file())
