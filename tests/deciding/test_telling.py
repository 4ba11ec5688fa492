"""Leads in words."""

from __future__ import annotations

from generator.deciding.leads import leads, spans
from generator.deciding.telling import close_levels, tell_spans
from generator.deciding.yardsticks import BY_METRIC
from tests.support.choices import levels, pair_of, two
from tests.support.telling import text_of

THROUGHPUT = BY_METRIC["output_throughput"]


def told(base: list[float], other: list[float]) -> str:
    analysis, pair = pair_of(two(levels(output_throughput=base), levels(output_throughput=other)))
    return text_of(
        tell_spans(analysis, pair, THROUGHPUT, spans(analysis, pair, leads(analysis, pair, THROUGHPUT))), analysis
    )


def test_one_that_always_leads() -> None:
    # 150 ÷ 100 = 1.5 is more than 250 ÷ 200.
    assert told([100, 200], [150, 250]) == "other delivers more at each usable level from C=1 to C=2 (1.50× at C=1)"


def test_one_level() -> None:
    assert told([100], [150]) == "other delivers more at C=1 (1.50×)"


def test_two_that_change_places() -> None:
    assert told([100, 200, 400], [150, 250, 350]) == (
        "other delivers more up to C=2 (1.50× at C=1), base from C=4 on (1.14× at C=4)"
    )


def test_three_spans() -> None:
    assert told([100, 300, 400], [200, 250, 500]) == (
        "other delivers more at C=1 (2.00×), base at C=2 (1.20×), other from C=4 on (1.25× at C=4)"
    )


def test_equals() -> None:
    assert told([100, 200], [100, 200]) == "The two are equal"


def test_levels_too_close_beside_a_change_are_no_part_of_a_lead() -> None:
    # 2 times at C=1, 1 % at C=2; 1 % the other way at C=4, 1.5 times at C=8.
    assert told([100, 200, 404, 600], [200, 202, 400, 400]) == (
        "other delivers more at C=1 (2.00×; too close to choose at C=2), "
        "base from C=8 on (1.50× at C=8; too close to choose at C=4)"
    )


def test_a_span_that_is_too_close_throughout_names_no_leader() -> None:
    # 1 % at C=1 and C=2, then 2 times the other way: nothing before has said what the other does better.
    assert told([100, 200, 400], [101, 202, 200]) == (
        "The two are too close to choose between in output throughput up to C=2 (other is ahead, 1.01× at C=1), "
        "base delivers more from C=4 on (2.00× at C=4)"
    )


def test_an_excluded_level_is_not_among_those_at_which_one_leads() -> None:
    # The base falls at C=8 and recovers at C=16.
    assert told([100, 200, 400, 100, 900], [200, 300, 300, 400, 500]) == (
        "other delivers more up to C=2 (2.00× at C=1), base at the usable levels from C=4 on (1.80× at C=16)"
    )


def test_close_levels_are_named() -> None:
    analysis, pair = pair_of(two(levels(output_throughput=[100, 200]), levels(output_throughput=[150, 202])))
    found = spans(analysis, pair, leads(analysis, pair, THROUGHPUT))

    assert [part.level for part in close_levels(pair, found).parts if hasattr(part, "level")] == ["c2"]
