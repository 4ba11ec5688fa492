"""Columns over the levels that differ in the load alone."""

from __future__ import annotations

import pytest

from generator.analysis.graph import build
from generator.analysis.resolve import Resolver
from generator.kinds import Column, Metric
from generator.values import Value
from tests.support.memory_round import address, memory_round
from tests.support.toy_metrics import derived, seen

LENGTHS = [
    seen(key)
    for side in ("input", "output")
    for key in (f"asked_{side}_tokens", f"{side}_tokens_counted")
]  # fmt: skip
LADDER = {f"c{load}": {"concurrency": load, "asked_input_tokens": 100, "a": 10 * load} for load in (1, 2, 4)}
SWEEP = {f"in{length}": {"concurrency": 1, "asked_input_tokens": length, "a": 1000} for length in (50, 200)}
RATES = {f"r{rate}": {"rate": rate, "asked_input_tokens": 50, "a": 1} for rate in (1, 2)}
SPOILT = frozenset({("s", "c2")})


def total_over(over: str) -> Metric:
    @derived("sum(a)", "series", over=over)
    def total(a: Column) -> float:
        return float(a.sum())

    return total


def resolved(over: str, *, spoilt: frozenset[tuple[str, str]] = frozenset()) -> Value:
    graph = build([seen("a"), seen("completed"), *LENGTHS, total_over(over)])
    round_ = memory_round({"s": {**LADDER, **SWEEP, **RATES}})
    return Resolver(graph, round_, spoilt).value(address("total", "series", "s"))


@pytest.mark.parametrize(
    ("over", "spoilt", "total"),
    [
        ("ladder", frozenset(), 72),  # 10 + 20 + 40, and the ladder of rates: 1 + 1
        ("ladder", SPOILT, 52),
        ("whole_ladder", SPOILT, 72),
        ("usable", SPOILT, 2052),  # the sweep as well
        ("reachable", frozenset(), 72),
        ("reachable", SPOILT, 12),  # 10 below C=2; no rate is excluded: 1 + 1
        ("reachable", frozenset({("s", "c1")}), 62),  # the lowest bars nothing: 20 + 40 + 1 + 1
    ],
)
def test_a_column_over_a_ladder_leaves_the_sweep_out(over: str, spoilt: frozenset[tuple[str, str]], total: int) -> None:
    assert resolved(over, spoilt=spoilt).value == total


@pytest.mark.parametrize(
    ("over", "spoilt", "total"),
    [
        ("ladder", frozenset(), 3),  # one more at each of three levels, not at the two of the sweep
        ("ladder", SPOILT, 2),
        ("reachable", SPOILT, 1),
    ],
)
def test_a_pair_is_compared_over_the_ladder_that_both_have(
    over: str, spoilt: frozenset[tuple[str, str]], total: int
) -> None:
    @derived("sum(lead)", "pair", over=over)
    def lead_in_all(lead: Column) -> float:
        return float(lead.sum())

    @derived("compared_a − baseline_a", "pair-level")
    def lead(compared_a: float, baseline_a: float) -> float:
        return compared_a - baseline_a

    other = {level: {**numbers, "a": numbers["a"] + 1} for level, numbers in {**LADDER, **SWEEP}.items()}
    graph = build([seen("a"), seen("completed"), *LENGTHS, lead, lead_in_all])
    round_ = memory_round({"base": {**LADDER, **SWEEP}, "s": other}, baseline="base")

    assert Resolver(graph, round_, spoilt).value(address("lead_in_all", "pair", "s")).value == total


def test_a_level_may_rest_on_a_column_that_is_the_same_whatever_is_excluded() -> None:
    @derived("a ÷ total")
    def share(a: float, total: float) -> float:
        return a / total

    graph = build([seen("a"), seen("completed"), *LENGTHS, total_over("whole_ladder"), share])
    round_ = memory_round({"s": {**LADDER, **SWEEP}})

    # 40 ÷ (10 + 20 + 40)
    assert Resolver(graph, round_, SPOILT).value(address("share", "level", "s", "c4")).value == 40 / 70
