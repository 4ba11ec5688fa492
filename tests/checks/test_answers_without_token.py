from __future__ import annotations

from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.told.findings import Finding
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, failure, requests_of, tokenless
from tests.support.telling import found_by, said

CHECK = "answers_without_token"


def one_series(*runs: Requests) -> Round:
    levels = {f"c{row}": {"concurrency": float(row)} for row in range(1, len(runs) + 1)}
    trials: dict[Trial, Requests | None] = {("s", f"c{row}", None): one for row, one in enumerate(runs, 1)}
    return memory_round({"s": levels}, runs=trials)


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_one_of_four_is_named_and_counted() -> None:
    round_ = one_series(requests_of(answer(0.1), answer(0.2), answer(0.3), tokenless()))
    finding = examine(round_)

    assert (finding.status, finding.series, finding.levels) == ("warn", "s", ("c1",))
    assert finding.looks == "better"
    text = said(finding, round_)
    assert "1 of 4 answers without a token" in text
    assert "4 条回答里的 1 条" in text
    assert "a zero in the file is not a measurement" in text
    assert "raise the request throughput of s" in text


def test_the_level_with_most_of_them_is_named() -> None:
    round_ = one_series(requests_of(answer(0.1), tokenless()), requests_of(answer(0.1), tokenless(), tokenless()))

    assert examine(round_).levels == ("c1", "c2")
    assert "most of all at C=2, 2 of 3 answers without a token" in said(examine(round_), round_)


def test_a_failed_request_is_no_answer() -> None:
    finding = examine(one_series(requests_of(answer(0.1), failure())))

    assert (finding.status, finding.series) == ("pass", "s")


def test_a_round_without_single_requests_has_no_answers_to_count() -> None:
    round_ = memory_round({"s": {"c1": {"concurrency": 1, "completed": 4}}})

    assert (examine(round_).status, examine(round_).series) == ("pass", None)
    assert "no answers to count" in said(examine(round_), round_)
