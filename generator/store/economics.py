"""The scenarios of a round as observations: what is declared, and what is assumed where nothing is."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from generator.declared.economics import TABLE, Scenario, Stated, stated
from generator.declared.round_tables import RoundFile, SeriesTable
from generator.kinds import Metric
from generator.model import Series
from generator.places import Place
from generator.store.numbers import decimals_of
from generator.store.round_file import ROUND_FILE
from generator.units import to_base
from generator.values import Address, Observation, Source

ASSUMPTION: Final = "assumption"
"""Stands for a file where a number is an assumption of this program."""


def is_economic(place: Place) -> bool:
    """Say whether a place is a key of a scenario."""
    return place.kind == "setting" and place.name.startswith(f"{TABLE}.")


def scenario_numbers(
    file: RoundFile, series: Sequence[Series], places: Mapping[Place, Metric]
) -> Iterator[Observation]:
    """Yield the numbers of every scenario, in base units; a series' own price goes before that of the table."""
    for place, metric in places.items():
        if not is_economic(place):
            continue
        *of, key = place.name.removeprefix(f"{TABLE}.").split(".")
        scenario: Scenario = _scenario(of)
        told = stated(file.economics, key, scenario)
        if metric.scope == "round" and told is not None:
            yield _observation(Address(metric.key, "round", basis=metric.basis), told, place)
        elif metric.scope == "series":
            for one in series:
                own = _of_series(one.table, key) or told
                if own is not None:
                    yield _observation(Address(metric.key, "series", one.id, basis=metric.basis), own, place)


def _scenario(names: Sequence[str]) -> Scenario:
    if names == ["conservative"]:
        return "conservative"
    return "aggressive" if names == ["aggressive"] else None


def _of_series(table: SeriesTable, key: str) -> Stated | None:
    found: float | None = getattr(table, key, None)
    return None if found is None else Stated(found, f"[[series]] {table.id}, {key}")


def _observation(where: Address, told: Stated, place: Place) -> Observation:
    return Observation(
        address=where,
        value=to_base(told.number, place.unit),
        origin="assumed" if told.is_assumed else "declared",
        source=Source(ASSUMPTION if told.is_assumed else ROUND_FILE, told.place),
        decimals=decimals_of(told.number),
    )
