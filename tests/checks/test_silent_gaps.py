from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.request_rows import Row, answer, requests_of
from tests.support.telling import found_by, said

CHECK = "silent_gaps"


def round_of(*rows: Row) -> Round:
    return memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): requests_of(*rows)})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def run_with(silence: float, gaps: int = 1000, usual: float = 0.01) -> Round:
    """Return one request of many gaps, one of which, the second, is long; it is too rare to be the p99."""
    return round_of(answer(0.5, usual, silence, *[usual] * gaps, start=0.0))


def test_steady_tokens_pass_with_the_longest_silence() -> None:
    round_ = run_with(0.02)

    assert examine(round_).status == "pass"
    assert "at most 0.500 s, at C=1" in said(examine(round_), round_)  # before the first token


@pytest.mark.parametrize(("silence", "status"), [(4.9, "pass"), (5.1, "warn")])
def test_five_seconds_of_silence_are_told(silence: float, status: str) -> None:
    assert examine(run_with(silence)).status == status


def test_a_silence_is_told_with_its_time() -> None:
    # The first token at 0.5 s, the second at 0.51 s; then nothing for 24 s.
    round_ = run_with(24.0)
    finding = examine(round_)

    assert (finding.status, finding.looks, finding.levels) == ("warn", "worse", ("c1",))
    text = said(finding, round_)
    assert "for 24.0 s from 0.510 s on, nothing came though requests were in flight" in text
    assert "从第 0.510 s 起有 24.0 s 没有任何 token" in text


def test_an_engine_that_is_slow_all_the_time_has_no_gap() -> None:
    # Gaps of 0.3 s: twenty of them are 6 s, more than the silence of 5.5 s.
    assert examine(run_with(5.5, usual=0.3)).status == "pass"


def test_a_long_prompt_is_read_in_silence() -> None:
    # Each of three requests, one after the other, waits 6 s for its first token: that is usual here.
    rows = [answer(6.0, *[0.01] * 9, start=7.0 * number) for number in range(3)]

    assert examine(round_of(*rows)).status == "pass"


def test_nothing_is_due_between_requests() -> None:
    # Two requests of 0.6 s, the second sent 60 s later.
    assert examine(round_of(answer(0.5, 0.1, start=0.0), answer(0.5, 0.1, start=60.0))).status == "pass"


def test_without_times_silence_cannot_be_seen() -> None:
    assert examine(published("round-1")).is_empty
