from __future__ import annotations

from pathlib import Path

import pytest
from pydantic import BaseModel

from generator.declared.round_tables import RoundFile
from generator.store.reading import read_round
from generator.store.round_file import table_of
from generator.values import Observation
from tests.support.rounds import ROUND_TOML, places, write_round

SETTINGS = [place.name for place in places() if place.kind == "setting"]


@pytest.mark.parametrize("setting", SETTINGS)
def test_every_setting_that_a_metric_is_read_from_is_a_key_of_the_round_file(setting: str) -> None:
    *tables, key = setting.split(".")
    model: type[BaseModel] = RoundFile
    for table in tables:
        found = table_of(model, table)
        assert found is not None
        model = found
    assert key in model.model_fields


def observations(tmp_path: Path, more: str = "") -> list[Observation]:
    return list(read_round(write_round(tmp_path / "round", toml=ROUND_TOML + more), places()).observations)


def asked_input(tmp_path: Path, more: str, series: str, level: str) -> list[tuple[float, str]]:
    """Return the input lengths declared for a level, the one that counts first."""
    found = [o for o in observations(tmp_path, more) if o.address.metric == "asked_input_tokens"]
    here = [o for o in found if (o.address.series, o.address.level) == (series, level)]
    return [(o.value, str(o.source)) for o in sorted(here, key=lambda o: o.priority)]


WORKLOAD = (1024.0, "round.toml, [workload] input_tokens")


def test_the_workload_goes_to_every_level_of_every_series(tmp_path: Path) -> None:
    found = [o.address for o in observations(tmp_path) if o.address.metric == "asked_output_tokens"]
    assert {(a.series, a.level) for a in found} == {(s, c) for s in ("alpha", "beta") for c in ("c1", "c8", "c16")}


def test_a_level_overrules_the_workload(tmp_path: Path) -> None:
    more = '[[level]]\nid = "c8"\ninput_tokens = 4096\n'
    overruled = (4096.0, "round.toml, [[level]] c8, input_tokens")
    assert asked_input(tmp_path / "1", more, "alpha", "c8") == [overruled, WORKLOAD]
    assert asked_input(tmp_path / "2", more, "beta", "c8") == [overruled, WORKLOAD]
    assert asked_input(tmp_path / "3", more, "alpha", "c1") == [WORKLOAD]


def test_a_level_can_speak_of_one_series(tmp_path: Path) -> None:
    more = '[[level]]\nid = "c8"\ninput_tokens = 4096\nseries = ["beta"]\n'
    assert len(asked_input(tmp_path / "1", more, "beta", "c8")) == 2
    assert asked_input(tmp_path / "2", more, "alpha", "c8") == [WORKLOAD]


def test_two_entries_may_share_a_level_of_different_series(tmp_path: Path) -> None:
    entry = '[[level]]\nid = "c8"\nseries = ["{}"]\n'
    assert observations(tmp_path, entry.format("alpha") + entry.format("beta"))


def test_a_series_declares_for_itself(tmp_path: Path) -> None:
    found = {o.address.series: o for o in observations(tmp_path) if o.address.metric == "weight_bytes_per_step"}
    assert {series: o.value for series, o in found.items()} == {"alpha": 14.14e9, "beta": 4.68e9}
    assert str(found["alpha"].source) == "round.toml, [[series]] alpha, weight_bytes"
