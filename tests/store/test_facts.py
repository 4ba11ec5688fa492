from __future__ import annotations

from pathlib import Path

import pytest

from generator.store.facts import read_facts
from generator.values import Observation
from tests.support.rounds import places, write_round


def read(tmp_path: Path, toml: str) -> tuple[Observation, ...]:
    folder = write_round(tmp_path / "round", facts={"alpha": toml})
    return read_facts(folder, "alpha", places(), "transcribed")


def test_a_series_without_the_file_has_no_facts(tmp_path: Path) -> None:
    assert read_facts(write_round(tmp_path / "round"), "beta", places(), "transcribed") == ()


@pytest.mark.parametrize(
    ("typed", "mebibytes", "decimals"),
    [("19089", 19089, 0), ("19089.50", 19089.5, 2), ("19_089", 19089, 0), ("1.9e4", 19000, None), ("0", 0, 0)],
)
def test_a_fact_keeps_the_decimals_typed(typed: str, mebibytes: float, decimals: int | None, tmp_path: Path) -> None:
    [used] = read(tmp_path, f"[memory]\ndevice_used_mib = {typed}\n")
    # 1 MiB = 1,048,576 B
    assert (used.address.metric, used.value, used.decimals) == ("device_memory_used", mebibytes * 1_048_576, decimals)


@pytest.mark.parametrize("place", [place for place in places() if place.kind == "fact"], ids=lambda place: place.name)
def test_every_fact_that_a_metric_is_read_from_can_be_written(place: object, tmp_path: Path) -> None:
    table, _, key = str(getattr(place, "name", "")).partition(".")
    [fact] = read(tmp_path, f"[{table}]\n{key} = 1\n")
    assert str(fact.source) == f"alpha/published.toml, [{table}] {key}"
