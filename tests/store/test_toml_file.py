from __future__ import annotations

from collections.abc import Callable
from decimal import Decimal

import pytest

from generator.errors import InputError
from generator.store.toml_file import decimal_of, describe, float_of, parse


def test_tables_are_returned() -> None:
    assert parse("[a]\nb = 1.50\n", "f.toml", parse_float=Decimal) == {"a": {"b": Decimal("1.50")}}


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("a = 1\na = 2\n", "f.toml, line 2, column 6: not TOML: Cannot overwrite a value; correct the syntax"),
        ("a = [1,", "f.toml, end of document: not TOML: "),
        ("a b", "f.toml, line 1, column 3: not TOML: Expected '='"),
        ('a = "\x1b"', "f.toml, line 1, column 6: not TOML: Illegal character"),
        ("a = 2024-02-31", "f.toml, line 1, column 5: not TOML: Invalid date or datetime"),
    ],
)
def test_a_syntax_error_names_line_and_column(text: str, line: str) -> None:
    with pytest.raises(InputError) as refused:
        parse(text, "f.toml")
    assert str(refused.value).startswith(line)
    assert str(refused.value).isprintable()


@pytest.mark.parametrize(
    ("found", "said"),
    [
        ("a\nb", r"'a\nb'"),
        (5, "5"),
        (1.5, "1.5"),
        (True, "true"),
        ([1], "a list"),
        ({"a": 1}, "a table"),
    ],
)
def test_what_a_key_holds_is_described_in_a_few_words(found: object, said: str) -> None:
    assert describe(found) == said


def test_a_number_too_long_to_print_is_not_printed() -> None:
    assert describe(16**5000) == "a very long number"


@pytest.mark.parametrize(("text", "number"), [("-0.0", "0.0"), ("1e-300", "1e-300"), ("0e5", "0.0"), ("inf", "inf")])
def test_floats_have_no_negative_zero(text: str, number: str) -> None:
    assert str(parse(f"a = {text}", "t.toml")["a"]) == number


@pytest.mark.parametrize("read", [float_of, decimal_of])
@pytest.mark.parametrize("text", ["1e-400", "-1e-400", "0.001e-9999"])
def test_a_number_that_would_read_as_0_is_refused(text: str, read: Callable[[str], object]) -> None:
    with pytest.raises(InputError, match=f"t.toml: the number '{text}' cannot be read; check its exponent"):
        parse(f"a = {text}", "t.toml", read)


@pytest.mark.parametrize("text", ["1e99999999999999999999999", "1e-99999999999999999999999"])
def test_an_exponent_beyond_every_decimal_is_refused(text: str) -> None:
    with pytest.raises(InputError, match=f"the number '{text}' cannot be read"):
        parse(f"a = {text}", "t.toml", decimal_of)


def test_decimals_that_were_typed_are_kept_and_minus_zero_is_zero() -> None:
    assert parse("a = -0.00\nb = 2.50", "t.toml", decimal_of) == {"a": Decimal("0.00"), "b": Decimal("2.50")}
    assert str(parse("a = -0.00", "t.toml", decimal_of)["a"]) == "0.00"


@pytest.mark.parametrize(
    "text",
    ["x." * 20 + "x = 1", "[" + "x." * 20 + "x]", "x = " + "[" * 20 + "]" * 20, "x = " + "{a=" * 20 + "1" + "}" * 20],
)
def test_what_is_nested_too_deep_is_refused(text: str) -> None:
    with pytest.raises(
        InputError, match=r"t\.toml: tables or keys are nested too deep; use the keys of the manual only"
    ):
        parse(text, "t.toml")


def test_a_key_without_end_is_refused_before_it_takes_time() -> None:
    with pytest.raises(InputError, match=r"t\.toml, line 2: tables or keys are nested too deep"):
        parse("a = 1\n" + "x." * 500_000 + "x = 1", "t.toml")


def test_a_long_text_with_dots_is_fine() -> None:
    text = "An old sentence. " * 5000 + "..." * 5000
    assert parse(f'a = "{text}"', "t.toml") == {"a": text}
