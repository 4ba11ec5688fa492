from __future__ import annotations

import pytest

from generator.render.wording.numbers import Printer
from generator.report_kinds import Chapter
from generator.told.blocks import Paragraph, Table
from tests.support.memory_round import memory_round
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import analysed, catalogue, chapter_of, text_of, throughputs


def chapter(name: str) -> Chapter:
    told = chapter_of("crossover", ANALYSES[name]())
    assert told is not None
    return told


def heading(name: str) -> str:
    return text_of(chapter(name).heading, ANALYSES[name]())


def paragraphs(name: str) -> list[str]:
    return [text_of(one, ANALYSES[name]()) for one in chapter(name).blocks if isinstance(one, Paragraph)]


def tables(name: str) -> list[Table]:
    return [block for block in chapter(name).blocks if isinstance(block, Table)]


def test_second_round_is_bracketed() -> None:
    # 415.6 ÷ 411.4 = 1.010 at C=8 and 548.0 ÷ 681.5 = 0.804 at C=16.
    (told,) = paragraphs("round-2")

    assert told == (
        "llama.cpp Q4_K_M delivers 1.010× what vLLM BF16 does at C=8 and 0.804× at C=16; linearly interpolated "
        "on log–log axes, they tie at C ≈ 8.3. With both scaled to the requested output length, they tie at C ≈ 8.4. "
        "The ITL p50 curves meet at C ≈ 12.2."
    )
    assert heading("round-2") == "Crossover: the throughput curves meet at C ≈ 8.3"


def test_only_the_crossings_that_there_are_are_told() -> None:
    # Ratios 1.1, 0.95, 1.1, 0.875: three crossings, the first at 2^(ln 1.1 ÷ (ln 1.1 − ln 0.95)) = 1.57;
    # neither steps nor output tokens are known.
    (told,) = paragraphs("three crossings")

    assert told.endswith("tie at C ≈ 1.6. They cross 3 times; this is the first.")


def test_where_nothing_crosses_the_table_stands_alone() -> None:
    assert paragraphs("compared leads throughout") == []
    assert len(tables("compared leads throughout")) == 1
    assert heading("compared leads throughout") == "Throughput versus load"


def test_under_rates_the_levels_around_the_crossing_are_named() -> None:
    # Ratios 1.1, 0.9 and 0.8 at 1, 2 and 4 req/s: the lead changes hands between the first two.
    (told,) = paragraphs("arrival rates that cross")

    assert told == (
        "b delivers 1.100× what a does at 1 req/s and 0.900× at 2 req/s: the lead changes between these levels."
    )


def test_levels_that_only_one_of_the_pair_has_are_named() -> None:
    assert paragraphs("no level shared") == [
        "Levels that only one of the two has, with nothing to compare them with: C=1 of a and C=8 of b."
    ]
    assert tables("no level shared") == []


def test_table_holds_both_series_level_by_level() -> None:
    (table,) = tables("round-2")

    assert table.key == "head-to-head-llamacpp-q4_k_m"
    assert len(table.headings) == 8  # the load; throughput, ITL and TTFT of both; the ratio
    assert [len(row.cells) for row in table.rows] == [8] * 7
    assert all(row.spoilt is None for row in table.rows)  # of C=32 one side is usable


def test_numbers_of_the_excluded_side_and_their_ratio_are_in_parentheses() -> None:
    # C=32: 1026.7 against 443.7 tok/s, which is excluded: 443.7 ÷ 1026.7 = 0.43
    analysis = ANALYSES["round-2"]()
    (table,) = tables("round-2")
    printer = Printer(analysis, catalogue().graph, "en")

    assert [printer.plain(cell) for cell in table.rows[5].cells] == [
        "C=32", "1,026.7", "(443.7)", "(0.43)", "19.82", "(61.36)", "588", "(478)",
    ]  # fmt: skip
    assert "<s>" not in printer.html(table.rows[5].cells[0])
    assert text_of(table.caption, analysis).endswith("Numbers in parentheses are of excluded levels.")


def test_three_series_make_two_tables_and_a_heading_that_names_no_pair() -> None:
    assert [table.key for table in tables("three series")] == ["head-to-head-early", "head-to-head-late"]
    assert heading("three series") == "Throughput versus load"


@pytest.mark.parametrize("name", ["one series", "no baseline"])
def test_without_a_pair_there_is_only_the_figure(name: str) -> None:
    assert len(chapter(name).blocks) == 1


@pytest.mark.parametrize(
    ("tokens", "crossing"),
    [pytest.param(100.0, True, id="same work"), pytest.param(50.0, False, id="half the output")],
)
def test_no_crossing_is_told_beside_unequal_work(tokens: float, *, crossing: bool) -> None:
    a, b = (
        {level: {**seen, "output_tokens_mean": mean} for level, seen in throughputs(*rates).items()}
        for rates, mean in (((100, 200), 100.0), ((110, 180), tokens))
    )
    analysis = analysed(memory_round({"a": a, "b": b}, baseline="a"))
    told = chapter_of("crossover", analysis)

    assert told is not None
    assert ("the throughput curves meet at" in text_of(told.heading, analysis)) is crossing
    assert ("they tie at" in text_of(told, analysis)) is crossing
    assert ("no winner is named" in text_of(told, analysis)) is not crossing
