from __future__ import annotations

import math

import pytest

from generator.analysis.resolve import Resolver
from generator.kinds import Column, Picked, Unknown
from generator.text import Text
from tests.support.memory_round import GRAPH, address, memory_round
from tests.support.toy_metrics import derived, half_of_a, one_level, ratio_of_a_and_b, resolver, seen

HALF = address("half", "level", "s", "c1")
RATIO = address("ratio", "level", "s", "c1")
TOTAL = address("total", "series", "s")


def test_the_unknown_travels_with_its_reason() -> None:
    @derived("half + 1")
    def more(half: float) -> float:
        return half + 1

    found = resolver(one_level(), seen("a"), half_of_a(), more)
    values = [found.value(address(name, "level", "s", "c1")) for name in ("a", "half", "more")]

    assert {value.value for value in values} == {None}
    assert {value.reason for value in values} == {values[0].reason}
    assert {(value.origin, value.rests_on, value.formula, value.inputs) for value in values} == {(None, None, None, ())}


def test_zero_is_a_number_and_not_the_unknown() -> None:
    assert resolver(one_level(a=0), seen("a"), half_of_a()).value(HALF).value == 0


def test_a_function_may_say_that_the_answer_cannot_be_known() -> None:
    reason = Text(zh="不知道", en="nobody knows")

    @derived("a ÷ 2")
    def half(a: float) -> Unknown:
        return Unknown(reason)

    value = resolver(one_level(a=1), seen("a"), half).value(HALF)

    assert (value.value, value.reason) == (None, reason)


def test_division_by_zero_names_what_is_zero() -> None:
    value = resolver(one_level(a=3, b=0), seen("a"), seen("b"), ratio_of_a_and_b()).value(RATIO)

    assert value.value is None
    assert value.reason == Text(zh="b为 0，公式没有定义", en="the formula is undefined where b is 0")


def test_division_by_zero_in_columns_is_unknown_too() -> None:
    @derived("first(a) ÷ first(b)", "series")
    def ratio(a: Column, b: Column) -> float:
        return float(a[0] / b[0])

    value = resolver(one_level(a=3, b=0), seen("a"), seen("b"), ratio).value(address("ratio", "series", "s"))

    assert value.value is None
    assert value.reason is not None
    assert value.reason.en == "the formula is undefined where b is 0"


@pytest.mark.parametrize("outcome", [math.inf, -math.inf, math.nan, 1.1e200, -1e300])
def test_what_is_not_finite_is_unknown(outcome: float) -> None:
    @derived("a ÷ 2")
    def half(a: float) -> float:
        return outcome

    value = resolver(one_level(a=1), seen("a"), half).value(HALF)

    assert value.value is None
    assert value.reason is not None
    assert value.reason.en == "the formula is undefined for these inputs"


@pytest.mark.parametrize("outcome", [math.inf, math.nan])
def test_what_is_not_finite_is_unknown_of_picked_rows_too(outcome: float) -> None:
    @derived("sum(a)", "series")
    def total(a: Column) -> Picked:
        return Picked(outcome, rows=(0,))

    assert resolver(one_level(a=1), seen("a"), total).value(TOTAL).value is None


def test_a_formula_without_a_value_is_unknown() -> None:
    @derived("ln(a)")
    def half(a: float) -> float:
        return math.log(a)

    assert resolver(one_level(a=-1), seen("a"), half).value(HALF).value is None


def test_an_overflow_is_unknown() -> None:
    @derived("exp(a)")
    def half(a: float) -> float:
        return math.exp(a)

    assert resolver(one_level(a=1e6), seen("a"), half).value(HALF).value is None


def test_what_is_plainest_to_record_is_asked_for_before_the_models_files() -> None:
    levels = {"a": {"c1": {"concurrency": 1.0}}}
    value = Resolver(GRAPH, memory_round(levels)).value(address("weight_bytes_read", "level", "a", "c1"))
    assert value.reason is not None
    assert "weight_params of round.toml" in value.reason.en
