from __future__ import annotations

import pytest

from generator.model import Round
from generator.render.wording.numbers import Printer
from generator.text import Lang
from generator.told.blocks import Table
from tests.support.economic_rounds import PRICED, SOON, economic_round, with_demand, without_demand
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import analysed, catalogue, chapter_of, numbers, text_of


def told(round_: Round, lang: Lang = "en") -> str:
    analysis = analysed(round_)
    return text_of(chapter_of("guide_cost", analysis), analysis, lang)


def rows(key: str, round_: Round) -> list[list[str]]:
    analysis = analysed(round_)
    printer, chapter = Printer(analysis, catalogue().graph, "en"), chapter_of("guide_cost", analysis)
    assert chapter is not None
    (table,) = (block for block in chapter.blocks if isinstance(block, Table) and block.key == key)
    return [[printer.plain(cell).replace("\u202f", " ") for cell in row.cells] for row in table.rows]


def test_without_a_price_the_cost_is_hours_of_a_server() -> None:
    # 1,387.8 tok/s × 0.5 for a million tokens: 1441 s
    text = told(published("round-2"))
    assert "output takes 0.400 h/Mtok of server time on vLLM BF16 (highest throughput: 1,388 tok/s, at C=64)" in text
    assert "is declared, so the cost is told in server hours; give [economics] of round.toml its currency" in text
    assert "was measured, so the time of starting is not counted" in text
    assert "USD" not in text


def test_the_cost_is_that_of_a_level_below_the_first_excluded_one() -> None:
    # llama.cpp delivers 1,064.8 tok/s at C=64, behind C=32, which is excluded; below that 548.0 at C=16 is the most:
    # × 0.5 for a million tokens: 3650 s, 1.01 h. Nothing of vLLM is excluded.
    round_ = published("round-2")
    text = told(round_)

    assert (
        "1.01 h/Mtok of server time on llama.cpp Q4_K_M (highest throughput below the excluded C=32: 548 tok/s" in text
    )
    assert "Of llama.cpp Q4_K_M, only levels below C=32 count: that one is excluded (see Anomaly)" in text
    assert "Of vLLM" not in text
    assert "llama.cpp Q4_K_M 只算 C=32 之下的档位：这一档已排除（见“异常”）" in told(round_, "zh")


def test_with_a_price_it_is_money_of_output_and_of_all_tokens() -> None:
    # b: 2000 tok/s × 0.5 × 3600 s = 3.6 M tokens for 0.0015 USD × 3700 s + 0.50 USD = 6.05 USD: 1.68 a million
    text = told(without_demand())
    assert (
        "1.68 USD/Mtok on b, or 0.420 USD/Mtok with the input tokens counted too, at 0.285 h/Mtok of server time"
        in text
    )
    assert "No price of" not in text
    assert "No cold start of c was measured, so the time of starting is not counted." in text


def test_the_inputs_of_the_scenarios_say_where_they_are_from() -> None:
    conservative = {"lifetime_h": 0.5}
    found = rows("guide-cost-inputs", economic_round(
        {"a": SOON}, {"a": 1000.0}, economics={"currency": "EUR", "price_per_hour": 2.0, "conservative": conservative}
    ))  # fmt: skip
    assert found == [
        ["time between two starts", "0.5 h", "24 h", "168 h", "assumed in part"],
        ["mean utilisation", "20.0%", "50.0%", "80.0%", "assumed by this program"],
        ["operating cost per hour", "0 EUR/h", "0 EUR/h", "0 EUR/h", "assumed by this program"],
        ["image and dependencies of a start", "0 EUR", "0 EUR", "0 EUR", "assumed by this program"],
        ["price of a", "2 EUR/h", "2 EUR/h", "2 EUR/h", "declared"],
    ]


def test_money_of_nobody_is_no_input() -> None:
    labels = [row[0] for row in rows("guide-cost-inputs", published("round-2"))]
    assert labels == ["time between two starts", "mean utilisation"]


def test_each_scenario_has_its_row() -> None:
    # a: half of 1000 tok/s for an hour, 1.8 M tokens for 0.0015 × 3610 + 0.5 = 5.915 USD; 3610 s are 1.0028 h
    found = rows("guide-cost-table", without_demand())
    assert found[0] == ["a", "all three alike", "1.80", "0.557", "3.29", "0.822", "0.0300"]
    assert [row[0] for row in found] == ["a", "b", "c"]  # once each, as the scenarios have the same inputs
    other = economic_round({"a": SOON}, {"a": 1000.0}, economics={**PRICED, "aggressive": {"lifetime_h": 2.0}})
    assert [row[1] for row in rows("guide-cost-table", other)] == ["conservative", "base", "aggressive"]


def test_the_demand_caps_what_is_served() -> None:
    # 2 × 100 tokens a second are 0.72 M an hour
    assert [row[2] for row in rows("guide-cost-table", with_demand())] == ["0.720", "0.720"]


def test_the_input_that_moves_the_cost_most_is_named_with_its_elasticity() -> None:
    # without a demand utilisation counts in full; the server is 3.6 ÷ 5.4 of (1 − 0.5 ÷ 5.915)
    text = told(without_demand())
    assert "What moves the cost of a most: utilisation and throughput (−1.000); then price (0.610)." in text
    assert "What moves the cost of a most: requests to be served (−1.000); then price (0.610)." in told(with_demand())


def test_hours_hang_on_utilisation_and_starts() -> None:
    # 10 s of 10 + 86400
    text = told(economic_round({"a": SOON}, {"a": 1000.0}))
    assert "each one-per-cent increase in either changes them by −1.00%. Starts are 0.01% of those of a" in text
    assert "Starts are" not in told(published("round-2"))


def test_energy_is_told_where_power_was_sampled() -> None:
    # 300 W ÷ 1000 tok/s × 1 M = 0.0833 kWh, at 0.36 a kWh
    text = told(without_demand())
    assert "The GPUs of a take 0.0833 kWh/Mtok of output, 0.0300 USD/Mtok of electricity." in text
    assert "it is not added to the cost" in text
    free = economic_round({"a": SOON}, {"a": 1000.0}, power=150.0)
    assert "The GPUs of a take 0.0833 kWh/Mtok of output. That is" in told(free)
    assert "put gpu.csv of nvidia-smi" in told(published("round-2"))


def test_without_a_throughput_there_is_nothing_to_tell() -> None:
    assert chapter_of("guide_cost", analysed(memory_round({"a": {"c1": {"concurrency": 1.0}}}))) is None


@pytest.mark.parametrize("made", [with_demand, without_demand, lambda: published("round-2")])
def test_both_languages_give_the_same_numbers(made: object) -> None:
    assert callable(made)
    round_ = made()
    # Hours a million tokens: a head names the million where the other language counts it in the unit alone.
    assert numbers(told(round_, "zh")) == numbers(told(round_))
