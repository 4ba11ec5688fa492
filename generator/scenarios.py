"""A metric once for each scenario of a round, and what readers call the scenarios."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from generator.declared.economics import SCENARIOS, Scenario, dotted
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


def in_scenarios(base: Metric) -> tuple[Metric, ...]:
    """Return a metric of the base scenario once for each of the others: it takes their inputs where they have some."""
    return tuple(replace(_named(base, one), places=()) for one in BESIDE)


def declared_in_scenarios(base: Metric, key: str, unit: str) -> tuple[Metric, ...]:
    """Return the same of a metric that is read from a key of ``[economics]``, which each scenario has."""
    return tuple(replace(_named(base, one), places=(setting(f"{dotted(one)}.{key}", unit),)) for one in BESIDE)


def _named(base: Metric, scenario: Scenario) -> Metric:
    title = TITLE.format(title=base.title, name=NAMES[scenario])
    return replace(base, basis=scenario, title=title, why=WHY)
