from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Column
from generator.metrics import cost
from generator.places import setting
from generator.units import from_base
from tests.support.economic_rounds import HOUR, with_demand, without_demand
from tests.support.memory_round import read_typed
from tests.support.telling import analysed

# 3.60 USD an hour for the server and 1.80 for operations: 0.0015 USD a second; half a dollar for each start.
PRICE, OPS, IMAGE = 3.6 / HOUR, 1.8 / HOUR, 0.5
START, LIFE = 10.0, 990.0
SERVED = 500_000.0
"""Tokens of a life: 1000 s with the start, which cost 1.50 USD of time and 2.00 USD in all, 4 USD a million."""


def column(*numbers: float) -> Column:
    return np.array(numbers, dtype=np.float64)


@pytest.mark.parametrize("scenario", ["", "conservative.", "aggressive."])
@pytest.mark.parametrize(
    ("key", "name", "unit", "typed", "base"),
    [
        ("scenario_price", "price_per_hour", "¤/h", 3.6, 0.001),
        ("scenario_ops", "ops_per_hour", "¤/h", 1.8, 0.0005),
        ("scenario_image_cost", "image_cost", "¤", 0.5, 0.5),
        ("output_share", "output_share", "ratio", 0.2, 0.2),
    ],
)
def test_observed_in_each_scenario(key: str, name: str, unit: str, typed: float, base: float, scenario: str) -> None:
    value, reported = read_typed(key, setting(f"economics.{scenario}{name}", unit), typed)
    assert value == pytest.approx(base)
    assert reported == typed


def test_output_share_is_output_over_all_tokens() -> None:
    # (250 + 1000) ÷ (1000 + 4000)
    assert cost.output_share(column(250, 1000), column(1000, 4000)) == 0.25


def test_server_hours_per_mtok_are_those_of_start_and_life() -> None:
    # 1000 s for half a million: 2000 s a million, five ninths of an hour
    found = cost.server_hours_per_mtok(START, LIFE, SERVED)
    assert isinstance(found, float)
    assert from_base(found, "h/Mtok") == pytest.approx(2000 / 3600)


def test_server_hours_without_start_leave_it_out() -> None:
    assert cost.server_hours_without_start(LIFE, SERVED) == pytest.approx(990 / 500_000)


def test_server_hours_go_to_one_over_the_throughput_as_the_life_grows() -> None:
    # T × u = 500 tok/s: 1 ÷ 500 s a token, whatever the start
    for start in (0.0, START):
        endless = cost.server_hours_per_mtok(start, 1e12, 500.0 * 1e12)
        assert endless == pytest.approx(1 / 500)


def test_cost_per_mtok_output_is_time_and_image_over_tokens() -> None:
    # 0.0015 USD × 1000 s + 0.50 USD = 2.00 USD for half a million
    found = cost.cost_per_mtok_output(PRICE, OPS, START, LIFE, IMAGE, SERVED)
    assert isinstance(found, float)
    assert from_base(found, "¤/Mtok") == pytest.approx(4)


def test_cost_without_start_leaves_its_time_out_and_keeps_the_image() -> None:
    # 0.0015 USD × 990 s + 0.50 USD = 1.985 USD
    assert cost.cost_without_start(PRICE, OPS, LIFE, IMAGE, SERVED) == pytest.approx(1.985 / SERVED)
    assert cost.cost_per_mtok_output(PRICE, OPS, 0.0, LIFE, IMAGE, SERVED) == pytest.approx(1.985 / SERVED)


def test_cost_per_mtok_total_spreads_the_same_money_over_all_tokens() -> None:
    # a quarter of all tokens is output: 4 USD a million of it are 1 USD a million of all
    assert cost.cost_per_mtok_total(4e-6, 0.25) == pytest.approx(1e-6)


OF_COST = 2.0 / SERVED


def test_elasticity_price_is_its_share_in_the_cost() -> None:
    # 3.60 of 5.40 USD an hour, which are 1.50 of the 2.00 USD
    assert cost.elasticity_price(PRICE, OPS, IMAGE, OF_COST, SERVED) == pytest.approx(0.5)


def test_elasticity_ops_is_their_share_in_the_cost() -> None:
    assert cost.elasticity_ops(PRICE, OPS, IMAGE, OF_COST, SERVED) == pytest.approx(0.25)


def test_elasticity_image_is_its_share_in_the_cost() -> None:
    assert cost.elasticity_image(IMAGE, OF_COST, SERVED) == pytest.approx(0.25)


def test_elasticity_startup_is_the_share_of_its_time_in_the_cost() -> None:
    # 10 s × 0.0015 USD of 2.00 USD
    assert cost.elasticity_startup(PRICE, OPS, START, OF_COST, SERVED) == pytest.approx(0.0075)
    assert cost.elasticity_startup(PRICE, OPS, 0.0, OF_COST, SERVED) == 0


def test_elasticity_lifetime_is_minus_the_share_of_all_that_a_start_costs() -> None:
    # 0.0075 of time and 0.25 of image
    assert cost.elasticity_lifetime(PRICE, OPS, LIFE, OF_COST, SERVED) == pytest.approx(-0.2575)


@pytest.mark.parametrize(("rate", "utilisation", "demand"), [(20.0, -1.0, 0.0), (2.0, 0.0, -1.0)])
def test_elasticity_utilisation_and_demand_share_out_what_decides(
    rate: float, utilisation: float, demand: float
) -> None:
    # 1000 tok/s × 0.5 against 20 or 2 requests a second of 100 tokens
    assert cost.elasticity_utilisation(1000.0, 0.5, rate, 100.0) == utilisation
    assert cost.elasticity_demand(1000.0, 0.5, rate, 100.0) == demand


def test_elasticity_demand_is_nothing_where_the_server_decides() -> None:
    assert cost.elasticity_demand(1000.0, 0.5, 20.0, 100.0) == 0


def test_elasticity_utilisation_without_demand_is_minus_one() -> None:
    assert cost.elasticity_utilisation_without_demand(1_800_000.0, 1000.0, 0.5, HOUR) == -1


@pytest.mark.parametrize(
    ("name", "elasticity"),
    [("price", 0.5), ("ops", 0.25), ("image", 0.25), ("start", 0.0075), ("life", -0.2575), ("used", -1.0)],
)
def test_elasticities_are_what_a_small_change_does(name: str, elasticity: float) -> None:
    def of_cost(factor: float) -> float:
        given = {one: (factor if one == name else 1.0) for one in ("price", "ops", "image", "start", "life", "used")}
        found = cost.cost_per_mtok_output(
            PRICE * given["price"], OPS * given["ops"], START * given["start"], LIFE * given["life"],
            IMAGE * given["image"], SERVED * given["life"] * given["used"],
        )  # fmt: skip
        assert isinstance(found, float)
        return found

    change = (of_cost(1 + 1e-6) - of_cost(1 - 1e-6)) / of_cost(1.0) / 2e-6
    assert change == pytest.approx(elasticity, abs=1e-6)


def test_a_cheaper_million_has_the_demand_capped() -> None:
    # a: 1000 tok/s × 0.5 are more than 2 × 100 asked for: 720,000 in an hour for 0.0015 × 3610 + 0.5 = 5.915 USD
    frame = analysed(with_demand()).frame
    assert frame.of_series("cost_per_mtok_output", "a").value == pytest.approx(5.915 / 720_000)
    assert frame.of_series("cost_per_mtok_total", "a").value == pytest.approx(5.915 / 720_000 / 4)
    assert frame.of_series("elasticity_demand", "a").value == -1


def test_a_series_that_was_never_started_costs_its_life_alone() -> None:
    # c: 500 tok/s × 0.5 × 3600 s = 900,000 tokens for 0.0015 × 3600 + 0.5 = 5.90 USD
    value = analysed(without_demand()).frame.of_series("cost_per_mtok_output", "c")
    assert value.value == pytest.approx(5.9 / 900_000)
    assert "cold_start" not in (value.formula or "")
