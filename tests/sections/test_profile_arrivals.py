from __future__ import annotations

from generator.declared.profiles import ProfileFile
from tests.support.loads import BURSTY, EVEN, SHAREGPT, load_of, load_of_text, under_load
from tests.support.telling import analysed, chapter_of, text_of


def told(load: ProfileFile | None) -> str:
    analysis = analysed(under_load(load))
    return text_of(chapter_of("profile_arrivals", analysis), analysis)


def test_bursts_are_called_so() -> None:
    text = told(load_of(BURSTY))

    assert "the fullest has 12 req/s, where the mean is 3 req/s: 4.00× as many" in text
    assert "some windows are busier" in text


def test_even_arrivals_are_not() -> None:
    assert "are busier" not in told(load_of(EVEN))


def test_too_short_a_span_says_so() -> None:
    text = told(load_of(EVEN, 60.0))
    assert "Burstiness cannot be known: the span holds too few windows of that width." in text


def test_without_times_there_is_no_such_chapter() -> None:
    assert told(load_of_text(SHAREGPT)) == told(None) == ""
