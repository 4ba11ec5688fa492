from __future__ import annotations

from tests.support.odd_rounds import ANALYSES
from tests.support.telling import chapter_of


def test_the_chapter_is_where_the_authors_wrote_one() -> None:
    first = chapter_of("expectations", ANALYSES["round-1"]())

    assert first is not None
    assert first.blocks == ()
    assert first.heading.text.zh == "预期：动手之前的判断"


def test_without_prose_there_is_no_chapter() -> None:
    assert [chapter_of("expectations", ANALYSES[name]()) for name in ("round-2", "one series", "no levels")] == [
        None
    ] * 3
