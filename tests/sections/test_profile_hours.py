from __future__ import annotations

from generator.declared.profiles import ProfileFile
from tests.support.loads import EVEN, load_of, under_load
from tests.support.telling import analysed, chapter_of, text_of


def told(load: ProfileFile | None) -> str:
    analysis = analysed(under_load(load))
    return text_of(chapter_of("profile_hours", analysis), analysis)


def test_hours_are_told_where_the_span_holds_a_day() -> None:
    text = told(load_of([(hour * 3600.0, 10, 1) for hour in range(49)]))

    assert "Capacity has to do for the busiest hour" in text
    assert "some hours were seen a few times only" in text


def test_a_shorter_span_has_no_such_chapter() -> None:
    assert told(load_of(EVEN)) == told(None) == ""
