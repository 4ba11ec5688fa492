from __future__ import annotations

from dataclasses import replace

import pytest

from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import Numbers, address, memory_round, observation
from tests.support.request_rows import answer, failure, requests_of
from tests.support.telling import found_by, said

CHECK = "failed_requests"


def one_series(*levels: Numbers) -> Round:
    return memory_round({"s": {f"c{row}": {"concurrency": row, **seen} for row, seen in enumerate(levels, 1)}})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


@pytest.mark.parametrize(
    ("completed", "status"),
    [
        (200, "pass"),
        (199, "note"),  # 1 of 200: 0.5 %
        (198, "note"),  # 2 of 200: 1 %, and no more
        (197, "warn"),  # 3 of 200: 1.5 %
        (0, "warn"),
    ],
)
def test_share_of_failures_decides(completed: float, status: str) -> None:
    assert examine(one_series({"requests": 200, "completed": completed})).status == status


def test_levels_with_failures_are_named_and_the_worst_is_counted() -> None:
    round_ = one_series(
        {"requests": 100, "completed": 99}, {"requests": 100, "completed": 100}, {"requests": 100, "completed": 90}
    )
    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c1", "c3"))
    assert finding.looks == "better"
    text = said(finding, round_)
    assert "failed at C=1 and C=3: most of all at C=3, 10 of 100, or 10.0%" in text
    assert "最多的是 C=3，100 条里的 10 条" in text
    assert "latencies of s are flattered" in text


def test_more_completed_than_sent_is_no_failure() -> None:
    assert examine(one_series({"requests": 10, "completed": 11})).status == "pass"


def test_first_round_loses_eight_requests() -> None:
    # 320 sent and 312 completed at C=32: 8 ÷ 320 = 2.5 %. vLLM's completed requests are not on record.
    by_series = {finding.series: finding for finding in found_by(CHECK, published("round-1"))}

    assert by_series["llamacpp-q4_k_m"].status == "warn"
    assert "at C=32: 8 of 320, or 2.5%" in said(by_series["llamacpp-q4_k_m"], published("round-1"))
    assert by_series["vllm-bf16"].status == "unknown"


def test_second_round_loses_one() -> None:
    # 319 of 320 completed at C=32: 0.3 %.
    by_series = {finding.series: finding for finding in found_by(CHECK, published("round-2"))}

    assert (by_series["llamacpp-q4_k_m"].status, by_series["llamacpp-q4_k_m"].levels) == ("note", ("c32",))
    assert by_series["vllm-bf16"].status == "pass"


def test_trials_are_counted_together() -> None:
    # 18 and 22 of 240: 40 of 480, 8.33 %. The median of the two runs would be 20 of 240.
    further = [
        observation(address(key, "level", "s", "c8", trial=trial), number, "reported")
        for trial, completed in ((1, 222), (2, 218))
        for key, number in (("requests", 240), ("completed", completed))
    ]
    round_ = memory_round(
        {"s": {"c8": {"concurrency": 8}}}, further=further, runs={("s", "c8", 1): None, ("s", "c8", 2): None}
    )
    finding = examine(round_)

    assert (finding.status, finding.levels) == ("warn", ("c8",))
    assert [one.metric for one in finding.evidence] == ["failed_total", "requests_total"]
    text = said(finding, round_)
    assert "failed at C=8: 40 of 480 over all runs, or 8.3%" in text
    assert "全部运行合计 480 条里的 40 条" in text


def test_one_failing_run_of_three_is_not_lost_in_the_median() -> None:
    further = [
        observation(address(key, "level", "s", "c8", trial=trial), number, "reported")
        for trial, completed in ((1, 100), (2, 90), (3, 100))
        for key, number in (("requests", 100), ("completed", completed))
    ]
    runs: dict[Trial, Requests | None] = {("s", "c8", trial): None for trial in (1, 2, 3)}
    round_ = memory_round({"s": {"c8": {"concurrency": 8}}}, further=further, runs=runs)

    # The median of 0, 10 and 0 is 0; 10 of 300 are 3.3 %.
    assert examine(round_).status == "warn"
    assert "10 of 300 over all runs, or 3.3%" in said(examine(round_), round_)


def died_of(kinds: dict[str, int]) -> Round:
    requests = replace(requests_of(answer(0.1, 0.1), failure(), failure()), kinds_of_error=kinds)
    return memory_round({"s": {"c1": {"concurrency": 1.0}}}, runs={("s", "c1", None): requests})


def test_errors_are_named_the_most_frequent_first() -> None:
    round_ = died_of({"unknown": 1, "ReadTimeout": 1, "aiohttp.ClientOSError": 2})

    assert "They ended in aiohttp.ClientOSError and ReadTimeout." in said(examine(round_), round_)
    assert "could not decode" not in said(examine(round_), round_)


def test_what_the_client_could_not_decode_is_no_error_of_the_server() -> None:
    round_ = died_of({"UnicodeDecodeError": 2})

    assert "UnicodeDecodeError is of the client" in said(examine(round_), round_)


def test_where_they_were_lost_comes_before_another_run() -> None:
    round_ = died_of({"TimeoutError": 2})

    assert examine(round_).looks == "better"
    assert "Find out first where they were lost and why, then run C=1 again." in said(examine(round_), round_)
    assert "engine's log" not in said(examine(round_), round_)


def test_requests_whose_connection_was_gone_were_no_slow_ones() -> None:
    finding = examine(died_of({"aiohttp.ClientOSError": 1, "ServerDisconnectedError": 1}))

    assert (finding.bias, finding.looks, finding.remedy) == (None, None, None)
