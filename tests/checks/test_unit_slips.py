from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.request_rows import answer, requests_of
from tests.support.telling import found_by, said

CHECK = "unit_slips"
RIGHT = {
    "concurrency": 2.0,
    "asked_output_tokens": 50.0,
    "ttft_p50": 0.5,
    "tpot_p50": 0.04,
    "e2el_p50": 2.46,  # 0.5 + 49 × 0.04
}
"""Latencies of fifty tokens, in seconds."""


def level(**seen: float) -> Round:
    return memory_round({"s": {"c2": {**RIGHT, **seen}}})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_latencies_that_add_up_pass() -> None:
    assert examine(level()).status == "pass"


@pytest.mark.parametrize(
    ("metric", "value", "how"),
    [
        ("tpot_p50", 40.0, "the TPOT p50 of s is a thousand times too large, as milliseconds read as seconds"),
        ("tpot_p50", 4e-5, "the TPOT p50 of s is a thousand times too small, as seconds read as milliseconds"),
        ("ttft_p50", 500.0, "the TTFT p50 of s is a thousand times too large"),
        ("e2el_p50", 0.00246, "the E2EL p50 of s is a thousand times too small"),
        ("tpot_p50", 4e4, "the TPOT p50 of s is a million times too large, as microseconds read as seconds"),
    ],
)
def test_the_number_that_is_off_is_named_with_its_likely_unit(metric: str, value: float, how: str) -> None:
    round_ = level(**{metric: value})
    finding = examine(round_)

    assert finding.status == "warn"
    assert [doubt.metric for doubt in finding.doubts] == [metric]
    assert f"At C=2 {how}" in said(finding, round_)


def test_what_no_unit_explains_is_another_checks_matter() -> None:
    assert examine(level(e2el_p50=4.0)).status == "pass"


def test_levels_that_slip_alike_are_told_once() -> None:
    slipped = {**RIGHT, "tpot_p50": 40.0}
    finding = examine(memory_round({"s": {"c2": slipped, "c4": {**slipped, "concurrency": 4.0}}}))

    assert finding.levels == ("c2", "c4")


def test_a_throughput_of_thousands_of_tokens_is_told() -> None:
    # 0.4 × 25 s = 10 where 10 000 tokens were counted
    counted = {"output_throughput": 0.4, "duration": 25.0, "output_tokens_counted": 10_000.0}
    round_ = memory_round({"s": {"c2": {"concurrency": 2.0, **counted}}})
    finding = examine(round_)

    assert [doubt.metric for doubt in finding.doubts] == ["output_throughput"]
    text = said(finding, round_)
    assert "the output throughput of s is a thousand times too small, as thousands of tokens" in text
    assert "小了一千倍，像是以千个 token 计" in text


@pytest.mark.parametrize(("itl", "status"), [(0.02, "pass"), (20.0, "warn"), (0.3, "pass")])
def test_gaps_are_held_against_the_throughput_where_nothing_else_is_known(itl: float, status: str) -> None:
    # 8 ÷ 400 = 20 ms; 0.3 s are fifteen times that, which is no unit.
    round_ = memory_round({"s": {"c8": {"concurrency": 8.0, "output_throughput": 400.0, "itl_p50": itl}}})

    assert examine(round_).status == status


def test_what_requests_give_is_in_their_unit() -> None:
    run = requests_of(answer(0.5, 0.04, 0.04))
    round_ = memory_round({"s": {"c2": {**RIGHT, "tpot_p50": 40.0}}}, runs={("s", "c2", None): run})

    assert examine(round_).is_empty


def test_published_rounds_are_in_the_units_they_say() -> None:
    assert examine(published("round-2")).status == "pass"
