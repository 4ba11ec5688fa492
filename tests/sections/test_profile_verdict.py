from __future__ import annotations

from generator.declared.profiles import ProfileFile
from tests.support.loads import BURSTY, EVEN, SHAREGPT, load_of, load_of_text, under_load
from tests.support.telling import analysed, chapter_of, text_of


def told(load: ProfileFile | None) -> str:
    analysis = analysed(under_load(load))
    return text_of(chapter_of("profile_verdict", analysis), analysis)


def test_it_says_how_much_there_is_and_how_bursty_it_is() -> None:
    text = told(load_of(BURSTY))

    # 61 requests over 20 s; twelve in a second, of three on average
    assert "61 requests were read." in text
    assert "3.05 req/s on average, 4.00× that at its peak" in text


def test_a_span_under_a_week_is_a_caution() -> None:
    assert "The span of 20 s is under a week" in told(load_of(EVEN))


def test_a_long_span_is_told_in_hours() -> None:
    assert "They span 50.00 h" in told(load_of([(0.0, 10, 1), (5.0, 10, 1), (180_000.0, 10, 1)]))


def test_a_span_of_a_week_is_none() -> None:
    rows = [(day * 86_400.0, 10, 1) for day in range(8)]
    assert "under a week" not in told(load_of(rows))


def test_without_times_only_lengths_are_told() -> None:
    text = told(load_of_text(SHAREGPT))

    assert "There are no times to go by" in text
    assert "under a week" not in text


def test_requests_without_an_answer_are_counted() -> None:
    assert "1 had no answer" in told(load_of([(0.0, 10, 0), (5.0, 20, 2)]))


def test_a_round_without_a_profile_has_none() -> None:
    assert told(None) == ""
