from __future__ import annotations

from typing import Annotated

import pytest
from pydantic import Field

from generator.declared.table_types import Strict, Wording, key_text
from generator.reference.keys import Key, keys_of, table_of_keys, table_with_defaults, tables
from generator.text import Text
from tests.test_declarations import is_translated


class Toy(Strict):
    """A table of its own."""

    name: str
    """what it is called
    叫什么"""
    reason: Wording | None = None
    """why
    为什么"""
    size: Annotated[int, Field(ge=1, le=9)] = 2
    """how large
    多大"""
    flags: tuple[str, ...] = ()
    """what else
    还有什么"""


def test_keys_have_their_texts_bounds_and_defaults() -> None:
    name, zh, en, size, flags = keys_of(Toy)

    assert name == Key("name", Text(zh="文本", en="string"), Text(zh="叫什么", en="what it is called"), True, "")
    assert (zh.name, en.name) == ("reason.zh", "reason.en")
    assert (size.holds.en, size.default) == ("whole number from 1 to 9", "2")
    assert (flags.holds.en, flags.default) == ("list of strings", "")


def test_only_what_must_be_there_has_a_star() -> None:
    assert [key.starred for key in keys_of(Toy)] == ["`name` *", "`reason.zh`", "`reason.en`", "`size`", "`flags`"]


def test_a_key_without_both_languages_is_an_error() -> None:
    class Half(Strict):
        name: str
        """only in English"""

    with pytest.raises(ValueError, match="not enough values"):
        key_text(Half.model_fields["name"])


@pytest.mark.parametrize("name", tables())
def test_every_key_of_round_toml_is_told_in_both_languages(name: str) -> None:
    lacking = [key.name for key in keys_of(tables()[name]) if not is_translated(key.meaning)]

    assert lacking == [], f"give these keys of {name} a line in English and one in Chinese, where they are declared"


def test_tables_that_may_be_repeated_have_two_brackets() -> None:
    assert list(tables()) == [
        "[round]", "[model]", "[hardware]", "[workload]", "[economics]", "[[series]]", "[[level]]", "[[claim]]",
    ]  # fmt: skip


def test_the_manual_has_a_table_for_each_table() -> None:
    chinese = table_of_keys("zh")

    assert chinese.count("\n\n| 键 | 填什么 | 含义 |\n") == len(tables())
    assert "| `starts` | 整数，1 至 100 |" in chinese
    assert "| `name` * | string | the model |" in table_of_keys("en")


def test_chosen_keys_come_with_what_stands_for_them() -> None:
    assert table_with_defaults("[workload]", ["timeout_s", "slo_tpot_ms"], "en").splitlines()[2:] == [
        "| `timeout_s` | number above 0 | `600.0` | seconds after which a request has failed |",
        "| `slo_tpot_ms` | number above 0 |  | TPOT that it must keep |",
    ]
