"""What metrics read from logs is what some engine's log tells, in the same unit and under one name each."""

from __future__ import annotations

import pytest

from generator.catalogue import load
from generator.kinds import Engine, Metric
from generator.places import Place
from tests.support.server_logs import facts_of

CATALOGUE = load()
FACTS = {(fact.name, fact.unit) for engine in CATALOGUE.engines.values() for fact in engine.facts}
READ = [(place, metric) for place, metric in CATALOGUE.graph.places().items() if place.kind == "log"]


@pytest.mark.parametrize(("place", "metric"), READ, ids=lambda one: getattr(one, "key", None))
def test_a_metric_is_read_from_a_fact_that_a_log_may_tell(place: Place, metric: Metric) -> None:
    name = place.name.rpartition(", ")[2]

    assert (name, place.unit) in FACTS, (
        f"no engine has a fact {name!r} in {place.unit!r}, which {metric.key} is read from"
    )


def test_facts_of_one_name_have_one_unit() -> None:
    assert len({name for name, _ in FACTS}) == len(FACTS)


@pytest.mark.parametrize("engine", CATALOGUE.engines.values(), ids=lambda engine: engine.key)
def test_a_server_tells_each_fact_once(engine: Engine) -> None:
    names = [fact.name for fact in engine.facts]
    assert len(names) == len(set(names))


@pytest.mark.parametrize("engine", CATALOGUE.engines.values(), ids=lambda engine: engine.key)
def test_a_log_that_says_nothing_tells_nothing(engine: Engine) -> None:
    assert facts_of("", engine.events, engine.facts) == {}
