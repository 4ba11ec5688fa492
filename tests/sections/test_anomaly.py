from __future__ import annotations

import pytest

from generator.frame import Analysis
from generator.render.wording.numbers import Printer
from generator.report_kinds import Chapter
from generator.text import LANGS
from generator.told.blocks import Paragraph, Subheading, Table
from tests.support.odd_rounds import ANALYSES
from tests.support.telling import catalogue, chapter_of, text_of


def chapter(analysis: Analysis) -> Chapter:
    told = chapter_of("anomaly", analysis)
    assert told is not None
    return told


def tables(name: str) -> list[Table]:
    return [block for block in chapter(ANALYSES[name]()).blocks if isinstance(block, Table)]


def column(name: str, table: int, heading: str) -> list[str]:
    """Return the cells below a heading, as they are printed."""
    analysis = ANALYSES[name]()
    chosen = tables(name)[table]
    at = [one.label.text.en for one in chosen.headings].index(heading)
    return [Printer(analysis, catalogue().graph, "en").plain(row.cells[at]) for row in chosen.rows]


def paragraphs(name: str, kind: str) -> list[str]:
    analysis = ANALYSES[name]()
    blocks = chapter(analysis).blocks
    return [text_of(one, analysis) for one in blocks if isinstance(one, Paragraph) and one.kind == kind]


def test_rates_of_the_second_round() -> None:
    # 1 ÷ 5.84 ms = 171.2 tok/s, 1 ÷ 23.35 ms = 42.83; × 16 = 685; 64 ÷ 35.32 ms = 1812.0
    assert column("round-2", 0, "rate of a slot") == ["171.2", "153.1", "129.0", "97.09", "42.83", "16.30", "28.31"]
    assert column("round-2", 0, "slot rate × concurrency") == ["171", "306", "516", "777", "685", "522", "1,812"]
    assert column("round-2", 0, "failed") == ["0", "0", "0", "0", "0", "1", "0"]


def test_graph_reuse_is_counted_by_step() -> None:
    # 40 lines × 256 ÷ 1 = 10,240 steps; 512 × 256 ÷ 64 = 2,048; 1,773 ÷ 2,048 = 86.6 %
    assert column("round-2", 1, "decode steps") == ["10,240", "7,552", "5,056", "3,840", "3,200", "2,544", "2,048"]
    assert column("round-2", 1, "graph reuse per step") == ["99.2", "85.9", "64.7", "51.6", "45.5", "0", "86.6"]


def test_only_the_spoilt_row_is_marked() -> None:
    for table in tables("round-2"):
        assert [row.spoilt is not None for row in table.rows] == [False] * 5 + [True, False]


def test_the_heading_names_what_is_spoilt() -> None:
    headings = [text_of(chapter(ANALYSES[name]()).heading, ANALYSES[name]()) for name in ("round-2", "two dips")]

    assert headings == ["Anomaly: C=32 excluded", "Anomaly: C=2 and C=8 excluded"]


def test_levels_of_several_series_are_counted() -> None:
    analysis = ANALYSES["all of both series spoilt"]()

    assert [text_of(chapter(analysis).heading, analysis, lang) for lang in LANGS] == [
        "异常：6 个档位已排除",
        "Anomaly: 6 levels excluded",
    ]


def test_one_finding_that_spoils_several_levels_is_told_once() -> None:
    assert len(paragraphs("all of the compared series spoilt", "text")) == 1
    assert len(paragraphs("two dips", "text")) == 2


def test_the_rule_names_the_series_of_each_level() -> None:
    (*_, one), (*_, many) = (paragraphs(name, "callout") for name in ("round-2", "all of both series spoilt"))

    assert "the key numbers exclude C=32 of llama.cpp Q4_K_M; figures" in one
    assert "exclude C=1, C=8 and C=64 of llama.cpp Q4_K_M and C=1, C=8 and C=64 of vLLM BF16; figures" in many


@pytest.mark.parametrize(("name", "count"), [("round-2", 1), ("spike", 0), ("two dips", 0)])
def test_the_clue_is_there_where_graph_reuse_is_known(name: str, count: int) -> None:
    assert len([block for block in chapter(ANALYSES[name]()).blocks if isinstance(block, Subheading)]) == count


@pytest.mark.parametrize("name", ["round-1", "one series", "three series", "no levels", "arrival rates"])
def test_without_spoilt_levels_there_is_nothing_to_tell(name: str) -> None:
    assert chapter_of("anomaly", ANALYSES[name]()) is None
