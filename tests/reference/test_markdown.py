from __future__ import annotations

from generator.reference.markdown import anchored, code, table
from generator.text import Text, same

HEADS = (Text(zh="键", en="key"), same("P(x|y)"))


def test_a_table_has_heads_in_its_language() -> None:
    assert table(HEADS[:1], [["a"], ["b"]], "zh") == "| 键 |\n| --- |\n| a |\n| b |"
    assert table(HEADS[:1], [], "en") == "| key |\n| --- |"


def test_no_cell_ends_before_its_text_does() -> None:
    assert table(HEADS, [["a|b", "c\\|d"]], "en").splitlines() == [
        "| key | P(x\\|y) |",
        "| --- | --- |",
        "| a\\|b | c\\|d |",
    ]


def test_a_cell_is_of_one_line() -> None:
    assert table(HEADS[:1], [["one\n  two"]], "en").splitlines()[-1] == "| one two |"


def test_names_are_code_and_can_be_pointed_at() -> None:
    assert anchored("ttft_p50", code("ttft_p50")) == '<a id="ttft_p50"></a>`ttft_p50`'
