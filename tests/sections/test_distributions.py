from __future__ import annotations

from generator.model import Round
from generator.report_kinds import Chapter
from generator.told.blocks import FigureBlock, Table
from tests.support.example_rounds import published
from tests.support.run_rounds import repeated, two_series
from tests.support.telling import analysed, chapter_of, said, text_of


def chapter(round_: Round) -> Chapter:
    told = chapter_of("distributions", analysed(round_))
    assert told is not None
    return told


def tables(round_: Round) -> dict[str, Table]:
    return {block.key: block for block in chapter(round_).blocks if isinstance(block, Table)}


def cells(table: Table, round_: Round) -> list[list[str]]:
    analysis = analysed(round_)
    return [[text_of(sentence_of(cell), analysis) for cell in row.cells] for row in table.rows]


def sentence_of(cell: object) -> object:
    from generator.text import Text
    from generator.told.sentence import Sentence

    return Sentence(Text(zh="{c}", en="{c}"), {"c": cell})  # type: ignore[dict-item]


def test_published_rounds_have_no_such_chapter() -> None:
    for name in ("round-1", "round-2"):
        assert chapter_of("distributions", analysed(published(name))) is None


def test_all_four_figures_are_shown() -> None:
    shown = [block.key for block in chapter(two_series()).blocks if isinstance(block, FigureBlock)]

    assert shown == ["ttft_ecdf", "itl_ecdf", "e2el_ecdf", "requests_over_time"]


def test_each_series_is_told_at_its_highest_level() -> None:
    told = said(chapter(two_series()).blocks, two_series())

    # a: 300 + 0.97 × 100 = 397 ms, ÷ 250 = 1.588; none of 100 … 400 is above 2 × 250
    assert (
        "TTFT of a at C=2: the p99 of 397 ms is 1.59× the median of 250 ms; no answer waited for more than twice the "
        "median."
    ) in told
    # b: 600 + 0.97 × 700 = 1279 ms, ÷ 500 = 2.558; 1300 of four is above 2 × 500
    assert (
        "TTFT of b at C=2: the p99 of 1,279 ms is 2.56× the median of 500 ms; 25.0% of the answers waited for more "
        "than twice the median."
    ) in told
    # gaps of a: 40 + 0.93 × 40 = 77.2 ms, ÷ 15 = 5.147
    assert "ITL of a at C=2: the p99 of 77.2 ms is 5.15× the median of 15.0 ms." in told


def test_sample_sizes() -> None:
    assert cells(tables(two_series())["sample-sizes"], two_series()) == [
        ["a", "C=1", "4", "0", "4", "8", "4"],
        ["a", "C=2", "4", "0", "4", "8", "4"],
        ["b", "C=1", "5", "1", "4", "8", "4"],
        ["b", "C=2", "5", "1", "4", "8", "4"],
    ]


def test_repetitions_are_told_by_their_median_and_their_range() -> None:
    # ITL medians: 15 ms and (20 + 40) ÷ 2 = 30 ms, their median 22.5; TTFT medians 250 and 500, median 375;
    # 12 tokens ÷ 2 s in both
    assert cells(tables(repeated())["trials-table"], repeated()) == [
        ["a", "C=2", "2", "22.5", "15.0 – 30.0", "375", "250 – 500", "6.00", "6.00 – 6.00"]
    ]


def test_without_repetitions_nothing_is_said_of_them() -> None:
    assert "trials-table" not in tables(two_series())
