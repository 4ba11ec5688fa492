from __future__ import annotations

import pytest

from generator.frame import Analysis
from generator.model import NARROW_SPACE
from generator.render.wording.numbers import Printer
from generator.report_kinds import Chapter
from generator.told.blocks import Facts, Paragraph, Table, Timeline
from tests.support.analyses import BASELINE, ROUND_2, small_analysis, small_round
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import catalogue, chapter_of, text_of


def chapter(analysis: Analysis) -> Chapter:
    told = chapter_of("terms", analysis)
    assert told is not None
    return told


def rows(name: str) -> dict[str, list[str]]:
    """Return the ranges of a round by the name of the term, a cell a series."""
    analysis = ANALYSES[name]()
    printer = Printer(analysis, catalogue().graph, "en")
    (table,) = [block for block in chapter(analysis).blocks if isinstance(block, Table)]
    printed = [[printer.plain(cell).replace(NARROW_SPACE, " ") for cell in row.cells] for row in table.rows]
    return {row[0]: row[2:] for row in printed}


def callouts(analysis: Analysis) -> list[str]:
    blocks = chapter(analysis).blocks
    return [text_of(one, analysis) for one in blocks if isinstance(one, Paragraph) and one.kind == "callout"]


def test_ranges_of_the_second_round_are_true_extremes() -> None:
    # llama.cpp is slowest at C=32, which is spoilt: its values at C=64 are 442, 35.32, 223.8 and 15,193.
    assert {term: ranges[1] for term, ranges in rows("round-2").items()} == {
        "TTFT, time to first token": "93 (C=1) – 478 ms (C=32)",
        "ITL, inter-token latency": "5.84 (C=1) – 61.36 ms (C=32)",
        "ITL p99, the tail of the gaps": "6.0 (C=1) – 239.7 ms (C=32)",
        "TPOT, time per output token": "5.85 (C=1) – 57.54 ms (C=64)",
        "E2EL, end-to-end latency": "1,585 (C=1) – 17,851 ms (C=32)",
        "output throughput": "161.5 (C=1) – 1,064.8 tok/s (C=64)",
        "total throughput": "808 (C=1) – 5,376 tok/s (C=64)",
    }
    assert rows("round-2")["ITL, inter-token latency"][0] == "15.83 (C=1) – 22.50 ms (C=64)"


def test_terms_that_no_series_knows_are_left_out() -> None:
    assert rows("round-1") == {
        "TTFT, time to first token": ["104.9 ms (C=1)", "—"],
        "ITL, inter-token latency": ["15.92 (C=1) – 19.99 ms (C=32)", "5.88 (C=1) – 21.02 ms (C=32)"],
        "ITL p99, the tail of the gaps": ["190.3 ms (C=32)", "369.9 ms (C=32)"],
        "output throughput": ["—", "890 tok/s (C=32)"],
    }


@pytest.mark.parametrize(("name", "series"), [("one series", 1), ("round-2", 2), ("three series", 3)])
def test_each_series_has_a_column(name: str, series: int) -> None:
    assert {len(ranges) for ranges in rows(name).values()} == {series}


@pytest.mark.parametrize("name", ["nothing recorded", "no levels", "memory overdrawn"])
def test_without_numbers_there_are_the_timeline_and_the_words(name: str) -> None:
    assert [type(block) for block in chapter(ANALYSES[name]()).blocks] == [Paragraph, Timeline, Facts]


def test_words_of_the_trade_are_explained() -> None:
    analysis = ANALYSES["round-2"]()
    (words,) = [block for block in chapter(analysis).blocks if isinstance(block, Facts)]

    assert [text_of(word, analysis) for word, _ in words.facts] == ["floor", "slot", "KV pool", "excluded"]
    assert [text_of(word, analysis, "zh") for word, _ in words.facts] == ["下限", "槽位", "KV 池", "已排除"]


@pytest.mark.parametrize(
    ("name", "gaps"),
    [
        ("round-2", "ITL × 255"),  # 256 tokens
        ("one series", "ITL × 199"),  # 200 tokens
        ("sweep over lengths", "ITL × (output tokens − 1)"),
        ("no levels", "ITL × (output tokens − 1)"),
    ],
)
def test_the_timeline_counts_the_gaps(name: str, gaps: str) -> None:
    analysis = ANALYSES[name]()
    (timeline,) = [block for block in chapter(analysis).blocks if isinstance(block, Timeline)]

    assert text_of(timeline, analysis) == gaps


def test_confusions_of_the_second_round_are_cleared_up_at_the_busiest_level() -> None:
    # 1 ÷ 22.50 ms = 44.44 tok/s; × 64 = 2844. Gaps: 1332 requests × 255 = 339,660, of which llama.cpp completed 1331.
    tpot, median, throughput = callouts(ANALYSES["round-2"]())

    assert tpot.endswith("vLLM BF16 at C=64: TPOT p50 43.41 ms, mean ITL 42.22 ms, ITL p50 22.50 ms.")
    assert "(339,660 on vLLM BF16 and 339,405 on llama.cpp Q4_K_M)" in median
    assert "On vLLM BF16 at C=64 a slot left undisturbed decodes at 44.44 tok/s, all slots together at 2,844 tok/s" in (
        throughput
    )
    assert "delivers 1,387.8 tok/s" in throughput


def test_examples_are_taken_from_usable_levels() -> None:
    (*_, throughput) = callouts(small_analysis(spoil={BASELINE: ("c64",)}))

    # 8 ÷ 16.63 ms = 481 tok/s against 411.4
    assert "On vLLM BF16 at C=8" in throughput


def test_a_level_without_concurrency_shows_nothing_of_slots() -> None:
    alone = small_analysis(small_round({BASELINE: ROUND_2[BASELINE][:1]}, baseline=None))

    assert not any("slot" in one for one in callouts(alone))


@pytest.mark.parametrize("name", ["nothing completed", "all of both series spoilt"])
def test_gaps_that_were_not_seen_are_not_many(name: str) -> None:
    assert not any("(0 on" in one or "delivers 0" in one for one in callouts(ANALYSES[name]()))


def caption(name: str) -> str:
    analysis = ANALYSES[name]()
    (table,) = [block for block in chapter(analysis).blocks if isinstance(block, Table)]
    return text_of(table.caption, analysis)


def test_what_is_recorded_at_some_levels_only_is_named() -> None:
    # The second round prints a TPOT p50 at C=1 and C=64 alone; all else stands at every level.
    assert caption("round-2").endswith(
        "Recorded at some levels only: TPOT, time per output token of vLLM BF16 (C=1 and C=64) and TPOT, time per "
        "output token of llama.cpp Q4_K_M (C=1 and C=64)."
    )
    assert "over all levels of this round" in caption("one series")
