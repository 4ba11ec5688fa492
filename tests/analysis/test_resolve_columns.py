from __future__ import annotations

import numpy as np
import pytest

from generator.analysis.reasons import NO_LEVEL
from generator.kinds import Column, Metric, Picked
from generator.values import Input, Value
from tests.support.memory_round import Numbers, address, memory_round
from tests.support.toy_metrics import derived, half_of_a, one_level, resolver, seen

A = address("a", "level", "s", "c1")
HALF = address("half", "level", "s", "c1")
TOTAL = address("total", "series", "s")


def sum_over(over: str = "usable") -> Metric:
    @derived("sum(a × b)", "series", over=over)
    def total(a: Column, b: Column) -> float:
        return float((a * b).sum())

    return total


LEVELS: dict[str, dict[str, float]] = {
    "c1": {"concurrency": 1, "a": 1, "b": 10},
    "c2": {"concurrency": 2, "a": 2},
    "c4": {"concurrency": 4, "a": 4, "b": 40},
    "c8": {"concurrency": 8, "b": 80},
    "c16": {"concurrency": 16, "a": 16, "b": 160},
}


def rows_of(value: Value, name: str = "a") -> list[str | None]:
    return [listed.address.level for listed in value.inputs if listed.name == name]


def test_a_column_runs_over_the_rows_where_all_are_known() -> None:
    value = resolver(memory_round({"s": LEVELS}), seen("a"), seen("b"), sum_over()).value(TOTAL)

    # 1 × 10 + 4 × 40 + 16 × 160 = 10 + 160 + 2560
    assert value.value == 2730
    assert rows_of(value, "a") == rows_of(value, "b") == ["c1", "c4", "c16"]
    assert value.n is None


def test_a_column_runs_by_rising_load() -> None:
    @derived("first(a) ÷ last(a)", "series")
    def span(a: Column) -> float:
        return float(a[0] / a[-1])

    backwards = dict(reversed(LEVELS.items()))
    value = resolver(memory_round({"s": backwards}), seen("a"), span).value(address("span", "series", "s"))

    # 1 ÷ 16
    assert value.value == 0.0625
    assert rows_of(value) == ["c1", "c2", "c4", "c16"]


@pytest.mark.parametrize(
    ("over", "expected", "rows"),
    [
        # without c4: 1 × 10 + 16 × 160
        ("usable", 2570, ["c1", "c16"]),
        # with it: + 4 × 40
        ("all", 2730, ["c1", "c4", "c16"]),
    ],
)
def test_spoilt_levels_are_left_out_unless_all_count(over: str, expected: float, rows: list[str]) -> None:
    found = resolver(memory_round({"s": LEVELS}), seen("a"), seen("b"), sum_over(over), spoilt=frozenset({("s", "c4")}))
    value = found.value(TOTAL)

    assert value.value == expected
    assert rows_of(value) == rows


def test_a_level_spoilt_in_one_series_is_usable_in_another() -> None:
    found = resolver(
        memory_round({"s": LEVELS, "t": LEVELS}),
        seen("a"),
        seen("b"),
        sum_over(),
        spoilt=frozenset({("t", "c4")}),
    )

    assert rows_of(found.value(TOTAL)) == ["c1", "c4", "c16"]


def test_level_values_are_there_though_spoilt() -> None:
    found = resolver(one_level(a=3), seen("a"), half_of_a(), spoilt=frozenset({("s", "c1")}))

    assert found.value(HALF).value == 1.5


def test_a_column_without_a_known_row_says_why() -> None:
    value = resolver(one_level(a=1), seen("a"), seen("b"), sum_over()).value(TOTAL)

    assert value.value is None
    assert value.reason is not None
    assert value.reason.en == (
        "no usable level records everything needed; for example, there is no record of b for s C=1 "
        "(column b of published.csv)"
    )
    assert value.reason.zh.startswith("没有哪个可用档位记全了所需的数，例如没有记录 s C=1 的 b")


@pytest.mark.parametrize("levels", [{}, {"c1": {"concurrency": 1, "a": 1, "b": 1}}])
def test_a_column_without_a_usable_level_says_so(levels: dict[str, Numbers]) -> None:
    found = resolver(memory_round({"s": levels}), seen("a"), seen("b"), sum_over(), spoilt=frozenset({("s", "c1")}))

    assert found.value(TOTAL).reason == NO_LEVEL


def test_picked_rows_are_the_inputs() -> None:
    @derived("last(a) − first(a) + k", "series")
    def rise(a: Column, k: float) -> Picked:
        return Picked(float(a[-1] - a[0] + k), rows=(0, len(a) - 1))

    round_ = memory_round({"s": LEVELS}, of_series={"s": {"k": 5}})
    value = resolver(round_, seen("a"), seen("k", "series"), rise).value(address("rise", "series", "s"))

    # 16 − 1 + 5
    assert value.value == 20
    assert value.inputs == (
        Input("a", A),
        Input("a", address("a", "level", "s", "c16")),
        Input("k", address("k", "series", "s")),
    )


def test_a_number_beside_a_column_must_be_known() -> None:
    @derived("sum(a) + k", "series")
    def total(a: Column, k: float) -> float:
        return float(a.sum() + k)

    value = resolver(memory_round({"s": LEVELS}), seen("a"), seen("k", "series"), total).value(TOTAL)

    assert value.reason is not None
    assert value.reason.en == "there is no record of k for s (column k of published.csv)"


def test_a_column_holds_floats() -> None:
    given: list[np.ndarray] = []

    @derived("sum(a)", "series")
    def total(a: Column) -> float:
        given.append(a)
        return 0

    resolver(memory_round({"s": LEVELS}), seen("a"), total).value(TOTAL)

    assert given[0].dtype == np.float64
    assert given[0].tolist() == [1, 2, 4, 16]
