from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import Numbers, memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import found_by, said

CHECK = "queue_dominated"
STREAM = {"concurrency": 64.0, "output_tokens_mean": 100.0, "e2el_p50": 10.0}


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def level(**seen: float) -> Round:
    numbers: Numbers = {**STREAM, **seen}
    return memory_round({"s": {"c64": numbers}})


@pytest.mark.parametrize(("ttft", "status"), [(8.9, "pass"), (9.1, "warn")])
def test_above_nine_tenths_the_latency_is_a_wait(ttft: float, status: str) -> None:
    assert examine(level(ttft_p50=ttft)).status == status


def test_latencies_ruled_by_the_queue_are_doubted() -> None:
    round_ = level(ttft_p50=9.5)
    finding = examine(round_)

    assert [doubt.metric for doubt in finding.doubts] == ["ttft_p50", "e2el_p50"]
    assert finding.looks == "worse"
    text = said(finding, round_)
    assert "nearly its E2EL p50: 9,500 ms against 10,000 ms" in text
    assert "Leave C=64 out where latencies are compared" in text


def test_an_answer_of_one_token_is_all_wait() -> None:
    assert examine(level(ttft_p50=10.0, output_tokens_mean=1.0)).is_empty


def test_one_request_at_a_time_waits_for_no_other() -> None:
    # All of the wait is its own prefill, however long.
    numbers: Numbers = {**STREAM, "concurrency": 1.0, "ttft_p50": 9.9}
    assert examine(memory_round({"s": {"c1": numbers}})).is_empty


@pytest.mark.parametrize(("queued", "status"), [(4.7, None), (4.8, "warn")])
def test_what_the_engine_says_of_its_queue_goes_before_what_it_looks_like(queued: float, status: str | None) -> None:
    # A mean TTFT of 9.5 s, half of which is 4.75 s.
    counted: Numbers = {"server_queue_seconds": queued * 10, "server_queue_count": 10.0, "ttft_mean": 9.5}
    seen: Numbers = {**STREAM, "ttft_p50": 9.5, **counted}
    finding = examine(memory_round({"s": {"c64": seen}}, runs={("s", "c64", None): None}))
    assert (None if finding.is_empty else finding.status) == status


def test_answers_that_came_in_one_piece_are_another_matter() -> None:
    # Three tokens in one chunk: TTFT and E2EL are one.
    run = requests_of(answer(1.0, tokens=3))
    round_ = memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): run})

    assert examine(round_).is_empty


def test_second_round_does_not_queue() -> None:
    # 474 ÷ 5850 = 8.1 % at C=16 of vLLM, 189 ÷ 2349 = 8.0 % at C=4 of llama.cpp
    vllm, llama = found_by(CHECK, published("round-2"))

    assert "at most 8.1%, at C=16" in said(vllm, published("round-2"))
    assert "at most 8.0%, at C=4" in said(llama, published("round-2"))
