from __future__ import annotations

from generator.model import Round, Trial
from generator.runs.requests import Requests
from generator.told.blocks import FigureBlock
from tests.support.gauged_rounds import sampled
from tests.support.ladder_rounds import ladder_levels, of_ladder
from tests.support.request_rows import answer, requests_of
from tests.support.telling import analysed, chapter_of, text_of


def logged() -> Round:
    """Return a ladder whose logs tell how many requests were computed and waited at most; no engine was sampled."""
    waited = {"c1": 0.0, "c2": 0.0, "c4": 2.0}
    levels = {
        level: {**seen, "log_running_most": 2.0, "log_waiting_most": waited[level]}
        for level, seen in ladder_levels({1: 60.0, 2: 110.0, 4: 115.0}).items()
    }
    runs: dict[Trial, Requests | None] = {("a", level, None): requests_of(answer(1, 0.1)) for level in levels}
    return of_ladder(levels, runs=runs)


def told(round_: Round) -> str:
    analysis = analysed(round_)
    return text_of(chapter_of("curve_gauges", analysis), analysis)


def test_without_samples_the_log_tells() -> None:
    text = told(logged())

    assert "With a requests wait in the engine from C=4 on (2 there)." in text
    assert "log: waiting, most" in text
    assert "KV pool use" not in text


def test_samples_stand_beside_the_client_and_are_drawn() -> None:
    text = told(sampled())
    chapter = chapter_of("curve_gauges", analysed(sampled()))
    assert chapter is not None

    assert FigureBlock("gauges_over_time") in chapter.blocks
    assert "in flight, client" in text
    assert "KV pool use, most" in text
    assert "log:" not in text


def test_a_log_alone_has_no_figure() -> None:
    chapter = chapter_of("curve_gauges", analysed(logged()))
    assert chapter is not None

    assert not [block for block in chapter.blocks if isinstance(block, FigureBlock)]


def test_where_the_engine_says_nothing_there_is_no_chapter() -> None:
    assert chapter_of("curve_gauges", analysed(of_ladder(ladder_levels()))) is None
