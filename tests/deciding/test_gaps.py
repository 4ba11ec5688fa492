"""Loads that no scenario chooses by."""

from __future__ import annotations

from generator.deciding.gaps import between, gaps
from generator.deciding.rules import RULES
from tests.support.choices import levels, two
from tests.support.example_rounds import one_series
from tests.support.telling import analysed


def test_the_rules_leave_out_9_to_31() -> None:
    # by the load choose 1 to 2, 1 to 8, and 32 or more
    assert list(between(RULES)) == [(9, 31)]


def test_rules_that_meet_leave_nothing_out() -> None:
    assert list(between(rule for rule in RULES if rule.key != "api_high")) == []


def test_who_leads_in_a_gap_is_told_of_each_quantity_that_is_known() -> None:
    # C = 8, 16, 32: the gap has C=16, where 300 tokens a second are more than 200
    round_ = two(levels(8, output_throughput=[100, 200, 300]), levels(8, output_throughput=[50, 300, 600]))
    (gap,) = gaps(analysed(round_))
    assert [level.id for level in gap.levels] == ["c16"]
    assert [[lead.leader for lead in found] for found in gap.leads] == [["other"], ["other"]]
    assert gap.beside == ()


def test_without_a_level_in_the_gap_the_nearest_are_named() -> None:
    round_ = two(levels(4, output_throughput=[1, 2]), levels(4, output_throughput=[2, 4]))
    (gap,) = gaps(analysed(round_))
    assert (gap.levels, [level.id for level in gap.beside], gap.leads) == ((), ["c8"], ())


def test_one_series_has_no_gaps() -> None:
    assert gaps(analysed(one_series())) == ()
