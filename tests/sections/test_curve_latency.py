from __future__ import annotations

from generator.told.blocks import FigureBlock
from tests.support.ladder_rounds import ladder_and_sweep
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, chapter_of, text_of, throughputs


def test_each_latency_on_record_has_a_figure() -> None:
    analysis = analysed(ladder_and_sweep())
    chapter = chapter_of("curve_latency", analysis)
    assert chapter is not None

    shown = [one.key for one in chapter.blocks if isinstance(one, FigureBlock)]
    assert shown == ["itl_by_load", "ttft_by_load", "e2el_by_load"]
    # 0.017 + 0.0512 s over 0.016 + 0.0128 s at C=64: 68.2 and 28.8 ms, 2.37 times; at C=1 17.8 and 16.2 ms
    assert "For a, ITL p50 and p99 differ most at C=64: 28.8 ms and 68.2 ms." in text_of(chapter, analysis)


def test_without_latencies_there_is_no_chapter() -> None:
    assert chapter_of("curve_latency", analysed(memory_round({"a": throughputs(100, 200, 300)}))) is None


def test_where_one_request_is_in_flight_it_waits_for_no_other() -> None:
    # At C=1 the p99 is five times the p50, at C=2 twice: it is of C=2 that a tail is told.
    levels = {
        "c1": {"concurrency": 1.0, "itl_p50": 0.02, "itl_p99": 0.1},
        "c2": {"concurrency": 2.0, "itl_p50": 0.02, "itl_p99": 0.04},
    }
    analysis = analysed(memory_round({"a": levels}))

    assert "For a, ITL p50 and p99 differ most at C=2: 20.0 ms and 40.0 ms." in text_of(
        chapter_of("curve_latency", analysis), analysis
    )
