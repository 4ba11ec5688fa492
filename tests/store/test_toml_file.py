from __future__ import annotations

from decimal import Decimal

import pytest

from generator.errors import InputError
from generator.store.toml_file import describe, parse


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
