from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import found_by, said

CHECK = "first_wave"


def sent(*waits: float, slots: float = 1) -> Round:
    """Return a closed loop of so many slots: the TTFT of its requests, in the order in which they were sent."""
    rows = [answer(wait, 0.1, start=float(number)) for number, wait in enumerate(waits)]
    level = {"concurrency": slots, "duration": float(len(rows))}
    return memory_round({"s": {"c": level}}, runs={("s", "c", None): requests_of(*rows)})


def examine(round_: Round) -> Finding:
    finding, *_ = found_by(CHECK, round_)
    return finding


def test_requests_that_are_alike_pass() -> None:
    finding = examine(sent(*[0.1] * 10))

    assert (finding.status, finding.is_empty) == ("pass", False)


@pytest.mark.parametrize(("first", "status"), [(0.29, "pass"), (0.31, "warn")])
def test_a_first_request_above_three_medians_is_cold(first: float, status: str) -> None:
    # Forty requests of 0.1 s: the first is 2.9 or 3.1 times that, and raises the mean by 4.9 % at the most.
    assert examine(sent(first, *[0.1] * 40)).status == status


def test_both_means_of_a_cold_start_are_told() -> None:
    # 2.8 s, then nine of 0.1 s: (2.8 + 0.9) ÷ 10 = 370 ms with it, 100 ms without.
    round_ = sent(2.8, *[0.1] * 9)
    (finding,) = found_by(CHECK, round_)

    assert (finding.status, finding.looks) == ("warn", "worse")
    assert [doubt.metric for doubt in finding.doubts] == ["ttft_mean"]
    text = said(finding, round_)
    assert "its first token took 2,800 ms; the mean TTFT is 370 ms with it and 100 ms without" in text
    assert "TTFT 均值是 370 ms，不含它是 100 ms" in text


@pytest.mark.parametrize(
    ("first", "status"),
    [
        (0.14, "pass"),  # (2 × 0.14 + 8 × 0.1) ÷ 10 = 0.108, 1.08 times 0.1
        (0.2, "note"),  # 0.12
        (0.29, "note"),  # 0.138
    ],
)
def test_a_first_wave_that_shows_in_the_mean_is_noted(first: float, status: str) -> None:
    assert examine(sent(first, first, *[0.1] * 8, slots=2)).status == status


def test_a_first_wave_that_makes_the_mean_is_a_warning() -> None:
    # Twenty slots: ten of 0.1 s and ten of 1.0 s at first, so that no single request is to blame, then 80 of 0.1 s.
    # (10 × 0.1 + 10 × 1.0 + 80 × 0.1) ÷ 100 = 190 ms against 100 ms.
    round_ = sent(*[0.1] * 10, *[1.0] * 10, *[0.1] * 80, slots=20)
    (finding,) = found_by(CHECK, round_)

    assert (finding.status, finding.levels) == ("warn", ("c",))
    assert "the mean TTFT is 190 ms, and 100 ms without the 20 requests sent first" in said(finding, round_)


@pytest.mark.parametrize(("requests", "status"), [(19, "note"), (20, "unknown")])
def test_fewer_than_five_waves_are_noted(requests: float, status: str) -> None:
    round_ = memory_round({"s": {"c4": {"concurrency": 4, "requests": requests}}})  # 19 ÷ 4 = 4.75

    assert examine(round_).status == status
    if status == "note":
        assert "fewer than 5 waves of requests at C=4: 4.75 waves" in said(examine(round_), round_)


def test_without_requests_only_the_waves_are_known() -> None:
    for finding in found_by(CHECK, published("round-2")):
        assert finding.status == "unknown"
        assert finding.remedy is not None
        assert "how long the first wave waited cannot be known" in said(finding, published("round-2"))


def test_arrivals_at_a_rate_have_no_wave() -> None:
    assert examine(memory_round({"s": {"r1": {"rate": 1.0, "requests": 3}}})).is_empty
