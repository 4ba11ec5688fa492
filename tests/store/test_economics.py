"""The scenarios of a round as they are read from round.toml."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.store.reading import read_round
from generator.values import Observation
from tests.support.rounds import ROUND_TOML, places, write_round

ECONOMICS = """
[economics]
currency = "USD"
price_per_hour = 2.5
lifetime_h = 12

[economics.conservative]
lifetime_h = 0.5
"""


def observations(tmp_path: Path, toml: str) -> dict[tuple[str, str | None, str | None], Observation]:
    found = read_round(write_round(tmp_path / "round", toml=toml), places()).observations
    return {(one.address.metric, one.address.basis, one.address.series): one for one in found}


def test_declared_numbers_say_in_which_table_they_stand(tmp_path: Path) -> None:
    found = observations(tmp_path, ROUND_TOML + ECONOMICS)
    lifetimes = [found["scenario_lifetime", basis, None] for basis in ("conservative", None, "aggressive")]
    assert [one.value for one in lifetimes] == [1800, 43200, 43200]
    assert [str(one.source) for one in lifetimes] == [
        "round.toml, [economics.conservative] lifetime_h",
        "round.toml, [economics] lifetime_h",
        "round.toml, [economics] lifetime_h",
    ]
    assert {one.origin for one in lifetimes} == {"declared"}


def test_what_is_assumed_is_no_statement_of_a_file(tmp_path: Path) -> None:
    found = observations(tmp_path, ROUND_TOML)["scenario_utilisation", "aggressive", None]
    assert (found.value, found.origin, str(found.source)) == (0.8, "assumed", "assumption, [economics] utilisation")


def test_money_is_never_assumed(tmp_path: Path) -> None:
    metrics = {metric for metric, _, _ in observations(tmp_path, ROUND_TOML)}
    assert metrics.isdisjoint({"scenario_price", "scenario_price_per_kwh", "scenario_offered_rate", "output_share"})


def test_a_series_has_its_own_price_in_every_scenario(tmp_path: Path) -> None:
    toml = ROUND_TOML.replace('id = "beta"', 'id = "beta"\nprice_per_hour = 0.72') + ECONOMICS
    found = observations(tmp_path, toml)
    for basis in ("conservative", None, "aggressive"):
        assert found["scenario_price", basis, "alpha"].value == pytest.approx(2.5 / 3600)
        assert found["scenario_price", basis, "beta"].value == pytest.approx(0.0002)
    assert str(found["scenario_price", None, "beta"].source) == "round.toml, [[series]] beta, price_per_hour"


@pytest.mark.parametrize(
    ("old", "new", "line"),
    [
        ('currency = "USD"\n', "", "[economics]: [economics] has price_per_hour and no currency; add the currency"),
        ("lifetime_h = 12", "lifetime = 12", "[economics] lifetime: there is no such key; did you mean 'lifetime_h'?"),
        ("lifetime_h = 0.5", "lifetime_h = 0", "[economics] conservative.lifetime_h: expected a number above 0"),
        ("lifetime_h = 12", 'lifetime_h = "12"', "[economics] lifetime_h: expected a number, found '12'"),
    ],
)
def test_each_objection_is_one_line(old: str, new: str, line: str, tmp_path: Path) -> None:
    folder = write_round(tmp_path / "round", toml=ROUND_TOML + ECONOMICS.replace(old, new))
    with pytest.raises(InputError) as caught:
        read_round(folder, places())
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_price_of_a_series_needs_a_currency(tmp_path: Path) -> None:
    toml = ROUND_TOML.replace('id = "beta"', 'id = "beta"\nprice_per_hour = 0.72')
    with pytest.raises(InputError, match=r"\[\[series\]\] beta has a price_per_hour, and \[economics\] no currency"):
        observations(tmp_path, toml)
