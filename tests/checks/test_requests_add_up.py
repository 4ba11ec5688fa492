from __future__ import annotations

from dataclasses import replace

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import Numbers, memory_round
from tests.support.request_rows import answer, failure, requests_of
from tests.support.telling import found_by, said

CHECK = "requests_add_up"


def one_series(*levels: Numbers) -> Round:
    return memory_round({"s": {f"c{row}": {"concurrency": row, **seen} for row, seen in enumerate(levels, 1)}})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_more_completed_than_sent_fails() -> None:
    round_ = one_series({"requests": 40, "completed": 45}, {"requests": 40, "completed": 40})
    finding = examine(round_)

    assert (finding.status, finding.levels, finding.spoils) == ("fail", ("c1",), ())
    assert {address.metric for address in finding.doubts} == {"failed", "failure_ratio"}
    text = said(finding, round_)
    assert "At C=1 s completed more requests than were sent: 45 against 40" in text
    assert "完成的请求比发出的还多：45 对 40" in text


def test_more_hits_than_completed_fails() -> None:
    round_ = one_series({"completed": 40, "prompt_cache_hits": 41}, {"completed": 40, "prompt_cache_hits": 90})
    finding = examine(round_)

    assert (finding.status, finding.levels) == ("fail", ("c1", "c2"))
    assert {address.metric for address in finding.doubts} == {"prompt_cache_hit_ratio"}
    assert "furthest off at C=2, 90 against 40" in said(finding, round_)  # over by 50; by 1 at C=1


def test_both_faults_are_two_findings() -> None:
    sent, hits = found_by(CHECK, one_series({"requests": 1, "completed": 2, "prompt_cache_hits": 3}))

    assert "completed more requests" in sent.message.text.en
    assert "more prompt-cache hits" in hits.message.text.en


@pytest.mark.parametrize(
    "seen",
    [
        pytest.param({"requests": 40, "completed": 40}, id="all completed"),
        pytest.param({"requests": 40, "completed": 0}, id="none completed"),
        pytest.param({"completed": 40, "prompt_cache_hits": 40}, id="all hit"),
    ],
)
def test_counts_that_fit_pass(seen: Numbers) -> None:
    assert examine(one_series(seen)).status == "pass"


@pytest.mark.parametrize("seen", [{}, {"requests": 40}, {"completed": 40}, {"prompt_cache_hits": 40}])
def test_one_count_alone_says_nothing(seen: Numbers) -> None:
    assert examine(one_series(seen)).status == "unknown"


def test_second_round_adds_up() -> None:
    assert [finding.status for finding in found_by(CHECK, published("round-2"))] == ["pass"]


def of_runs(kinds: dict[str, int], *, ours: bool) -> Round:
    """Return a run of three requests, two of them failed, with these reasons on record."""
    requests = replace(requests_of(answer(0.1), failure(), failure()), kinds_of_error=kinds)
    round_ = memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): requests})
    return replace(round_, described={("s", "c1", None): {"stamps": "user"} if ours else {}})


@pytest.mark.parametrize(
    ("kinds", "ours", "status"),
    [
        pytest.param({"reset": 1, "cancelled": 1}, True, "pass", id="3 = 1 + 1 + 1"),
        pytest.param({"reset": 1}, True, "fail", id="one went astray"),
        pytest.param({"reset": 1}, False, "pass", id="another client leaves reasons out"),
        pytest.param({"reset": 2, "cancelled": 1}, False, "fail", id="more failures than there were"),
    ],
)
def test_sent_is_completed_and_failed_and_cancelled(kinds: dict[str, int], ours: bool, status: str) -> None:
    assert examine(of_runs(kinds, ours=ours)).status == status


def test_requests_without_an_end_are_counted() -> None:
    round_ = of_runs({"reset": 1}, ours=True)
    finding = examine(round_)

    assert (finding.levels, [one.metric for one in finding.evidence]) == (("c1",), ["requests", "completed"])
    text = said(finding, round_)
    assert "2 were not completed, and a reason for failing or being cancelled is on record for 1" in text
    assert "没有完成的有 2 条，记下失败或取消原因的有 1 条" in text
