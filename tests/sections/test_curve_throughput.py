from __future__ import annotations

from generator.told.blocks import FigureBlock
from tests.support.ladder_rounds import ladder_and_sweep
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, chapter_of, text_of, throughputs


def test_both_figures_and_what_throughput_costs() -> None:
    analysis = analysed(ladder_and_sweep())
    chapter = chapter_of("curve_throughput", analysis)
    assert chapter is not None

    assert [one.key for one in chapter.blocks if isinstance(one, FigureBlock)] == ["throughput", "throughput_latency"]
    # 200 tokens at 60 a second are 3.33 s; 64 × 200 ÷ 665 = 19.25 s
    assert "From C=1 (input 1,000) to C=64, throughput of a goes from 60.0 tok/s to 665" in text_of(chapter, analysis)
    assert "from 3,333 ms to 19,248 ms" in text_of(chapter, analysis)


def test_without_latencies_nothing_is_said_of_a_trade() -> None:
    analysis = analysed(memory_round({"a": throughputs(100, 200, 300)}))

    assert "bought with latency" not in text_of(chapter_of("curve_throughput", analysis), analysis)


def test_a_single_level_has_no_chapter() -> None:
    assert chapter_of("curve_throughput", analysed(memory_round({"a": throughputs(100)}))) is None
