from __future__ import annotations

import pytest

from generator.model import Round
from tests.support.example_rounds import published
from tests.support.ladder_rounds import by_rates, ladder_and_sweep, ladder_levels, of_ladder
from tests.support.memory_round import memory_round
from tests.support.telling import found_by, said, throughputs

CHECK = "knee_in_range"


def test_a_knee_between_the_ends_is_well() -> None:
    (found,) = found_by(CHECK, ladder_and_sweep())

    assert (found.status, found.series) == ("pass", "a")
    assert "The knee of a, 16, lies between" in said(found, ladder_and_sweep())


def test_a_curve_that_still_grows_is_noted() -> None:
    growing = of_ladder(ladder_levels({1: 60.0, 2: 118.0, 4: 230.0}))
    (found,) = found_by(CHECK, growing)

    assert (found.status, found.levels) == ("note", ("c4",))
    assert "From C=1 to C=4 the knee of a does not appear: throughput still grows" in said(found, growing)
    assert found.remedy is not None


def test_a_knee_at_the_lowest_level_may_lie_below() -> None:
    flat = of_ladder(ladder_levels({4: 100.0, 8: 101.0, 16: 102.0}))
    (found,) = found_by(CHECK, flat)

    assert (found.status, found.levels) == ("note", ("c4",))
    assert "full at C=4 already" in said(found, flat)


def test_a_knee_at_one_request_is_no_matter_of_lower_loads() -> None:
    flat = of_ladder(ladder_levels({1: 100.0, 2: 99.0, 4: 98.0}))
    (found,) = found_by(CHECK, flat)

    assert "full at C=1 already: with more requests in flight it delivers no more" in said(found, flat)
    assert "Measure lower loads" not in said(found, flat)


def test_rates_have_a_knee_too() -> None:
    assert [(one.series, one.status) for one in found_by(CHECK, by_rates())] == [("a", "pass"), ("b", "pass")]


def test_each_published_curve_stops_before_its_knee() -> None:
    assert [one.status for one in found_by(CHECK, published("round-2"))] == ["note", "note"]


@pytest.mark.parametrize(
    "round_", [memory_round({"a": throughputs(100, 200)}), memory_round({"a": {}}), published("keepalive")]
)
def test_without_three_levels_there_is_nothing_to_examine(round_: Round) -> None:
    (found,) = found_by(CHECK, round_)

    assert (found.status, found.is_empty) == ("pass", True)
