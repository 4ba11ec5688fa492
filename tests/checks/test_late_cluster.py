from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import found_by, said

CHECK = "late_cluster"


def sent(*waits: float) -> Round:
    """Return requests sent a second apart, with these waits for their first token."""
    rows = [answer(wait, 0.1, start=float(number)) for number, wait in enumerate(waits)]
    return memory_round({"s": {"c1": {"concurrency": 1}}}, runs={("s", "c1", None): requests_of(*rows)})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


@pytest.mark.parametrize(("slow", "status"), [(4, "pass"), (5, "warn")])
def test_five_slow_requests_in_a_row_are_a_cluster(slow: int, status: str) -> None:
    assert examine(sent(*[0.1] * 30, *[0.6] * slow)).status == status


def test_a_cluster_is_told_with_its_time() -> None:
    # Thirty usual requests, sent at 0 … 29 s; six slow ones, sent at 30 … 35 s.
    round_ = sent(*[0.1] * 30, *[0.6] * 6)
    finding = examine(round_)

    assert (finding.looks, [doubt.metric for doubt in finding.doubts]) == ("worse", ["ttft_p99"])
    text = said(finding, round_)
    assert "6 of them, sent between 30.0 s and 35.0 s, where the median TTFT is 100 ms" in text
    assert "6 条，发出于 30.0 s 到 35.0 s 之间" in text


def test_slow_requests_here_and_there_are_a_tail() -> None:
    # Every fifth of fifty waits long: 46 are sent from the first of the ten to the last.
    assert examine(sent(*[0.1, 0.1, 0.1, 0.1, 0.6] * 10)).status == "pass"


def test_the_first_wave_is_none() -> None:
    # Six sent before the first answer has ended, all slow; then thirty usual ones.
    rows = [answer(5.0, 0.1, start=0.0) for _ in range(6)]
    rows += [answer(0.1, 0.1, start=6.0 + number) for number in range(30)]
    round_ = memory_round({"s": {"c6": {"concurrency": 6}}}, runs={("s", "c6", None): requests_of(*rows)})

    assert examine(round_).status == "pass"


def test_without_requests_nothing_can_be_seen() -> None:
    assert examine(published("round-2")).is_empty
