from __future__ import annotations

import pytest
from pydantic import ValidationError

from generator.declared.economics import ASSUMED, SCENARIOS, EconomicsTable, ScenarioTable, Stated, stated

DECLARED = EconomicsTable(
    currency="USD", price_per_hour=2.5, lifetime_h=12.0, conservative=ScenarioTable(lifetime_h=0.5)
)


@pytest.mark.parametrize(
    ("scenario", "found"),
    [
        ("conservative", Stated(0.5, "[economics.conservative] lifetime_h")),
        (None, Stated(12.0, "[economics] lifetime_h")),
        ("aggressive", Stated(12.0, "[economics] lifetime_h")),  # what is declared of all holds for it too
    ],
)
def test_a_scenario_has_its_own_key_else_that_of_all(scenario: str, found: Stated) -> None:
    assert stated(DECLARED, "lifetime_h", scenario) == found  # type: ignore[arg-type]


def test_what_nobody_declared_is_assumed_and_says_so() -> None:
    found = [stated(DECLARED, "utilisation", one) for one in SCENARIOS]
    assert found == [Stated(share, "[economics] utilisation", is_assumed=True) for share in (0.2, 0.5, 0.8)]
    assert stated(DECLARED, "ignore_above", None) == Stated(10.0, "[economics] ignore_above", is_assumed=True)


@pytest.mark.parametrize("key", ["offered_rate", "price_per_kwh", "output_share"])
def test_what_cannot_be_assumed_is_not_known(key: str) -> None:
    assert [stated(DECLARED, key, one) for one in SCENARIOS] == [None, None, None]


def test_more_use_is_assumed_from_scenario_to_scenario() -> None:
    for key in ("lifetime_h", "utilisation"):
        assumed = [ASSUMED[key][one] for one in SCENARIOS]
        assert assumed == sorted(set(assumed))


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ({"price_per_hour": 2.5}, "price_per_hour and no currency"),
        ({"aggressive": {"image_cost": 0.1}}, "image_cost and no currency"),
        ({"currency": "usd"}, "three capital letters"),
        ({"currency": "<b>", "price_per_hour": 1.0}, "three capital letters"),
        ({"utilisation": 0}, "greater than 0"),
        ({"utilisation": 1.2}, "less than or equal to 1"),
        ({"lifetime_h": 0}, "greater than 0"),
        ({"ignore_above": 1}, "greater than 1"),
        ({"price": 2.5}, "Extra inputs"),
    ],
)
def test_what_makes_no_sense_is_refused(table: dict[str, object], words: str) -> None:
    with pytest.raises(ValidationError, match=words):
        EconomicsTable.model_validate(table)


def test_nothing_at_all_costs_no_currency() -> None:
    assert EconomicsTable(ops_per_hour=0.0).currency is None
