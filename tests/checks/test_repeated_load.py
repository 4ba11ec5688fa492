from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import Levels, memory_round
from tests.support.telling import found_by, said

CHECK = "repeated_load"
TWO = {"concurrency": 2, "output_throughput": 200}
TWO_AGAIN = {"concurrency": 2, "output_throughput": 180}


def one_series(levels: Levels) -> Round:
    return memory_round({"s": levels})


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def test_levels_of_one_load_are_repetitions() -> None:
    round_ = one_series({"b": TWO, "b2": TWO_AGAIN, "c4": {"concurrency": 4}})
    finding = examine(round_)

    assert (finding.status, finding.series, finding.levels) == ("warn", "s", ("b", "b2"))
    assert [address.level for address in finding.evidence] == ["b", "b2"]
    assert "C=2 (b) and C=2 (b2) of s have the same load and lengths" in said(finding, round_)
    assert finding.remedy is not None


def test_each_load_that_is_repeated_is_a_finding() -> None:
    four = {"concurrency": 4}
    assert [
        finding.levels for finding in found_by(CHECK, one_series({"b": TWO, "b2": TWO, "d": four, "d2": four}))
    ] == [("b", "b2"), ("d", "d2")]


@pytest.mark.parametrize(
    "levels",
    [
        pytest.param({"b": TWO, "c4": {"concurrency": 4}}, id="other loads"),
        pytest.param({"b": TWO, "r2": {"rate": 2}}, id="a rate of the same number"),
        pytest.param(
            {"b-1": {**TWO, "asked_input_tokens": 1}, "b-9": {**TWO, "asked_input_tokens": 9}}, id="other lengths in"
        ),
        pytest.param(
            {"b-1": {**TWO, "asked_output_tokens": 1}, "b-9": {**TWO, "asked_output_tokens": 9}}, id="other lengths out"
        ),
    ],
)
def test_levels_that_differ_are_no_repetitions(levels: Levels) -> None:
    assert (examine(one_series(levels)).status, examine(one_series(levels)).series) == ("pass", None)


def test_second_round_repeats_no_load() -> None:
    assert examine(published("round-2")).status == "pass"


def test_without_levels_nothing_can_be_repeated() -> None:
    assert examine(one_series({})).status == "unknown"


def test_counted_lengths_tell_levels_apart_where_none_were_declared() -> None:
    # (157 + 64) against (2077 + 256) tokens a request, over 10 requests each
    short = {"concurrency": 4, "completed": 10, "input_tokens_counted": 1570, "output_tokens_counted": 640}
    long = {"concurrency": 4, "completed": 10, "input_tokens_counted": 20770, "output_tokens_counted": 2560}
    again = {**short, "input_tokens_counted": 1600}  # 160 a request: random prompts come out a few tokens longer

    assert examine(one_series({"c4-in157-out64": short, "c4-in2077-out256": long})).status == "pass"
    assert examine(one_series({"c4-in157-out64": short, "c4-again": again})).levels == ("c4-in157-out64", "c4-again")


def test_rates_under_one_limit_are_no_repetitions() -> None:
    limited = {f"r{rate}": {"rate": rate, "concurrency": 128} for rate in (5, 10)}

    assert examine(one_series(limited)).status == "pass"


def test_levels_without_a_load_are_no_repetitions() -> None:
    # A prompt of 1024 tokens, and one of 512 behind as many: the inputs are of one length.
    lengths = {"asked_input_tokens": 1024.0, "prompt_throughput": 900.0}

    assert examine(one_series({"pp1024": lengths, "pp512-d512": lengths})).status == "pass"
