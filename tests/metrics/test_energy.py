from __future__ import annotations

import numpy as np
import pytest

from generator.kinds import Picked
from generator.metrics import energy
from generator.places import setting, telemetry
from generator.units import from_base
from tests.support.economic_rounds import without_demand
from tests.support.memory_round import read_typed
from tests.support.telling import analysed


def test_observed_power_of_all_gpus() -> None:
    assert read_typed("gpu_power_total", telemetry("power.total", "W"), 700.0) == (700.0, 700.0)


@pytest.mark.parametrize("scenario", ["", "conservative.", "aggressive."])
def test_observed_price_of_electricity(scenario: str) -> None:
    # 0.36 a kWh is 1e-7 a joule
    place = setting(f"economics.{scenario}price_per_kwh", "¤/kWh")
    value, reported = read_typed("scenario_price_per_kwh", place, 0.36)
    assert value == pytest.approx(1e-7)
    assert reported == 0.36


def test_energy_per_mtok_is_that_of_the_level_that_delivers_most() -> None:
    # 300 W ÷ 1000 tok/s = 0.3 J a token, 300 kJ a million: a twelfth of a kWh
    found = energy.energy_per_mtok(np.array([200.0, 300.0]), np.array([250.0, 1000.0]))
    assert found == Picked(0.3, rows=(1,))
    assert from_base(0.3, "kWh/Mtok") == pytest.approx(1 / 12)


def test_energy_cost_per_mtok_is_energy_times_price() -> None:
    # a twelfth of a kWh at 0.36 is 0.03
    found = energy.energy_cost_per_mtok(0.3, 1e-7)
    assert isinstance(found, float)
    assert from_base(found, "¤/Mtok") == pytest.approx(0.03)


def test_the_energy_of_a_round_is_told_with_its_level() -> None:
    # b delivers 2000 tok/s at c16, where its GPUs take 150 W × 2
    value = analysed(without_demand()).frame.of_series("energy_per_mtok", "b")
    assert value.value == pytest.approx(0.15)
    assert {one.address.level for one in value.inputs} == {"c16"}
