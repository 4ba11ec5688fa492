from __future__ import annotations

import pytest

from generator.render.wording.level_names import level_names
from generator.text import Lang
from tests.support.memory_round import Numbers, memory_round
from tests.support.telling import analysed


def names(lang: Lang = "en", **levels: Numbers) -> list[str]:
    return list(level_names(analysed(memory_round({"s": levels})), lang).values())


def asking(tokens: float, answer: float = 8, load: float = 1) -> Numbers:
    return {"concurrency": load, "asked_input_tokens": tokens, "asked_output_tokens": answer}


def test_a_level_of_a_load_of_its_own_is_named_by_that() -> None:
    assert names(c1=asking(32), c2=asking(64, load=2)) == ["C=1", "C=2"]


@pytest.mark.parametrize(
    ("lang", "told"),
    [("en", ["C=1 (input 32)", "C=1 (input 1,536)"]), ("zh", ["C=1（输入 32）", "C=1（输入 1,536）"])],
)
def test_levels_of_one_load_are_named_by_the_length_that_they_differ_in(lang: Lang, told: list[str]) -> None:
    assert names(lang, i32=asking(32), i1536=asking(1536)) == told


def test_by_both_lengths_where_they_differ_in_both() -> None:
    assert names(a=asking(32, 8), b=asking(64, 16)) == ["C=1 (input 32, output 8)", "C=1 (input 64, output 16)"]


def test_what_does_not_differ_in_length_keeps_its_id() -> None:
    assert names(first=asking(32), again=asking(32)) == ["C=1 (first)", "C=1 (again)"]
    assert names(known=asking(32), unknown={"concurrency": 1}) == ["C=1 (known)", "C=1 (unknown)"]
