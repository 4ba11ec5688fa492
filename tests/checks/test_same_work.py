from __future__ import annotations

import pytest

from generator.told.findings import Finding
from tests.support.example_rounds import published
from tests.support.memory_round import Levels, Numbers, memory_round
from tests.support.telling import found_by, said

CHECK = "same_work"
USUAL: Numbers = {"asked_input_tokens": 1024, "asked_output_tokens": 256, "requests": 40}


def level(load: float, **other: float) -> dict[str, Numbers]:
    """Return one level that is asked the usual, but for some of it."""
    return {f"c{load:g}": {"concurrency": load, **USUAL, **other}}


def examine(**series: Levels) -> Finding:
    (finding,) = found_by(CHECK, memory_round(series))
    return finding


def words(**series: Levels) -> str:
    return said(examine(**series), memory_round(series))


def test_second_round_asked_the_same_of_both_series() -> None:
    # Seven levels of two series, with input, output and number of requests each.
    (work,) = found_by(CHECK, published("round-2"))

    assert (work.status, work.series, len(work.evidence)) == ("pass", None, 2 * 7 * 3)


def test_first_round_sent_unequal_numbers_of_requests() -> None:
    # At C=1 the tables have 40 and 10; vLLM's requests at the other levels were not published.
    (work,) = found_by(CHECK, published("round-1"))

    assert (work.status, work.series) == ("warn", None)
    text = said(work, published("round-1"))
    assert "At C=1 the series were not sent the same number of requests: 40 for vLLM BF16 and 10 for llama.cpp" in text
    assert "各系列在 C=1 收到的请求数不同：vLLM BF16 为 40、llama.cpp Q4_K_M 为 10。" in text
    assert "At C=1 the fewest were sent to llama.cpp Q4_K_M" in text


@pytest.mark.parametrize(
    ("metric", "amount", "phrase", "bias"),
    [
        (
            "asked_input_tokens",
            512,
            "input of the same length: 1,024 tok for a and 512 tok for b",
            "At C=1 the input was shortest for b,",
        ),
        (
            "asked_output_tokens",
            512,
            "output of the same length: 256 tok for a and 512 tok for b",
            "At C=1 the shortest output was requested of a,",
        ),
        ("requests", 80, "the same number of requests: 40 for a and 80 for b", "At C=1 the fewest were sent to a:"),
    ],
)
def test_whoever_was_asked_for_less_is_named(metric: str, amount: float, phrase: str, bias: str) -> None:
    text = words(a=level(1), b=level(1, **{metric: amount}))

    assert phrase in text
    assert bias in text


def test_one_of_several_levels_is_given_as_an_example() -> None:
    text = words(a=level(1) | level(2) | level(4), b=level(1) | level(2, requests=60) | level(4, requests=80))

    assert "At C=2 and C=4 the series were not sent the same number" in text
    assert "40 for a and 60 for b at C=2, for example." in text
    assert "例如在 C=2，a 为 40、b 为 60。" in text


def test_each_thing_asked_has_its_own_finding() -> None:
    findings = found_by(CHECK, memory_round({"a": level(1), "b": level(1, requests=80, asked_input_tokens=512)}))

    assert [finding.status for finding in findings] == ["warn", "warn"]


def test_three_series_are_compared_without_a_baseline() -> None:
    assert "40 for a, 40 for b and 20 for c" in words(a=level(1), b=level(1), c=level(1, requests=20))
    assert "10 for b and 40 for c" in words(a=level(2), b=level(1, requests=10), c=level(1))


def test_levels_of_one_name_under_different_loads_are_not_shared() -> None:
    assert examine(a={"c1": {"concurrency": 1, **USUAL}}, b={"c1": {"concurrency": 2, **USUAL}}).status == "unknown"


@pytest.mark.parametrize(
    ("a", "b"),
    [({}, {}), (level(1), level(2)), (level(1), {"c1": {"concurrency": 1}})],
    ids=["no levels", "none shared", "one side recorded"],
)
def test_unknown_where_nothing_can_be_compared(a: Levels, b: Levels) -> None:
    finding = examine(a=a, b=b)

    assert finding.status == "unknown"
    assert finding.remedy is not None


def test_a_series_alone_is_compared_with_no_other() -> None:
    assert examine(a=level(1)).status == "pass"


def test_all_that_were_sent_the_fewest_are_named() -> None:
    text = words(a=level(4, requests=6), b=level(4, requests=6), c=level(4, requests=10))

    assert "At C=4 the fewest were sent to a and b:" in text
    assert "a、b 在 C=4 的请求最少" in text
