from __future__ import annotations

import pytest

from generator.frame import Frame, shared_levels
from generator.model import Level
from generator.values import Address, Value
from tests.support.analyses import BASELINE, COMPARED, small_analysis

ADDRESSES = (
    Address("m", "round"),
    Address("m", "series", "s"),
    Address("m", "level", "s", "c1", "as_published"),
    Address("m", "pair", "s"),
    Address("m", "pair-level", "s", "c1"),
)
FRAME = Frame({address: Value(address, float(number)) for number, address in enumerate(ADDRESSES)})


def test_values_are_found_by_what_they_are_the_value_of() -> None:
    found = (
        FRAME.of_round("m"),
        FRAME.of_series("m", "s"),
        FRAME.of_level("m", "s", "c1", "as_published"),
        FRAME.of_pair("m", "s"),
        FRAME.of_pair_level("m", "s", "c1"),
    )

    assert tuple(value.address for value in found) == ADDRESSES


def test_misspelt_metric_is_a_defect() -> None:
    with pytest.raises(KeyError):
        FRAME.of_round("n")


def test_known_values_come_in_the_order_asked_for() -> None:
    empty = Address("empty", "round")
    frame = Frame({**FRAME.values, empty: Value(empty, None)})

    asked = [ADDRESSES[3], empty, Address("nowhere", "round"), ADDRESSES[0]]
    assert [value.address for value in frame.known(asked)] == [ADDRESSES[3], ADDRESSES[0]]


def test_spoilt_levels_are_shared_but_not_usable() -> None:
    analysis = small_analysis(spoil={COMPARED: ("c8",)})

    assert [level.id for level in analysis.usable(COMPARED)] == ["c1", "c64"]
    assert [level.id for level in analysis.usable(BASELINE)] == ["c1", "c8", "c64"]
    assert [level.id for level in analysis.shared(COMPARED)] == ["c1", "c8", "c64"]


def test_levels_of_one_name_under_different_loads_are_not_shared() -> None:
    baseline = [Level("low", concurrency=1), Level("high", concurrency=64)]
    compared = [Level("high", concurrency=32), Level("low", concurrency=1), Level("other", concurrency=64)]

    assert shared_levels(baseline, compared) == (compared[1],)


def test_rate_and_concurrency_of_one_number_are_not_shared() -> None:
    assert shared_levels([Level("two", concurrency=2)], [Level("two", rate=2)]) == ()
