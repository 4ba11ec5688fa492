from __future__ import annotations

import pytest

from generator.model import Round
from generator.render.wording.numbers import Printer
from generator.told.blocks import Calculator, Table
from generator.told.sentence import SeriesName
from tests.support.economic_rounds import PRICED, SOON, economic_round, with_demand, without_demand
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, catalogue, chapter_of


def calculator(round_: Round) -> Calculator:
    chapter = chapter_of("guide_calculator", analysed(round_))
    assert chapter is not None
    (found,) = (block for block in chapter.blocks if isinstance(block, Calculator))
    return found


def test_it_begins_with_the_scenarios_of_the_round() -> None:
    found = calculator(economic_round({"a": SOON}, {"a": 1000.0}, economics={**PRICED, "output_share": 0.2}))
    assert [one.name.en for one in found.presets] == ["base"]  # all three have the same inputs
    assert found.presets[found.first].inputs == {
        "lifetime_h": 1.0, "utilisation": 0.5, "offered_rate": None, "ops_per_hour": pytest.approx(1.8),
        "image_cost": 0.5, "price_per_kwh": pytest.approx(0.36), "output_share": 0.2,
    }  # fmt: skip
    assert found.series[0].prices == (3.6, 3.6, 3.6)
    assert (found.currency, found.threshold, found.baseline) == ("USD", 10.0, SeriesName("a"))


def test_a_series_has_what_the_guide_knows_of_it() -> None:
    a, b, c = calculator(without_demand()).series
    assert (a.startup, b.startup, c.startup) == (10.0, 100.0, None)
    assert (a.answer_tokens, a.output_share) == (100.0, 0.25)
    assert a.energy == pytest.approx(0.3)
    assert [(one.level.level, one.throughput) for one in a.choices] == [("c1", 250.0), ("c4", 500.0), ("c16", 1000.0)]
    assert [one.ttft for one in a.choices] == pytest.approx([0.1, 0.4, 1.6])
    assert [one.tpot for one in a.choices] == pytest.approx([0.01, 0.04, 0.16])


def test_levels_are_chosen_by_the_statistics_that_there_are() -> None:
    found = calculator(published("round-2"))
    # Of the time per token the published tables have a mean gap for most levels, and a median for four of llama.cpp.
    assert (found.ttft.en, found.tpot.en) == ("TTFT p99", "TPOT p50")
    assert calculator(with_demand()).tpot.en == "TPOT p99"


def test_no_level_beyond_an_excluded_one_may_be_chosen() -> None:
    # Of llama.cpp C=32 is excluded, so C=64 is out of reach; of vLLM none is.
    vllm, llamacpp = calculator(published("round-2")).series

    assert [one.level.level for one in vllm.choices][-2:] == ["c32", "c64"]
    assert [one.level.level for one in llamacpp.choices] == ["c1", "c2", "c4", "c8", "c16"]


def test_the_table_of_the_scenarios_stands_there_whatever_runs() -> None:
    analysis = analysed(without_demand())
    chapter, printer = chapter_of("guide_calculator", analysis), Printer(analysis, catalogue().graph, "en")
    assert chapter is not None
    (table,) = (block for block in chapter.blocks if isinstance(block, Table))
    told = [[printer.plain(cell).replace("\u202f", " ") for cell in row.cells] for row in table.rows]
    # A life of 1 h and half of 1000 tok/s in each scenario: 180 times 10,000 tokens.
    assert ["a", "tokens served between starts ÷ (Z × T)", "180×"] in told
    assert ["a", "cost of output tokens", "3.29 USD/Mtok"] in told
    assert not [row for row in told if row[0] == "c" and row[1] == "starts in the time"]  # never started


def test_without_a_level_there_is_none() -> None:
    assert chapter_of("guide_calculator", analysed(memory_round({"a": {"c1": {"concurrency": 1.0}}}))) is None
