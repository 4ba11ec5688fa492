from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import numpy as np
import pytest

from generator.collect.dataset import Dataset
from generator.collect.prompts import Prompt, draw_lengths, jobs_of, prompts_of, told_of
from generator.collect.reference.process import reference_server
from generator.collect.round_plan import planned_runs
from generator.collect.tokenizing import Vocabulary, vocabulary_of
from generator.traffic.rows import Row
from tests.collect.planning import round_file, run, workload

WORDS = Vocabulary(tuple(f"w{number}" for number in range(100)), tuple(range(1000, 1100)))
TEXTS = Dataset("d.json", "sharegpt", tuple(Row(f"text {number}") for number in range(30)))
TRACE = Dataset("t.csv", "azure", tuple(Row(None, 10 + n, 20 + n, float(n)) for n in range(8)))


@pytest.fixture(scope="module")
def url() -> Iterator[str]:
    with reference_server("--step-ms", "0.1") as address:
        yield address


def test_the_server_counts_as_many_tokens_as_were_asked(url: str) -> None:
    words = asyncio.run(vocabulary_of(url, None))
    assert words.is_exact
    load = workload(lengths="uniform", length_spread=0.9)
    prompts = prompts_of(run(requests=12, input_tokens=40, output_tokens=3), load, words)
    for prompt, job in zip(prompts, jobs_of(prompts, load, None), strict=True):
        body = {**json.loads(job.body), "stream": False}
        body.pop("stream_options")
        usage = httpx.post(url + job.path, json=body).json()["usage"]
        assert usage["prompt_tokens"] == prompt.input_tokens == len(prompt.ids)
        assert usage["completion_tokens"] == prompt.output_tokens
    assert len({prompt.input_tokens for prompt in prompts}) > 3


def test_the_words_of_a_prompt_are_its_ids(url: str) -> None:
    words = asyncio.run(vocabulary_of(url, None))
    [prompt] = prompts_of(run(requests=1), workload(), words)
    asked = {"prompt": f" {prompt.text}", "add_special_tokens": False}
    assert httpx.post(f"{url}/tokenize", json=asked).json()["tokens"] == list(prompt.ids)


def test_fixed_lengths_are_those_asked() -> None:
    assert draw_lengths(64, 3, workload(), np.random.default_rng(1)) == [64, 64, 64]


def test_uniform_lengths_lie_evenly_about_the_one_asked() -> None:
    drawn = np.array(
        draw_lengths(100, 20_000, workload(lengths="uniform", length_spread=0.5), np.random.default_rng(1))
    )
    # Even from 50 to 150: mean 100, σ = (150 − 50) ÷ √12 = 28.87.
    assert (drawn.min(), drawn.max()) == (50, 150)
    assert drawn.mean() == pytest.approx(100, abs=1)
    assert drawn.std() == pytest.approx(28.87, abs=0.5)


def test_lognormal_lengths_have_the_one_asked_as_their_mean() -> None:
    load = workload(lengths="lognormal", length_spread=0.5)
    drawn = np.array(draw_lengths(1000, 50_000, load, np.random.default_rng(1)))
    # σ = mean × √(e^(s²) − 1) = 1000 × √(e^0.25 − 1) = 532.9; the median is 1000 × e^(−s² ÷ 2) = 882.5.
    assert drawn.mean() == pytest.approx(1000, rel=0.02)
    assert drawn.std() == pytest.approx(532.9, rel=0.03)
    assert np.median(drawn) == pytest.approx(882.5, rel=0.02)


@pytest.mark.parametrize("lengths", ["uniform", "lognormal"])
def test_no_length_is_below_one(lengths: str) -> None:
    drawn = draw_lengths(1, 1000, workload(lengths=lengths, length_spread=2), np.random.default_rng(1))
    assert min(drawn) == 1


def test_no_prompt_comes_twice_over_all_levels_and_trials(tmp_path: Path) -> None:
    levels = "".join(f'[[level]]\nid = "c{c}"\nconcurrency = {c}\ntrials = 3\n' for c in (1, 2, 8))
    file = round_file(tmp_path, "input_tokens = 16\noutput_tokens = 4\nwarm_requests = 2", levels)
    runs = planned_runs(file, file.series[0], "")
    texts = [prompt.text for one in runs for prompt in prompts_of(one, file.workload, WORDS)]
    # 3 trials × (20 + 20 + 80 requests, each level with 1 cold and 2 warm ones before).
    assert len(texts) == 3 * (20 + 20 + 80 + 3 * 3)
    assert len(set(texts)) == len(texts)


def test_a_run_comes_back_from_its_seed() -> None:
    assert prompts_of(run(), workload(), WORDS) == prompts_of(run(), workload(), WORDS)
    assert prompts_of(run(), workload(), WORDS) != prompts_of(run(seed=8), workload(), WORDS)


def body(prompt: Prompt, model: str | None = None, **keys: Any) -> dict[str, Any]:
    [job] = jobs_of([prompt], workload(**keys), model)
    found: dict[str, Any] = json.loads(job.body) | {"path": job.path}
    return found


def test_a_completion_asks_with_ids_where_they_are_known() -> None:
    assert body(Prompt("w1 w2", (1001, 1002), 2, 5), "toy") == {
        "path": "/v1/completions", "model": "toy", "prompt": [1001, 1002], "max_tokens": 5, "temperature": 0,
        "stream": True, "stream_options": {"include_usage": True}, "ignore_eos": True,
    }  # fmt: skip


def test_a_chat_asks_with_words() -> None:
    asked = body(Prompt("w1 w2", (1001, 1002), 2, 5), api="chat", ignore_eos=False)
    assert asked["path"] == "/v1/chat/completions"
    assert asked["messages"] == [{"role": "user", "content": "w1 w2"}]
    assert not {"prompt", "model", "ignore_eos"} & asked.keys()


def test_texts_of_a_dataset_are_sent_as_they_are() -> None:
    [prompt] = prompts_of(run(requests=1), workload(), WORDS, Dataset("d", "jsonl", (Row("Wie geht's?", None, 9),)))
    assert prompt == Prompt("Wie geht's?", (), None, 9)
    assert body(prompt)["prompt"] == "Wie geht's?"


def test_a_text_without_a_length_asks_for_the_answer_of_the_plan() -> None:
    assert {prompt.output_tokens for prompt in prompts_of(run(), workload(), WORDS, TEXTS)} == {32}


def test_runs_share_no_text_while_there_are_enough_of_them() -> None:
    # Each has a seed of its own, as runs of a plan have; the deck is shuffled by that of the round.
    runs = [run(requests=10, offset=offset, seed=offset) for offset in (0, 10, 20, 30)]
    texts = [[one.text for one in prompts_of(each, workload(), WORDS, TEXTS)] for each in runs]
    assert len({*texts[0], *texts[1], *texts[2]}) == 30
    assert texts[0] != [row.text for row in TEXTS.rows[:10]]
    assert texts[0] == texts[3]  # the deck of 30 is gone through again
    repeated = [told_of(prompts_of(each, workload(), WORDS, TEXTS), each, workload(), TEXTS) for each in runs]
    assert [told["prompts_repeated"] for told in repeated] == [0, 0, 0, 10]


def test_a_run_that_ends_behind_the_last_text_says_how_many_are_repeated() -> None:
    each = run(requests=10, offset=24)
    told = told_of(prompts_of(each, workload(), WORDS, TEXTS), each, workload(), TEXTS)
    # Texts 24 to 29 are new: 6 of 10.
    assert told["prompts_repeated"] == 4
    assert (told["dataset_kind"], told["dataset_requests"]) == ("sharegpt", 30)
    assert told["input_tokens_asked"] is None
    assert not any("text " in str(value) for value in told.values())


def test_lengths_of_a_trace_become_prompts_of_words() -> None:
    each = run(requests=8)
    prompts = prompts_of(each, workload(), WORDS, TRACE)
    assert sorted(len(prompt.ids) for prompt in prompts) == list(range(10, 18))
    assert all(prompt.output_tokens == len(prompt.ids) + 10 for prompt in prompts)
    told = told_of(prompts, each, workload(), TRACE)
    # 10 to 17 have the mean 13.5, 20 to 27 the mean 23.5.
    assert (told["input_tokens_asked"], told["output_tokens_asked"]) == (13.5, 23.5)
    assert told["prompts_repeated"] == 0


def test_the_lengths_of_a_trace_stay_with_their_times() -> None:
    load = workload(arrival="trace")
    each = run(concurrency=None, rate=1.0, requests=5, cold=1, warm=1, offset=50)
    prompts = prompts_of(each, load, WORDS, TRACE)
    # Those before the clock are the sixth and the seventh of the trace.
    assert [len(prompt.ids) for prompt in prompts] == [15, 16, 10, 11, 12, 13, 14]
    other = prompts_of(run(concurrency=None, rate=1.0, requests=5, cold=1, warm=1, seed=8), load, WORDS, TRACE)
    assert not {one.text for one in prompts} & {one.text for one in other}
    assert told_of(prompts, each, load, TRACE)["prompts_repeated"] == 0


def test_texts_of_a_trace_are_the_same_in_every_run_and_that_is_said() -> None:
    load = workload(arrival="trace")
    trace = Dataset("t", "jsonl", tuple(Row(f"text {n}", at=float(n)) for n in range(8)))
    first, later = (run(concurrency=None, rate=1.0, requests=5, offset=offset) for offset in (0, 5))
    told = [
        told_of(prompts_of(one, load, WORDS, trace), one, load, trace)["prompts_repeated"] for one in (first, later)
    ]
    assert told == [0, 5]


def test_prompts_too_short_to_differ_are_counted() -> None:
    each = run(requests=300, input_tokens=1)
    prompts = prompts_of(each, workload(), WORDS)
    # 100 words of one token each: of 300 prompts 200 at least are there already.
    assert told_of(prompts, each, workload())["prompts_repeated"] == 300 - len({one.text for one in prompts}) >= 200
