from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import Numbers, memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import found_by, said

CHECK = "tail_percentiles"


def one_series(*levels: Numbers) -> Round:
    return memory_round({"s": {f"c{row}": {"concurrency": row, **seen} for row, seen in enumerate(levels, 1)}})


def examine(round_: Round) -> Finding:
    finding, *_ = found_by(CHECK, round_)
    return finding


@pytest.mark.parametrize(
    ("metric", "size", "status"),
    [
        ("ttft_p99", 99, "warn"), ("ttft_p99", 100, "note"),  # 1 of 100 lies beyond the p99
        ("tpot_p95", 19, "warn"), ("tpot_p95", 20, "note"),  # 1 of 20
        ("e2el_p90", 9, "warn"), ("e2el_p90", 10, "note"),  # 1 of 10
    ],
)  # fmt: skip
def test_one_request_must_lie_beyond_the_percentile(metric: str, size: float, status: str) -> None:
    assert examine(one_series({metric: 1.0, "completed": size})).status == status


@pytest.mark.parametrize(
    ("metric", "size", "status"),
    [
        # 0.99^661 + 661 × 0.01 × 0.99^660 = 0.00130 + 0.00870 = 0.01001; for 662 it is 0.00993
        ("ttft_p99", 661, "note"), ("ttft_p99", 662, "pass"),
        # 0.95^129 + 129 × 0.05 × 0.95^128 = 0.00134 + 0.00908 = 0.01042; for 130 it is 0.00996
        ("tpot_p95", 129, "note"), ("tpot_p95", 130, "pass"),
        # 0.9^63 + 63 × 0.1 × 0.9^62 = 0.00131 + 0.00917 = 0.01048; for 64 it is 0.00956
        ("e2el_p90", 63, "note"), ("e2el_p90", 64, "pass"),
    ],
)  # fmt: skip
def test_two_requests_should_lie_beyond_it_nearly_always(metric: str, size: float, status: str) -> None:
    assert examine(one_series({metric: 1.0, "completed": size})).status == status


def test_second_round_prints_percentiles_of_few_requests() -> None:
    # Completed: 40, 60 and 80 at C=1, 2 and 4, all below 100; 120 at C=8, and never as many as 662.
    found = found_by(CHECK, published("round-2"))

    assert [finding.levels for finding in found[2:]] == [("c8", "c16", "c32", "c64")] * 2
    assert (
        "only a few of the 120, 200, 319 and 512 requests to llama.cpp Q4_K_M lie beyond the p99, so another run may "
        "give a very different value; a reliable p99 needs 662."
    ) in said(found[3], published("round-2"))
    for finding in found[:2]:
        assert (finding.status, finding.levels) == ("warn", ("c1", "c2", "c4"))
        assert {address.metric for address in finding.doubts} == {"ttft_p99"}
        text = said(finding, published("round-2"))
        assert "at C=1, C=2 and C=4 rest on 40, 60 and 80 requests: a p99 needs at least 100" in text
        assert "不足 100 条时，p99 只是" in text


def test_only_the_percentile_in_doubt_is_spoken_of() -> None:
    round_ = one_series({"ttft_p90": 1.0, "ttft_p95": 1.0, "completed": 15})  # enough for p90, not for p95
    finding = examine(round_)

    assert [address.metric for address in finding.doubts] == ["ttft_p95"]
    text = said(finding, round_)
    assert "a p95 needs at least 20" in text
    assert "Send 20 requests or more at C=1" in text
    assert "p99" not in text


def test_gaps_between_tokens_are_many_and_not_examined() -> None:
    finding = examine(one_series({"itl_p99": 0.1, "completed": 2}))

    assert (finding.status, finding.doubts) == ("unknown", ())


def test_levels_without_a_count_are_named_beside_those_with_few() -> None:
    few, uncounted = found_by(CHECK, one_series({"ttft_p99": 1.0, "completed": 5}, {"ttft_p99": 1.0}))

    assert (few.status, few.levels) == ("warn", ("c1",))
    assert (uncounted.status, uncounted.levels) == ("unknown", ("c2",))
    assert uncounted.remedy is not None


def test_series_without_tails_has_nothing_to_examine() -> None:
    assert examine(one_series({"ttft_p50": 1.0, "completed": 5})).status == "unknown"


def test_of_twenty_requests_the_p99_lies_between_the_two_slowest() -> None:
    # TTFT 100, 200, …, 2000 ms, one token each: rank 0.99 × 19 = 18.81, between 1900 and 2000 ms.
    requests = requests_of(*(answer(0.1 * nth) for nth in range(1, 21)))
    round_ = memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): requests})
    finding = examine(round_)

    assert {one.metric for one in finding.doubts} == {"ttft_p99", "e2el_p99"}  # no TPOT: no answer has two tokens
    text = said(finding, round_)
    assert "rest on 20 requests" in text
    assert "with fewer it is only interpolated between the two slowest" in text
    assert "最慢两条请求之间的插值" in text


def test_the_sample_counts_and_not_all_completed() -> None:
    # 100 answers, of which 99 have a single token and so no TPOT; TTFT and E2EL rest on all of them.
    rows = (*(answer(0.1) for _ in range(99)), answer(0.1, 0.02))
    round_ = memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): requests_of(*rows)})
    finding = examine(round_)

    assert {one.metric for one in finding.doubts} == {"tpot_p90", "tpot_p95", "tpot_p99"}
    assert finding.evidence[0].metric == "tpot_samples"
    assert "rest on 1 request: a p99 needs" in said(finding, round_)


def test_the_smallest_of_several_samples_is_named() -> None:
    rows = (*(answer(0.1) for _ in range(20)), answer(0.1, 0.02))
    round_ = memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): requests_of(*rows)})

    # The p99 of TTFT and E2EL rest on 21, that of TPOT on 1.
    assert "at C=1 rest on 1 request:" in said(examine(round_), round_)


def test_too_few_requests_for_any_p99_are_named_though_none_is_given() -> None:
    # 10 and 99 are below the 100 that a p99 takes; 100 are not
    finding = examine(one_series({"requests": 10}, {"requests": 99}, {"requests": 100}))

    assert (finding.status, finding.levels) == ("note", ("c1", "c2"))
    text = said(finding, one_series({"requests": 10}, {"requests": 99}, {"requests": 100}))
    assert "At C=1 and C=2 it was sent 10 and 99 requests, and a p99 needs 100" in text


def test_the_first_round_has_ten_requests_under_a_p99() -> None:
    of_llama = found_by(CHECK, published("round-1"))[1]

    assert of_llama.status == "note"
    assert "At C=1 and C=8 it was sent 10 and 80 requests" in said(of_llama, published("round-1"))
