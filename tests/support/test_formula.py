from __future__ import annotations

import pytest

from tests.support.formula import FormulaError, evaluate


def test_signs_bind_as_in_arithmetic() -> None:
    # 2 × 3 − 8 ÷ 4 = 6 − 2
    assert evaluate("2 × a − b ÷ 4", {"a": [3], "b": [8]}) == 4


def test_sum_works_row_by_row() -> None:
    # 1 × 4 + 2 × 5 + 3 × 6 = 4 + 10 + 18
    assert evaluate("sum(a × b)", {"a": [1, 2, 3], "b": [4, 5, 6]}) == 32


def test_first_and_last_take_one_row() -> None:
    assert evaluate("last(a) − first(a)", {"a": [1, 5, 7]}) == 6


def test_exp_undoes_ln() -> None:
    assert evaluate("exp(ln(a))", {"a": [5]}) == pytest.approx(5)


@pytest.mark.parametrize(
    ("ratios", "count"),
    [([2, 0.5], 1), ([2, 1, 0.5], 1), ([2, 0.5, 2], 2), ([2, 1, 2], 1), ([1, 2], 0), ([2], 0)],
)
def test_crossings_are_counted(ratios: list[float], count: int) -> None:
    assert evaluate("count_crossings(r)", {"r": ratios}) == count


@pytest.mark.parametrize(
    ("formula", "answer"),
    [
        ("mean(a)", 4),  # (1 + 2 + 9) ÷ 3
        ("median(a)", 2),
        ("count(a)", 3),
        ("percentile(a, 75)", 5.5),  # rank 0.75 × 2 = 1.5: half way from 2 to 9
        ("count_below(a, 2)", 1),
        ("count_below(a, b + 2)", 2),
        ("count_between(a, b, b + 8)", 2),  # above 1 and up to 9
        ("count_between(a, 0, 2)", 2),
    ],
)
def test_statistics_are_of_a_column(formula: str, answer: float) -> None:
    assert evaluate(formula, {"a": [1, 2, 9], "b": [1]}) == answer


def test_rows_are_dropped_at_either_end() -> None:
    # (2 + 9) − (1 + 2)
    assert evaluate("sum(drop_first(a, b)) − sum(drop_last(a, b))", {"a": [1, 2, 9], "b": [1]}) == 8


def test_quiet_is_walked_through() -> None:
    # Under way from 0 to 2 and from 5 to 9; something came at 1, 2, 6 and 9: longest is from 6 to 9.
    inputs = {"came": [1, 2, 6, 9], "starts": [0, 5], "ends": [2, 9]}

    assert evaluate("longest_quiet(came, starts, ends)", inputs) == 3
    assert evaluate("start_of_quiet(came, starts, ends)", inputs) == 6


def test_the_knee_is_where_the_curve_goes_flat() -> None:
    # From 2 to 8, two doublings, × 1.08: √1.08 = 1.04 for each. From 1 to 2 × 1.9.
    assert evaluate("knee(c, x, t)", {"c": [1, 2, 8], "x": [10, 19, 20.52], "t": [1, 2, 3]}) == 2
    assert evaluate("knee(c, x, t)", {"c": [1, 2, 8], "x": [10, 19, 20.52], "t": [1, 3, 3]}) == 8


def test_the_peak_counts_what_is_under_way() -> None:
    # [0, 2), [1, 2), [2, 3): two at 1; at 2 both have ended when the third begins
    assert evaluate("peak(starts, ends)", {"starts": [0, 1, 2], "ends": [2, 2, 3]}) == 2


@pytest.mark.parametrize(
    "formula",
    [
        "a",
        "first(b)",
        "sum(1)",
        "a[0]",
        "a ** 2",
        "a + ln",
        "max(a)",
        "first(a, a)",
        "percentile(b, 50)",
        "a if a else a",
    ],
)
def test_what_is_no_formula_is_refused(formula: str) -> None:
    with pytest.raises((FormulaError, KeyError)):
        evaluate(formula, {"a": [1, 2]})
