from __future__ import annotations

import pytest

from tests.support.formula import FormulaError, evaluate


def test_signs_bind_as_in_arithmetic() -> None:
    # 2 × 3 − 8 ÷ 4 = 6 − 2
    assert evaluate("2 × a − b ÷ 4", {"a": [3], "b": [8]}) == 4


def test_sum_works_row_by_row() -> None:
    # 1 × 4 + 2 × 5 + 3 × 6 = 4 + 10 + 18
    assert evaluate("sum(a × b)", {"a": [1, 2, 3], "b": [4, 5, 6]}) == 32


def test_brackets_are_one_where_they_hold_and_nought_elsewhere() -> None:
    assert evaluate("a × [b = 0]", {"a": [3], "b": [0]}) == 3
    assert evaluate("a × [b = 0]", {"a": [3], "b": [2]}) == 0
    assert evaluate("(a < b) × b", {"a": [3], "b": [3]}) == 0


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


def test_a_number_in_a_column_is_the_same_in_every_row() -> None:
    # 1 + 10 × 2, 3 + 20 × 2: the mean of 21 and 43
    assert evaluate("mean(x + n × each)", {"x": [1, 3], "n": [10, 20], "each": [2]}) == 32


def test_lines_are_told_by_runs() -> None:
    # (0, 1), (2, 5) and (4, 9) in two runs: y = 1 + 2x
    runs: dict[str, list[float]] = {"n": [2, 1], "x": [1, 4], "sx": [1, 0], "y": [3, 9], "sy": [2, 0], "r": [1, 0]}
    assert evaluate("line_slope(n, x, sx, y, sy, r)", runs) == pytest.approx(2)
    assert evaluate("line_intercept(n, x, sx, y, sy, r)", runs) == pytest.approx(1)
    assert evaluate("line_r2(n, x, sx, y, sy, r)", runs) == pytest.approx(1)
    assert evaluate("line_error(n, x, sx, y, sy, r)", runs) == pytest.approx(0, abs=1e-6)
    assert evaluate("line_samples(n, r)", runs) == 3
    assert evaluate("sd(x)", runs) == 1.5
    assert evaluate("correlation(x, y)", runs) == pytest.approx(1)


def test_a_knee_is_the_lowest_load_that_none_above_beats() -> None:
    # 210 after 200 is × 1.05 for the doubling from 2 to 4; 215 from 4 to 8 is × 1.024.
    inputs = {"c": [1, 2, 4, 8], "x": [100, 200, 210, 215], "t": [1, 1, 2, 4]}

    assert evaluate("knee(c, x, t)", inputs) == 4


def test_the_highest_rate_that_is_served_lies_below_the_first_that_is_not() -> None:
    # Of 400 due, 400 × 0.95 − 2 × 20 = 340 must be served: 0.85 of them.
    inputs: dict[str, list[float]] = {"r": [1, 2, 4, 8], "s": [1, 0.86, 0.84, 1], "n": [400, 400, 400, 400]}

    assert evaluate("highest_served(r, s, n)", inputs) == 2


def test_ceil_rounds_up() -> None:
    assert evaluate("ceil(a ÷ 4)", {"a": [9]}) == 3
