from __future__ import annotations

import pytest

from generator.model import Round
from generator.told.findings import Finding
from generator.values import Address
from tests.support.example_rounds import published
from tests.support.memory_round import Levels, Numbers, memory_round
from tests.support.telling import analysed, found_by, said

CHECK = "produced_output"


def level(load: float, throughput: float, tokens: float, **other: float) -> dict[str, Numbers]:
    """Return one level whose answers have a number of tokens on average."""
    seen = {"output_throughput": throughput, "output_tokens_mean": tokens, "requests": 100, "completed": 100}
    return {f"c{load:g}": {"concurrency": load, **seen, **other}}


def pair(a: Levels, b: Levels) -> Round:
    return memory_round({"a": a, "b": b}, baseline="a")


def examine(round_: Round) -> Finding:
    (finding,) = found_by(CHECK, round_)
    return finding


def ratio(level: str) -> Address:
    return Address("throughput_ratio", "pair-level", "b", level)


@pytest.mark.parametrize(("tokens", "status"), [(98.1, "pass"), (97.9, "warn"), (101.9, "pass"), (102.1, "warn")])
def test_a_difference_of_more_than_two_in_a_hundred_is_a_warning(tokens: float, status: str) -> None:
    # 100 ÷ 98.1 = 1.019, 100 ÷ 97.9 = 1.021
    assert examine(pair(level(1, 100, 100), level(1, 110, tokens))).status == status


def test_answers_that_end_early_on_one_side_put_the_ratio_in_doubt() -> None:
    # Of 163,840 tokens asked, in 1280 requests of 128, one side produced 123,383: 96.39 a request.
    whole = level(8, 1000, 128, requests=1280, completed=1280) | level(16, 1500, 128)
    round_ = pair(whole, level(8, 1200, 123_383 / 1280, requests=1280, completed=1280) | level(16, 1600, 128))
    finding = examine(round_)

    assert (finding.status, finding.levels, finding.doubts) == ("warn", ("c8",), (ratio("c8"),))
    text = said(finding, round_)
    assert (
        "At C=8 b and a did not produce the same output, for each request sent: 96.393 tok on b and 128 tok on a"
        in text
    )
    assert "At C=8 b produced less" in text
    assert "不是同样的活" in text


def test_failed_requests_are_work_that_was_not_done() -> None:
    # 100 tokens × 90 completed ÷ 100 sent = 90
    round_ = pair(level(1, 100, 100), level(1, 100, 100, completed=90))

    assert "90 tok on b and 100 tok on a" in said(examine(round_), round_)


def test_a_crossing_that_rests_on_such_a_level_is_in_doubt_as_well() -> None:
    # b leads at C=1 with 1.1 and trails at C=2 with 0.9, where it produced half.
    round_ = pair(level(1, 100, 100) | level(2, 100, 100), level(1, 110, 100) | level(2, 90, 50))

    assert examine(round_).doubts == (ratio("c2"), Address("crossover_concurrency", "pair", "b"))


def test_the_level_furthest_off_is_told_of_several() -> None:
    round_ = pair(level(1, 100, 100) | level(2, 200, 100), level(1, 100, 90) | level(2, 200, 50))

    assert "furthest off at C=2, 50 tok on b and 100 tok on a" in said(examine(round_), round_)


def test_excluded_levels_of_the_second_round_count_no_further() -> None:
    # llama.cpp is 2.7 % short at C=32, which is excluded, and 1.3 % at C=4, the most elsewhere.
    finding = examine(published("round-2"))

    assert (finding.status, "c32" in finding.levels, len(finding.levels)) == ("pass", False, 6)


def test_output_that_one_side_did_not_count_cannot_be_compared() -> None:
    assert examine(pair(level(1, 100, 100), {"c1": {"concurrency": 1, "output_throughput": 1}})).status == "unknown"


def test_without_a_baseline_there_are_no_two_sides() -> None:
    assert examine(memory_round({"a": level(1, 100, 100), "b": level(1, 100, 50)})).is_empty


def test_the_level_itself_stays_usable() -> None:
    analysis = analysed(pair(level(1, 100, 100), level(1, 100, 50)))

    assert analysis.spoilt == {}
