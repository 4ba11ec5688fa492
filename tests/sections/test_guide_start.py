from __future__ import annotations

import re
from dataclasses import replace

import pytest

from generator.declared.economics import SCENARIOS
from generator.model import Round
from generator.render.wording.numbers import Printer
from generator.told.blocks import Table
from tests.support.economic_rounds import LATE, PRICED, SOON, economic_round, with_demand, without_demand
from tests.support.example_rounds import published
from tests.support.memory_round import address, observation
from tests.support.started_rounds import Start
from tests.support.telling import analysed, catalogue, chapter_of, numbers, text_of


def told(round_: Round, lang: str = "en") -> str:
    analysis = analysed(round_)
    return text_of(chapter_of("guide_start", analysis), analysis, "en" if lang == "en" else "zh")


def cells(round_: Round) -> list[list[str]]:
    analysis = analysed(round_)
    printer, chapter = Printer(analysis, catalogue().graph, "en"), chapter_of("guide_start", analysis)
    assert chapter is not None
    (table,) = (block for block in chapter.blocks if isinstance(block, Table))
    return [[printer.plain(cell) for cell in row.cells] for row in table.rows]


def test_without_a_cold_start_there_is_no_verdict_and_a_way_to_get_one() -> None:
    for round_ in (published("round-2"), economic_round({"a": {}, "b": {}}, {"a": 1000.0, "b": 2000.0})):
        text = told(round_)
        assert text.startswith("What a start costs")
        assert "No start-up verdict, because no cold start was measured." in text
        assert "the key starts repeats it" in text
        assert "matters in" not in text
        assert "break-even" not in text
    assert "没有启动方面的结论，因为没有测过冷启动。" in told(published("round-2"), "zh")


def test_a_start_is_told_as_tokens_and_as_what_they_mean() -> None:
    # 10 s × 1000 tok/s, and four times as many with the input
    text = told(without_demand())
    assert "a takes 10.0 s to start. At its highest throughput (1,000 tok/s) it could have produced 10,000 tok" in text
    assert "the start is half of the time so far. With the input counted, that is 40,000 tok." in text
    assert "T is the highest throughput) is not a break-even between two engines" in text


def test_each_scenario_has_its_row() -> None:
    # b starts in 100 s and delivers 2000 tok/s. 1 h and 20 %: 1.44 M tokens, 7.2 times 200,000; 24 h and 50 %: 432;
    # 168 h and 80 %: 4,838 times. A day has 86400 ÷ 3700 starts, and 100 ÷ 3700 of the time goes into them.
    rows = cells(economic_round({"b": LATE}, {"b": 2000.0}, baseline=None))
    assert rows == [
        ["b", "conservative", "1", "20.0", "23.4", "2.7", "1.44", "7.20", "matters"],
        ["b", "base", "24", "50.0", "0.999", "0.1", "86.4", "432", "does not matter"],
        ["b", "aggressive", "168", "80.0", "0.143", "0.02", "968", "4,838", "does not matter"],
    ]


def test_the_verdict_names_the_scenarios_in_which_a_start_matters() -> None:
    # In the conservative scenario b serves 7.2 times Z × T, a 72 times; the threshold is 10, then 5 and 500.
    def verdict(**economics: float) -> str:
        made = {"a": SOON, "b": LATE}
        return told(economic_round(made, {"a": 1000.0, "b": 2000.0}, economics=economics))

    assert "where at least 10 times Z × T are served" in verdict()
    assert "The start of a matters in none of the scenarios." in verdict()
    assert "The start of b matters in the conservative scenario." in verdict()
    # At 1000 tokens a second ten times 200,000 take 2000 s.
    assert "it stops mattering where at least 2,000 s lie between two starts" in verdict()
    assert "The start of b matters in none of the scenarios." in verdict(ignore_above=5.0)
    assert "The start of b matters in all scenarios." in verdict(ignore_above=5000.0)


def test_two_engines_draw_level_or_the_reason_is_told() -> None:
    # (100 − 10) ÷ (1/1000 − 1/2000) = 180,000 tokens, at 0.5 × 1000 a second 360 s, at 2 × 100 a second 900 s
    text = told(without_demand())
    assert "a starts sooner, b runs faster: at full load b draws level after 180,000 tok." in text
    assert "it takes 0.100 h until as many are asked for" in text
    assert "it takes 0.250 h until as many are asked for" in told(with_demand())

    dominated = told(economic_round({"a": SOON, "b": LATE}, {"a": 2000.0, "b": 1000.0}))
    assert "Between a and b there is no break-even: the baseline starts no later and runs no slower" in dominated
    alike = told(economic_round({"a": SOON, "b": SOON}, {"a": 1000.0, "b": 1000.0}))
    assert "there is no break-even: both start alike and run alike" in alike


def test_a_series_without_a_start_is_named_and_compared_with_none() -> None:
    text = told(economic_round({"a": SOON, "c": {}}, {"a": 1000.0, "c": 500.0}))
    assert "Of c no cold start was measured, so there is no start-up verdict." in text
    assert "Between a and c" not in text


def test_what_the_verdict_rests_on_is_said() -> None:
    assumed = "are assumptions of this program"
    assert assumed in told(economic_round({"a": SOON}, {"a": 1000.0}))
    every = {"lifetime_h": 12.0, "utilisation": 0.5}
    assert assumed not in told(economic_round({"a": SOON}, {"a": 1000.0}, economics=every))
    assert "Of a there is one start, so its spread is not known." in told(economic_round({"a": SOON}, {"a": 1000.0}))


@pytest.mark.parametrize(("resident", "is_doubted"), [(0.0, False), (1.0, True), (None, True)])
def test_a_start_that_did_not_read_the_disk_is_no_cold_one(resident: float | None, *, is_doubted: bool) -> None:
    start = Start(resident)
    made = economic_round({"a": start.numbers}, {"a": 1000.0})
    seen = [observation(address(key, "series", "a", trial=1), at, "measured") for key, at in start.numbers.items()]
    text = told(replace(made, observations=(*made.observations, *seen)))
    assert ("Whether the start of a read the model's files" in text) is is_doubted


def test_the_first_of_several_starts_is_told_from_their_median() -> None:
    # Four starts of vLLM: 254 s with nothing compiled yet, then 148 s, 153 s and 109 s: (148 + 153) ÷ 2 = 151.
    text = told(published("cpu-engines"))
    assert text.count("The cold start Z is always the first one here") == 1
    assert "The 4 cold starts of vLLM BF16 take 151 s at the median and 109 s at best." in text
    assert "The cold start Z is always the first one here" not in told(without_demand())


def test_both_languages_give_the_same_numbers() -> None:
    for round_ in (with_demand(), without_demand(), published("round-2")):
        assert numbers(told(round_, "zh")) == numbers(told(round_))


def test_the_scenarios_are_as_many_as_it_says() -> None:
    assert len(SCENARIOS) == 3
    assert re.search("三种情景", told(economic_round({"a": SOON}, {"a": 1000.0}, economics=PRICED), "zh"))
