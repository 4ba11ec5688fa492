from __future__ import annotations

import pytest

from generator.model import Round
from generator.values import Address
from tests.support.memory_round import Levels, memory_round
from tests.support.telling import found_by, said

CHECK = "asked_vs_input"


def counted(tokens: float, asked: float | None = None) -> Levels:
    """Return a level of ten requests at C=1, of so many input tokens each."""
    level = {"concurrency": 1.0, "completed": 10.0, "input_tokens_counted": 10 * tokens}
    return {"c1": level if asked is None else {**level, "asked_input_tokens": asked}}


def statuses(round_: Round) -> list[str]:
    return [finding.status for finding in found_by(CHECK, round_)]


@pytest.mark.parametrize(
    ("tokens", "status"),
    [(1001, "pass"), (1049, "pass"), (1051, "warn"), (951, "pass"), (949, "warn")],
    ids=["BOS", "4.9 %", "5.1 %", "-4.9 %", "-5.1 %"],
)
def test_a_twentieth_off_what_was_asked_is_a_warning(tokens: float, status: str) -> None:
    assert statuses(memory_round({"s": counted(tokens, 1000)})) == [status]


def test_both_lengths_are_told() -> None:
    round_ = memory_round({"s": counted(5827, 10_000)})
    (finding,) = found_by(CHECK, round_)

    text = said(finding, round_)
    assert "not of the length asked: 5,827 tok counted, 10,000 tok asked per request" in text
    assert "计到 5,827 tok，要求 10,000 tok" in text


@pytest.mark.parametrize(("other", "status"), [(1019, "pass"), (1021, "warn")])
def test_series_of_unlike_inputs_did_not_do_the_same_work(other: float, status: str) -> None:
    assert statuses(memory_round({"a": counted(1000), "b": counted(other)})) == [status]


def test_half_the_input_at_the_same_length_is_refused_as_equal() -> None:
    # one client takes the range as 0 to L, the other as L
    round_ = memory_round({"a": counted(505), "b": counted(1000)})
    (finding,) = found_by(CHECK, round_)

    text = said(finding, round_)
    assert "per request at C=1, 505 tok for a and 1,000 tok for b. That is not the same work" in text
    assert "a, with the shortest input, has the advantage" in text


def test_the_ratio_of_throughputs_is_doubted_where_the_input_is_not_that_of_the_baseline() -> None:
    # b's input is that of a, the baseline; c's is 5 % longer.
    round_ = memory_round({"a": counted(1000), "b": counted(1000), "c": counted(1050)}, baseline="a")
    (finding,) = found_by(CHECK, round_)

    assert finding.doubts == (Address("throughput_ratio", "pair-level", "c", "c1"),)


def test_levels_that_only_one_series_has_are_not_compared() -> None:
    elsewhere = {"c2": {"concurrency": 2.0, "completed": 10.0, "input_tokens_counted": 99.0}}

    assert statuses(memory_round({"a": counted(1000, 1000), "b": elsewhere})) == ["pass"]


def test_without_counts_there_is_nothing_to_compare() -> None:
    (finding,) = found_by(CHECK, memory_round({"a": {"c1": {"concurrency": 1.0}}}))

    assert finding.is_empty
