from __future__ import annotations

from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from generator.store.numbers import Rejected, Typed, parse_number
from generator.units import from_base, to_base


@pytest.mark.parametrize(
    ("text", "value", "decimals"),
    [
        ("0", 0.0, 0),
        ("165.54", 165.54, 2),
        ("63.40", 63.4, 2),
        ("+5", 5.0, 0),
        ("007.0", 7.0, 1),
        ("1.5e3", 1500.0, None),  # how many decimals the author means is open
        ("2E-1", 0.2, None),
        ("1e18", 1e18, None),
    ],
)
def test_plain_decimals_are_read_with_the_decimals_typed(text: str, value: float, decimals: int | None) -> None:
    assert parse_number(text) == Typed(value, decimals)


@pytest.mark.parametrize("text", ["", " 1", "1 ", ".5", "5.", "1.2.3", "1e", "e5", "0b1", "1j", "--1", "1\n", "\u0661"])
def test_anything_else_is_rejected(text: str) -> None:
    assert isinstance(parse_number(text), Rejected)


@pytest.mark.parametrize("text", ["1,234.5", "1'234.5", "1 234.5", "1\u202f234.5", "1_234.5"])
def test_a_grouped_number_is_repeated_without_its_groups(text: str) -> None:
    rejected = parse_number(text)
    assert isinstance(rejected, Rejected)
    assert rejected.remedy == "write 1234.5"


def test_a_negative_number_needs_leave() -> None:
    assert isinstance(parse_number("-0.001"), Rejected)
    assert parse_number("-0.001", may_be_negative=True) == Typed(-0.001, 3)
    assert isinstance(parse_number("-2e18", may_be_negative=True), Rejected)


def test_minus_zero_is_zero() -> None:
    typed = parse_number("-0.000")
    assert isinstance(typed, Typed)
    assert str(typed.value) == "0.0"


@given(st.integers(0, 10**11), st.integers(0, 4))
def test_a_number_prints_again_as_it_was_typed(digits: int, decimals: int) -> None:
    text = format(Decimal(digits).scaleb(-decimals), "f")
    typed = parse_number(text)
    assert isinstance(typed, Typed)
    assert typed.decimals == decimals
    milliseconds = from_base(to_base(typed.value, "ms"), "ms")
    assert f"{milliseconds:.{decimals}f}" == text


@given(st.text())
def test_what_is_said_of_any_text_prints_on_one_line(text: str) -> None:
    read = parse_number(text)
    assert isinstance(read, Typed) or (read.problem.isprintable() and read.remedy.isprintable())


@pytest.mark.parametrize("text", ["1e-400", "0.1e-999", "-1e-400"])
def test_a_number_that_would_read_as_0_is_rejected(text: str) -> None:
    rejected = parse_number(text, may_be_negative=True)
    assert isinstance(rejected, Rejected)
    assert rejected.problem == f"'{text}' is too near 0 to be told from it"


@pytest.mark.parametrize("text", ["0", "0.000", "0e-400", "0e9"])
def test_a_zero_is_a_zero(text: str) -> None:
    typed = parse_number(text)
    assert isinstance(typed, Typed)
    assert typed.value == 0
