"""A metric once for each scenario of a round, and what readers call the scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from generator.declared.economics import SCENARIOS, EconomicsTable, Scenario, ScenarioTable, dotted, stated
from generator.kinds import Metric
from generator.places import setting
from generator.text import Text

NAMES: Final[Mapping[Scenario, Text]] = {
    "conservative": Text(zh="保守", en="conservative"),
    None: Text(zh="基准", en="base"),
    "aggressive": Text(zh="激进", en="aggressive"),
}
WHY: Final = Text(
    zh="一轮讲三种情景：服务器怎样使用，决定启动与成本占多少。",
    en="A round tells three scenarios: how a server is used decides what its start and its cost come to.",
)
TITLE: Final = Text(zh="{title}（{name}情景）", en="{title} ({name} scenario)")
BESIDE: Final[tuple[Scenario, ...]] = tuple(one for one in SCENARIOS if one is not None)

ALL_ALIKE: Final = Text(zh="三种情景相同", en="all three alike")


def told_scenarios(table: EconomicsTable) -> tuple[Scenario, ...]:
    """Return the scenarios that are told apart: the base one alone where all three have the same inputs."""
    are_alike = all(_is_alike(table, key) for key in ScenarioTable.model_fields)
    return (None,) if are_alike else SCENARIOS


def _is_alike(table: EconomicsTable, key: str) -> bool:
    found = (stated(table, key, one) for one in SCENARIOS)
    return len({None if one is None else one.number for one in found}) == 1


def name_of(scenario: Scenario, table: EconomicsTable) -> Text:
    """Return what a scenario is called among those that are told apart."""
    return NAMES[scenario] if len(told_scenarios(table)) > 1 else ALL_ALIKE


def in_scenarios(base: Metric) -> tuple[Metric, ...]:
    """Return a metric of the base scenario once for each of the others: it takes their inputs where they have some."""
    return tuple(replace(_named(base, one), places=()) for one in BESIDE)


def declared_in_scenarios(base: Metric, key: str, unit: str) -> tuple[Metric, ...]:
    """Return the same of a metric that is read from a key of ``[economics]``, which each scenario has."""
    return tuple(replace(_named(base, one), places=(setting(f"{dotted(one)}.{key}", unit),)) for one in BESIDE)


def _named(base: Metric, scenario: Scenario) -> Metric:
    title = TITLE.format(title=base.title, name=NAMES[scenario])
    return replace(base, basis=scenario, title=title, why=WHY)
