from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.comparing.families import benjamini_hochberg, holm

some = st.lists(st.floats(0.0, 1.0), min_size=1, max_size=30)


def test_holm_steps_down_from_the_smallest() -> None:
    # Sorted 0.01 × 3 = 0.03; 0.03 × 2 = 0.06; 0.04 × 1 = 0.04, but never below the one before: 0.06.
    assert holm([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_benjamini_and_hochberg_step_up_from_the_largest() -> None:
    # Sorted 0.01 × 3 ÷ 1 = 0.03; 0.03 × 3 ÷ 2 = 0.045, but no more than the next: 0.04 × 3 ÷ 3 = 0.04.
    assert benjamini_hochberg([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.04, 0.04])


def test_a_single_row_is_left_as_it_is() -> None:
    assert holm([0.2]) == [0.2]
    assert benjamini_hochberg([0.2]) == [0.2]


def test_no_row_is_no_row() -> None:
    assert holm([]) == []
    assert benjamini_hochberg([]) == []


@given(p=some)
def test_no_p_becomes_smaller_and_holm_is_the_stricter(p: list[float]) -> None:
    strict, lenient = holm(p), benjamini_hochberg(p)
    assert all(
        raw <= b <= h <= 1.0 for raw, b, h in zip(p, (x - 1e-12 for x in lenient), strict, strict=True) if b >= raw
    )
    assert all(h + 1e-12 >= b for b, h in zip(lenient, strict, strict=True))
