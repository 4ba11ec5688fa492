from __future__ import annotations

import pytest

from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.told.findings import Finding
from tests.support.memory_round import address, memory_round, observation
from tests.support.request_rows import answer, failure, requests_of, tokenless
from tests.support.telling import found_by, said

CHECK = "client_statistics"


def said_by_client(requests: Requests, *, duration: float = 2, **numbers: float) -> Round:
    """Return a round of one run, with what the client says of it."""
    where = {key: address(key, "level", "s", "c1", "reported") for key in numbers}
    further = [observation(where[key], number, "reported") for key, number in numbers.items()]
    level = {"concurrency": 1.0, "duration": duration}
    return memory_round({"s": {"c1": level}}, further=further, runs={("s", "c1", None): requests})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


# Three answers of 100, 200 and 300 ms to the first token, and one without any token.
ONE_SILENT = requests_of(answer(0.1, 0.02), answer(0.2, 0.02), answer(0.3, 0.02), tokenless())


def test_answers_without_a_token_counted_as_zero_are_recognised() -> None:
    # (100 + 200 + 300 + 0) ÷ 4 = 150 ms, where the three that spoke have (100 + 200 + 300) ÷ 3 = 200 ms.
    round_ = said_by_client(ONE_SILENT, ttft_mean=0.150, completed=4)
    finding = examine(round_)

    assert (finding.status, finding.series, finding.levels, finding.spoils) == ("warn", "s", ("c1",), ())
    assert [(one.metric, one.basis) for one in finding.doubts] == [("ttft_mean", "reported")]
    text = said(finding, round_)
    assert "Furthest apart is mean TTFT: 150 ms from the client, 200 ms from its requests." in text
    assert "It counts answers without a token as latencies of zero." in text
    assert "把没有 token 的回答按时延为零计入" in text
    assert "flatters s" in text
    assert finding.looks == "better"


def test_a_number_that_is_too_slow_makes_the_series_look_worse() -> None:
    # 0.4 s from the client; (0.1 + 0.2 + 0.3) ÷ 3 = 0.2 s from the three that spoke
    assert examine(said_by_client(ONE_SILENT, ttft_mean=0.4)).looks == "worse"


def test_failed_requests_counted_as_zero_are_recognised() -> None:
    # (300 + 200 + 0) ÷ 3 = 166.67 ms against (300 + 200) ÷ 2 = 250 ms.
    failed = requests_of(answer(0.3, 0.05), failure(), answer(0.2))
    text = said(examine(said_by_client(failed, ttft_mean=0.5 / 3)), said_by_client(failed, ttft_mean=0.5 / 3))

    assert "167 ms from the client, 250 ms from its requests. It counts failed requests as latencies of zero." in text


def test_a_median_over_zeros_is_recognised() -> None:
    # 0, 100, 200, 300: the median is 150 ms; without the 0 it is 200 ms.
    text = said(examine(said_by_client(ONE_SILENT, ttft_p50=0.150)), said_by_client(ONE_SILENT, ttft_p50=0.150))

    assert "TTFT p50: 150 ms from the client, 200 ms from its requests. It counts answers without a token" in text


def test_another_difference_is_named_without_a_reason() -> None:
    round_ = said_by_client(ONE_SILENT, ttft_mean=0.190)
    text = said(examine(round_), round_)

    assert "The file does not show how it came by its number." in text
    assert "从文件里看不出来" in text


@pytest.mark.parametrize(
    ("key", "number", "status"),
    [
        ("ttft_mean", 0.2009, "pass"),  # 0.45 % of 200.9 ms
        ("ttft_mean", 0.2011, "warn"),  # 0.55 % of 201.1 ms
        ("ttft_p99", 0.298, "pass"),  # rank 0.99 × 2 = 1.98: 200 + 0.98 × 100 ms
        ("itl_mean", 0.02, "pass"),
        ("e2el_p50", 0.22, "pass"),  # 120, 220, 320 ms
        ("request_throughput", 2, "pass"),  # 4 answers ÷ 2 s
        ("request_throughput", 1.5, "warn"),
        ("output_throughput", 3, "pass"),  # 2 + 2 + 2 + 0 tokens ÷ 2 s
        ("total_token_throughput", 23, "pass"),  # and 4 × 10 of the prompts
        ("completed", 4, "pass"),
        ("completed", 3, "warn"),
        ("output_tokens_counted", 6, "pass"),
    ],
)
def test_half_a_percent_is_the_limit(key: str, number: float, status: str) -> None:
    assert examine(said_by_client(ONE_SILENT, **{key: number})).status == status


def test_gaps_of_microseconds_are_not_told_apart() -> None:
    # 3 µs against 8 µs: far apart as shares, but less than 10 µs.
    assert examine(said_by_client(requests_of(answer(0.1, 3e-6)), itl_mean=8e-6)).status == "pass"


def test_too_high_a_throughput_flatters_and_too_high_a_latency_does_not() -> None:
    fast, slow = said_by_client(ONE_SILENT, output_throughput=4), said_by_client(ONE_SILENT, ttft_mean=0.3)

    assert "flatters s" in said(examine(fast), fast)
    assert "makes s look worse" in said(examine(slow), slow)


def test_the_worst_of_several_is_named_with_its_level() -> None:
    runs: dict[Trial, Requests | None] = {("s", level, None): ONE_SILENT for level in ("c1", "c2")}
    further = [
        observation(address("ttft_mean", "level", "s", level, "reported"), number)
        for level, number in (("c1", 0.190), ("c2", 0.150))
    ]
    levels = {"c1": {"concurrency": 1.0}, "c2": {"concurrency": 2.0}}
    round_ = memory_round({"s": levels}, runs=runs, further=further)

    assert examine(round_).levels == ("c1", "c2")
    assert "Furthest apart is mean TTFT at C=2: 150 ms" in said(examine(round_), round_)


def test_a_round_without_single_requests_has_nothing_to_compare() -> None:
    round_ = memory_round({"s": {"c1": {"concurrency": 1, "ttft_mean": 0.1}}})
    finding = examine(round_)

    assert (finding.status, finding.series) == ("pass", None)
    assert "nothing to compare" in said(finding, round_)
