from __future__ import annotations

import pytest

from generator.analysis.reasons import NO_BASELINE, NO_LEVEL
from generator.kinds import Column, Metric
from generator.values import Input
from tests.support.memory_round import address, memory_round
from tests.support.toy_metrics import derived, resolver, seen

A = address("a", "level", "s", "c1")


def test_a_pair_level_takes_both_sides_at_that_level() -> None:
    @derived("compared_a ÷ baseline_a", "pair-level")
    def lead(compared_a: float, baseline_a: float) -> float:
        return compared_a / baseline_a

    round_ = memory_round(
        {"base": {"c1": {"concurrency": 1, "a": 4}}, "s": {"c1": {"concurrency": 1, "a": 3}}}, baseline="base"
    )
    value = resolver(round_, seen("a"), lead).value(address("lead", "pair-level", "s", "c1"))

    # 3 ÷ 4
    assert value.value == 0.75
    assert value.inputs == (
        Input("compared_a", A),
        Input("baseline_a", address("a", "level", "base", "c1")),
    )
    assert value.n is None


def test_a_pair_takes_numbers_of_both_series_of_itself_and_of_the_round() -> None:
    @derived("compared_k − baseline_k", "pair")
    def ahead(compared_k: float, baseline_k: float) -> float:
        return compared_k - baseline_k

    @derived("ahead × r", "pair")
    def scaled(ahead: float, r: float) -> float:
        return ahead * r

    round_ = memory_round(
        {"base": {}, "s": {}},
        of_series={"base": {"k": 4}, "s": {"k": 7}},
        of_round={"r": 10},
        baseline="base",
    )
    found = resolver(round_, seen("k", "series"), seen("r", "round"), ahead, scaled)

    # (7 − 4) × 10
    assert found.value(address("scaled", "pair", "s")).value == 30


def lead_over_levels() -> list[Metric]:
    @derived("sum(compared_a) − sum(baseline_a)", "pair")
    def two_sided(compared_a: Column, baseline_a: Column) -> float:
        return float(compared_a.sum() - baseline_a.sum())

    @derived("sum(compared_a)", "pair")
    def compared_side(compared_a: Column) -> float:
        return float(compared_a.sum())

    @derived("sum(baseline_a)", "pair")
    def baseline_side(baseline_a: Column) -> float:
        return float(baseline_a.sum())

    @derived("compared_a ÷ baseline_a", "pair-level")
    def lead(compared_a: float, baseline_a: float) -> float:
        return compared_a / baseline_a

    @derived("sum(lead)", "pair")
    def of_pair_levels(lead: Column) -> float:
        return float(lead.sum())

    @derived("sum(lead × baseline_a)", "pair")
    def mixed(lead: Column, baseline_a: Column) -> float:
        return float((lead * baseline_a).sum())

    @derived("sum(lead)", "pair", over="all")
    def over_all(lead: Column) -> float:
        return float(lead.sum())

    return [seen("a"), two_sided, compared_side, baseline_side, lead, of_pair_levels, mixed, over_all]


PAIR = {
    # c2 only here; c8 stands under another load there
    "base": {
        "c1": {"concurrency": 1, "a": 1},
        "c2": {"concurrency": 2, "a": 2},
        "c4": {"concurrency": 4, "a": 4},
        "c8": {"concurrency": 8, "a": 8},
        "c16": {"concurrency": 16, "a": 16},
    },
    "s": {
        "c1": {"concurrency": 1, "a": 3},
        "c4": {"concurrency": 4, "a": 8},
        "c8": {"concurrency": 9, "a": 80},
        "c16": {"concurrency": 16, "a": 16},
    },
}


@pytest.mark.parametrize(
    ("metric", "expected"),
    [
        # shared: c1, c4, c16. (3 + 8 + 16) − (1 + 4 + 16)
        ("two_sided", 6),
        # 3 + 8 + 80 + 16
        ("compared_side", 107),
        # 1 + 2 + 4 + 8 + 16
        ("baseline_side", 31),
        # 3 ÷ 1 + 8 ÷ 4 + 16 ÷ 16
        ("of_pair_levels", 6),
        ("over_all", 6),
        # 3 × 1 + 2 × 4 + 1 × 16
        ("mixed", 27),
    ],
)
def test_columns_of_two_sides_run_over_the_levels_that_both_have(metric: str, expected: float) -> None:
    found = resolver(memory_round(PAIR, baseline="base"), *lead_over_levels())

    assert found.value(address(metric, "pair", "s")).value == expected


@pytest.mark.parametrize(
    ("metric", "spoilt_side", "expected"),
    [
        # without c4: (3 + 16) − (1 + 16)
        ("two_sided", "base", 2),
        ("two_sided", "s", 2),
        # one side minds its own levels only: 3 + 80 + 16, else 107
        ("compared_side", "s", 99),
        ("compared_side", "base", 107),
        # 1 + 2 + 8 + 16, else 31
        ("baseline_side", "base", 27),
        ("baseline_side", "s", 31),
        # 3 + 1
        ("of_pair_levels", "base", 4),
        ("of_pair_levels", "s", 4),
        ("over_all", "s", 6),
    ],
)
def test_a_level_spoilt_on_either_side_is_left_out(metric: str, spoilt_side: str, expected: float) -> None:
    found = resolver(memory_round(PAIR, baseline="base"), *lead_over_levels(), spoilt=frozenset({(spoilt_side, "c4")}))

    assert found.value(address(metric, "pair", "s")).value == expected


def test_a_pair_without_a_baseline_says_so() -> None:
    found = resolver(memory_round(PAIR), *lead_over_levels())

    assert found.value(address("two_sided", "pair", "s")).reason == NO_BASELINE


def test_a_pair_that_shares_no_level_says_so() -> None:
    apart = {"base": {"c1": {"concurrency": 1.0, "a": 1.0}}, "s": {"c2": {"concurrency": 2.0, "a": 2.0}}}
    found = resolver(memory_round(apart, baseline="base"), *lead_over_levels())

    assert found.value(address("two_sided", "pair", "s")).reason == NO_LEVEL
