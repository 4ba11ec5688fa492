"""The published rounds come out as they were recomputed by hand from the printed tables."""

from __future__ import annotations

import csv
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final, get_args

import pytest

from generator.catalogue import load
from generator.frame import Analysis
from generator.units import from_base
from generator.values import Address, Scope
from tests.support.example_rounds import published
from tests.support.memory_round import address

GOLDEN: Final = Path(__file__).parent / "golden" / "published_values.csv"
COMPARED: Final = "llamacpp-q4_k_m"
SCOPES: Final[Mapping[str, Scope]] = {scope: scope for scope in get_args(Scope)}


@dataclass(frozen=True)
class Record:
    """One value of a published round, in the unit of report.json."""

    round_id: str
    where: Address
    value: float
    tolerance: float
    unit: str

    def __str__(self) -> str:
        """Name the value in the output of the tests."""
        parts = (self.where.metric, self.where.basis, self.where.series, self.where.level)
        return "-".join([self.round_id, *(part for part in parts if part)])


def records() -> list[Record]:
    with GOLDEN.open(encoding="utf-8", newline="") as file:
        return [record(row) for row in csv.DictReader(file)]


def record(row: dict[str, str]) -> Record:
    scope = SCOPES[row["scope"]]
    where = address(row["metric"], scope, row["series"], row["level"] or None, row["basis"] or None)
    return Record(row["round"], where, float(row["value"]), float(row["tolerance"]), row["unit"])


@cache
def analysis_of(round_id: str) -> Analysis:
    return load().analyse(published(round_id))


@cache
def reported_units() -> dict[tuple[str, str | None], str]:
    return {key: metric.unit for key, metric in load().graph.metrics.items()}


@pytest.mark.parametrize("expected", records(), ids=str)
def test_published_value(expected: Record) -> None:
    value = analysis_of(expected.round_id).frame.values[expected.where].value

    assert value is not None
    assert from_base(value, expected.unit) == pytest.approx(expected.value, abs=expected.tolerance)


@pytest.mark.parametrize("expected", records(), ids=str)
def test_published_unit_is_the_one_reported(expected: Record) -> None:
    assert reported_units()[expected.where.metric, expected.where.basis] == expected.unit


@pytest.mark.parametrize(
    ("metric", "value", "tolerance"),
    [
        ("crossover_concurrency", 8.2507, 0.0001),
        ("crossover_concurrency_itl_p50", 12.2255, 0.0001),
        ("crossover_concurrency_equal_tokens", 8.37, 0.005),
    ],
)
def test_crossover_of_the_second_round(metric: str, value: float, tolerance: float) -> None:
    crossover = analysis_of("round-2").frame.of_pair(metric, COMPARED)

    assert crossover.value == pytest.approx(value, abs=tolerance)


def test_collapse_of_the_second_round_is_kept_out_of_its_conclusions() -> None:
    analysis = analysis_of("round-2")

    assert {where: finding.check for where, finding in analysis.spoilt.items()} == {
        (COMPARED, "c32"): "non_monotonic_throughput"
    }
    ratios = [listed.address.level for listed in analysis.frame.of_pair("crossover_count", COMPARED).inputs]
    assert ratios == ["c1", "c2", "c4", "c8", "c16", "c64"]


def test_first_round_has_no_curve_of_throughput_to_cross() -> None:
    crossover = analysis_of("round-1").frame.of_pair("crossover_concurrency", COMPARED)

    assert crossover.value is None
    assert crossover.reason is not None
    assert "there is no record of" in crossover.reason.en
