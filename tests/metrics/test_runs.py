"""Whole runs, from single requests to what is said of them: the situations that a client's own summary gets wrong."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from generator.analysis.resolve import Resolver
from generator.values import Value
from tests.support.memory_round import GRAPH, address, memory_round
from tests.support.request_rows import Row, answer, failure, requests_of, tokenless

Read = Callable[[str], Value]


def run(*rows: Row, **numbers: float) -> Read:
    """Return a reader of the values of one run, ``key`` or ``key__basis``; ``numbers`` are the client's own."""
    round_ = memory_round({"s": {"c1": numbers}}, runs={("s", "c1", None): requests_of(*rows)})
    resolver = Resolver(GRAPH, round_)
    return lambda name: resolver.value(address(name, "level", "s", "c1"))


def numbers(read: Read, *names: str) -> list[float | None]:
    return [read(name).value for name in names]


def why(value: Value) -> str | None:
    return None if value.reason is None else value.reason.en


def test_a_failed_request_and_an_answer_of_one_token() -> None:
    read = run(
        answer(0.2, 0.05, 0.05, 0.05, 0.05, prompt=100),
        failure(ttft=0.0, prompt=80),
        answer(0.3, prompt=50),
        duration=2.0,
    )

    assert numbers(read, "requests", "completed", "failed") == [3, 2, 1]
    assert read("failure_ratio").value == pytest.approx(1 / 3)
    # The failure's first token at 0 s would make it 166.67 ms.
    assert numbers(read, "ttft_mean", "ttft_p50") == pytest.approx([0.25, 0.25])
    # 200 + 0.99 × (300 − 200) ms
    assert read("ttft_p99").value == pytest.approx(0.299)
    # (0.2 + 4 × 0.05 − 0.2) ÷ (5 − 1); one token has no time after the first
    assert read("tpot_mean").value == pytest.approx(0.05)
    # (400 + 300) ÷ 2 ms
    assert read("e2el_mean").value == pytest.approx(0.35)
    assert numbers(read, "ttft_samples", "tpot_samples", "e2el_samples", "itl_samples") == [2, 1, 2, 4]
    # 5 + 1 tokens and 2 requests in 2 s; with the prompts that were answered, (6 + 100 + 50) ÷ 2
    assert numbers(read, "output_throughput", "request_throughput", "total_token_throughput") == [3, 1, 78]


def test_an_answer_of_more_tokens_than_chunks() -> None:
    read = run(answer(0.1, 0.06, 0.12, 0.06, tokens=9))

    # 9 tokens ÷ (1 + 3) chunks
    assert read("tokens_per_chunk").value == 2.25
    # (0.34 − 0.1) ÷ (9 − 1): a time a token, where the gap between chunks is (60 + 120 + 60) ÷ 3 = 80 ms
    assert read("tpot_mean").value == pytest.approx(0.03)
    assert numbers(read, "itl_mean", "itl_p50") == pytest.approx([0.08, 0.06])


def test_an_answer_without_a_token() -> None:
    three = [answer(first, 0.02, 0.02) for first in (0.1, 0.2, 0.3)]
    read = run(*three, tokenless(), duration=2.0)

    assert numbers(read, "requests", "completed", "failed") == [4, 4, 0]
    assert numbers(read, "ttft_samples", "e2el_samples") == [3, 3]
    # (100 + 200 + 300) ÷ 3; with a first token at 0 s it would be 150.
    assert numbers(read, "ttft_mean", "ttft_p50") == pytest.approx([0.2, 0.2])
    # rank 0.99 × 2 = 1.98: 200 + 0.98 × 100 ms
    assert read("ttft_p99").value == pytest.approx(0.298)
    # (140 + 240 + 340) ÷ 3 ms
    assert read("e2el_mean").value == pytest.approx(0.24)
    # 9 tokens ÷ 2 s, over all four ÷ 4
    assert numbers(read, "output_throughput", "output_tokens_mean") == [4.5, 2.25]


def test_requests_that_begin_as_others_end() -> None:
    pairs = [answer(0.3, 0.2, start=start) for start in (0.0, 0.0, 0.5, 0.5)]
    read = run(*pairs, duration=1.0)

    assert read("peak_concurrency").value == 2
    # 4 × 0.5 s ÷ 1 s
    assert read("mean_concurrency").value == pytest.approx(2)


def test_a_tail_of_twenty_requests() -> None:
    read = run(*[answer(0.1 * number, tokens=1) for number in range(1, 21)])

    # ranks 9.5, 17.1 and 18.81 of 100, 200, …, 2000 ms; the nearest rank would give the maximum, 2000
    assert numbers(read, "ttft_mean", "ttft_p50", "ttft_p90", "ttft_p99") == pytest.approx([1.05, 1.05, 1.81, 1.981])
    assert numbers(read, "tpot_mean", "tpot_p99", "itl_mean", "itl_p50") == [None] * 4
    assert why(read("tpot_mean")) == "no answer has more than one token"
    assert why(read("itl_mean")) == "no answer came in more than one chunk"
    assert numbers(read, "ttft_samples", "tpot_samples") == [20, None]


def test_a_rate_that_was_reached_though_the_tail_hides_it() -> None:
    each_second = [answer(1.0, 1.0, 1.0, 1.0, 1.0, start=float(second), prompt=100) for second in range(11)]
    read = run(*each_second, duration=15.0)

    # (11 − 1) ÷ (10 − 0)
    assert read("sending_rate").value == 1
    # 11 ÷ 15: the duration has the last answer's 5 s as well
    assert read("request_throughput").value == pytest.approx(11 / 15)
    # 11 × 5 ÷ 15
    assert read("mean_concurrency").value == pytest.approx(3.667, abs=1e-3)
    # At 4 s those of 0 … 4 s; at 5 s the first has ended as the sixth begins.
    assert read("peak_concurrency").value == 5
    # 55 ÷ 15
    assert read("output_throughput").value == pytest.approx(3.667, abs=1e-3)
    assert numbers(read, "ttft_p50", "tpot_p50") == pytest.approx([1, 1])


def test_the_steady_part_of_that_run() -> None:
    each_second = [answer(1.0, 1.0, 1.0, 1.0, 1.0, start=float(second)) for second in range(11)]
    read = run(*each_second, duration=15.0)

    # From the first end, at 0 + 5 s, to the last sending, at 10 s
    assert numbers(read, "steady_start", "steady_end") == [5, 10]
    # The answers of 1 … 5 s end at 6 … 10 s: 5 ÷ 5
    assert read("request_throughput__steady").value == pytest.approx(1)
    # In each of the seconds 6 … 10 five answers get a token each: 25 ÷ 5
    assert read("output_throughput__steady").value == pytest.approx(5)


def test_requests_without_times_have_latencies_and_no_overlap() -> None:
    read = run(answer(0.2, 0.1), answer(0.4, 0.1), duration=1.0)

    assert read("ttft_p50").value == pytest.approx(0.3)
    assert numbers(read, "peak_concurrency", "sending_rate", "steady_start", "ttft_p50__steady") == [None] * 4
    assert why(read("sending_rate")) == "the result file does not say when each request was sent"
