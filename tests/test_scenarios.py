from __future__ import annotations

from generator.kinds import metric
from generator.places import setting
from generator.scenarios import NAMES, declared_in_scenarios, in_scenarios
from generator.text import LANGS, Text


@metric(
    "5 × 2",
    scope="round",
    unit="1",
    symbol="x",
    places=(setting("economics.x", "1"),),
    title=Text(zh="量", en="thing"),
    meaning=Text(zh="一个量。", en="A thing."),
)
def thing() -> float:
    return 10.0


def test_a_metric_has_a_sibling_for_each_further_scenario() -> None:
    found = in_scenarios(thing)
    assert [(one.key, one.basis) for one in found] == [("thing", "conservative"), ("thing", "aggressive")]
    assert [one.title.en for one in found] == ["thing (conservative scenario)", "thing (aggressive scenario)"]
    assert all(one.places == () and one.why is not None and one() == 10 for one in found)


def test_what_is_declared_stands_in_the_table_of_the_scenario() -> None:
    places = [one.places for one in declared_in_scenarios(thing, "x", "1")]
    assert places == [(setting(f"economics.{name}.x", "1"),) for name in ("conservative", "aggressive")]


def test_scenarios_have_names_of_their_own() -> None:
    for lang in LANGS:
        assert len({name[lang] for name in NAMES.values()}) == len(NAMES) == 3
