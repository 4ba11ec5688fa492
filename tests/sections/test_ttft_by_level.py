from __future__ import annotations

from generator.frame import Analysis
from generator.told.blocks import Table
from tests.support.anatomy_rounds import by_counters, by_log, divided, listed, nothing, of_levels
from tests.support.telling import analysed, chapter_of, text_of


def heads(analysis: Analysis) -> list[list[str]]:
    chapter = chapter_of("ttft_by_level", analysis)
    assert chapter is not None
    tables = [block for block in chapter.blocks if isinstance(block, Table)]
    return [[text_of(heading.label, analysis) for heading in table.headings] for table in tables]


def said(analysis: Analysis, lang: str = "en") -> str:
    return text_of(chapter_of("ttft_by_level", analysis), analysis, "zh" if lang == "zh" else "en")


def test_the_table_has_a_column_for_each_part() -> None:
    (heading,) = heads(divided())

    assert heading == [
        "concurrency", "input length", "TTFT p50", "mean TTFT", "queue", "prefill", "rest", "share of prefill",
        "share of queue",
    ]  # fmt: skip


def test_it_says_which_source_the_parts_are_from() -> None:
    assert "The parts of a are from the server's log" in said(divided())
    counted = analysed(of_levels({"c4": by_counters(0.1, 0.3)}))
    assert "The parts of a are from the growth of histograms at /metrics" in said(counted)


def test_of_a_table_of_results_it_says_that_it_has_no_parts() -> None:
    assert heads(listed()) == [["concurrency", "TTFT p50"]]
    assert "The TTFT of a cannot be taken apart" in said(listed())
    assert "this round has only the total" in said(listed())
    assert "All three are means" not in said(listed())
    assert "a 的 TTFT 分不开" in said(listed(), "zh")


def test_of_runs_without_a_clock_in_common_it_says_why_queueing_is_unknown() -> None:
    numbers = {key: value for key, value in by_log(0.1, 0.3).items() if key != "first_sent_clock"}

    assert "The queueing of a cannot be told: there is no record of" in said(analysed(of_levels({"c4": numbers})))


def test_without_a_ttft_there_is_no_chapter() -> None:
    assert chapter_of("ttft_by_level", nothing()) is None
