from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.units import FACTORS, base_unit, from_base, half_a_digit, to_base


@pytest.mark.parametrize(
    ("amount", "unit", "base", "in_base"),
    [
        (15.83, "ms", "s", 0.01583),
        (53.3, "µs", "s", 5.33e-5),
        (56, "KiB", "B", 57344),  # 56 × 1024
        (1, "MiB", "B", 1048576),  # 1024²
        (24, "GiB", "B", 25769803776),  # 24 × 1024³
        (4.68, "GB", "B", 4.68e9),
        (1008, "GB/s", "B/s", 1.008e12),
        (0.5, "ms/slot", "s/slot", 0.0005),
        (7, "tok/s", "tok/s", 7),
    ],
)
def test_amounts_are_held_in_base_units(amount: float, unit: str, base: str, in_base: float) -> None:
    assert base_unit(unit) == base
    assert to_base(amount, unit) == pytest.approx(in_base, rel=1e-15)
    assert from_base(in_base, unit) == amount


def test_base_units_are_held_as_they_are() -> None:
    for base, _ in FACTORS.values():
        assert FACTORS.get(base, (base, 1.0)) == (base, 1.0)


@given(st.decimals(min_value="0.0001", max_value="999999999", places=4), st.sampled_from(sorted(FACTORS)))
def test_what_an_author_types_comes_out_as_typed(typed: object, unit: str) -> None:
    amount = float(str(typed))

    assert from_base(to_base(amount, unit), unit) == amount


@pytest.mark.parametrize(
    ("decimals", "unit", "in_base"),
    [
        (0, "tok/s", 0.5),
        (2, "ms", 0.000_005),  # 0.005 ms
        (2, "GiB", 5_368_709.12),  # 0.005 × 2³⁰
    ],
)
def test_half_a_digit_is_what_rounding_may_have_taken(decimals: int, unit: str, in_base: float) -> None:
    assert half_a_digit(decimals, unit) == pytest.approx(in_base, rel=1e-12)
