from __future__ import annotations

import pytest
from markupsafe import Markup

from generator.render.views.columns import columns, has_words_beside, is_stacked
from generator.told.blocks import Heading, Row, Table
from generator.told.sentence import say
from tests.support.analyses import printer

FIRST = Heading(say("系列", "series"))
NUMBER = Heading(say("输出", "output"), "tok/s")
WORDS = Heading(say("依据", "grounds"), is_text=True)


def table(*headings: Heading, rows: int = 1) -> Table:
    cells = tuple(say("无", "none") for _ in headings)
    return Table("t", say("表", "table"), headings, (Row(cells),) * rows)


def test_a_column_has_its_head_and_a_name_with_its_unit() -> None:
    first, number, words = columns(table(FIRST, NUMBER, WORDS), printer("en"))

    assert (first.label, first.unit, first.class_, first.name) == ("series", "", "", "series")
    assert (number.label, number.unit, number.class_, number.name) == ("output", "tok/s", "", "output (tok/s)")
    assert (words.class_, words.name) == ("t", "grounds")


@pytest.mark.parametrize(
    ("zh", "en", "class_"),
    [
        # Each Han letter is 13 pixels wide: nine are 117, ten 130. Of small letters, about 8.2: 14 are 115, 15 are 123.
        ("一二三四五六七八九", "abcdeghknopqsu", ""),
        ("一二三四五六七八九十", "abcdeghknopqsuv", "long"),
    ],
)
def test_a_long_head_makes_its_column_wider(zh: str, en: str, class_: str) -> None:
    made = table(FIRST, Heading(say(zh, en)))

    assert [columns(made, printer(lang))[1].class_ for lang in ("zh", "en")] == [class_, class_]


@pytest.mark.parametrize(
    ("made", "stacked"),
    [
        (table(FIRST, NUMBER, WORDS), True),
        (table(FIRST, NUMBER), False),
        (table(WORDS, NUMBER), False),  # the head of a row stands above its block in any case
        (table(FIRST, WORDS, rows=20), True),
        (table(FIRST, WORDS, rows=21), False),
        (table(FIRST, WORDS, *(NUMBER,) * 10), True),
        (table(FIRST, WORDS, *(NUMBER,) * 11), False),
    ],
)
def test_rows_with_words_are_blocks_on_a_phone(made: Table, stacked: bool) -> None:
    assert is_stacked(made) is stacked


@pytest.mark.parametrize(
    ("shown", "has_words"),
    [
        ('<b class="s0">vLLM</b>', False),
        ("C=8", False),
        ('<b class="s0">vLLM</b> starts sooner', True),
        ('up to 4, <b class="s0">vLLM</b>', True),
        ('<b class="s0">vLLM</b> and <b class="s1">llama.cpp</b>', True),
    ],
)
def test_a_name_alone_is_no_text(shown: str, has_words: bool) -> None:
    assert has_words_beside(Markup(shown)) is has_words  # noqa: S704  # written above
