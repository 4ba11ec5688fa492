from __future__ import annotations

from generator.model import Round
from tests.support.gauged_rounds import sampled, sampled_slots
from tests.support.run_rounds import two_series
from tests.support.telling import analysed, chapter_of, text_of


def told(round_: Round) -> str:
    analysis = analysed(round_)
    return text_of(chapter_of("gauges", analysis), analysis)


def test_each_gauge_has_a_column_and_the_most_waiting_is_named() -> None:
    text = told(sampled())

    assert "up to 1 request waited at C=1" in text
    for column in ("running, mean", "KV pool use, mean", "samples", "interval"):
        assert column in text


def test_what_the_engine_does_not_say_has_no_column() -> None:
    assert "KV pool use" not in told(sampled_slots())


def test_where_nothing_was_sampled_there_is_nothing_to_tell() -> None:
    assert chapter_of("gauges", analysed(two_series())) is None
