from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.numeric.dips import TOLERANCE, dips, recovering_fall

AMOUNTS = st.lists(st.floats(min_value=1, max_value=1e6) | st.just(0.0), min_size=1, max_size=12)


def dipped(*amounts: float) -> list[int]:
    return dips(np.exp2(np.arange(len(amounts), dtype=np.float64)), np.array(amounts, dtype=np.float64))


@pytest.mark.parametrize(
    ("amounts", "rows"),
    [
        pytest.param((), [], id="nothing"),
        pytest.param((1.0,), [], id="one row"),
        pytest.param((2.0, 1.0), [], id="two rows"),
        pytest.param((100, 200, 150), [], id="a fall that nothing recovers from"),
        pytest.param((100, 98.5, 120), [], id="98.5 is above 98"),
        pytest.param((100, 97.9, 120), [1], id="97.9 is below 98"),
        pytest.param((100, 50, 200, 120, 400), [1, 3], id="two dips"),
        # Off the line: row 1 by ln(100 ÷ √(10 × 20)) = 1.96, row 2 by ln(√(100 × 40) ÷ 20) = 1.15.
        pytest.param((10, 100, 20, 40, 160), [1], id="a spike"),
        # Row 1 is ln(100 ÷ √(60 × 55)) = 0.55 off and goes first; once 55 and 56 have gone, 60, 100, 101 rises.
        pytest.param((60, 100, 55, 56, 101), [2, 3], id="taken back"),
        pytest.param((100, 0, 200), [1], id="0 is infinitely far off"),
        pytest.param((100, 0, 0, 200), [1, 2], id="0 twice"),
        pytest.param((0, 100, 50, 200), [2], id="beside a 0 there is no line to be off"),
    ],
)
def test_dips_are_the_rows_at_fault(amounts: tuple[float, ...], rows: list[int]) -> None:
    assert dipped(*amounts) == rows


def test_rows_of_one_load_have_a_place_on_the_line() -> None:
    # 90 and 210 at load 2: 90 falls below 100 and is off by ln(100 ÷ 90) and more; 100 is the first row.
    assert dips(np.array([1.0, 2.0, 2.0, 4.0]), np.array([100.0, 90.0, 210.0, 400.0])) == [1]
    assert dips(np.array([2.0, 2.0, 2.0, 4.0]), np.array([100.0, 200.0, 50.0, 400.0])) == [2]


def test_recovering_fall_is_the_first_one() -> None:
    assert recovering_fall(np.array([1.0, 3.0, 2.0, 4.0, 1.0, 5.0])) == 2
    assert recovering_fall(np.array([1.0, 3.0, 2.0, 3.0])) is None  # 3 does not pass 3


@given(AMOUNTS)
def test_what_stays_never_falls_and_recovers(amounts: list[float]) -> None:
    gone = dipped(*amounts)
    stays = [amount for row, amount in enumerate(amounts) if row not in gone]

    assert {0, len(amounts) - 1}.isdisjoint(gone)
    for row in range(1, len(stays) - 1):
        falls = stays[row] < stays[row - 1] * (1 - TOLERANCE)
        assert not (falls and max(stays[row + 1 :]) > stays[row - 1])


@given(AMOUNTS)
def test_whatever_could_stay_does(amounts: list[float]) -> None:
    gone = dipped(*amounts)

    for row in gone:
        with_it = [amount for other, amount in enumerate(amounts) if other not in gone or other == row]
        assert recovering_fall(np.array(with_it)) is not None


@pytest.mark.slow
def test_a_thousand_teeth_of_a_saw_take_no_time() -> None:
    rows = np.arange(2000, dtype=np.float64)
    teeth = 1000 + rows + 500 * (rows % 2)  # each even row falls, each odd one recovers

    assert len(dips(rows + 1, teeth)) >= 900
