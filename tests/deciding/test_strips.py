"""Strips of who is ahead where."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from generator.deciding.leads import leads, loads_of, spans
from generator.deciding.strips import lead_strips, strip
from generator.deciding.yardsticks import BY_METRIC
from generator.told.figure_model import LeadStrip
from tests.support.choices import levels, pair_of, two

THROUGHPUT = BY_METRIC["output_throughput"]


def drawn(base: list[float], other: list[float], loads: Sequence[float] = ()) -> LeadStrip:
    analysis, pair = pair_of(two(levels(output_throughput=base), levels(output_throughput=other)))
    found = spans(analysis, pair, leads(analysis, pair, THROUGHPUT))
    return strip(pair, THROUGHPUT, found, (0.5, 8), loads or loads_of(analysis, pair))


def test_what_was_not_measured_is_marked() -> None:
    # The ratio falls from 2 at C=1 to ½ at C=2: on a log axis they meet halfway, at √2.
    found = drawn([100, 200, 300], [200, 100, 100])

    assert (found.name, found.metric, found.sides) == (THROUGHPUT.name, "output_throughput", ("base", "other"))
    assert [(one.leader, one.basis) for one in found.reaches] == [
        ("other", "extrapolated"), ("other", "open"), ("base", "open"), ("base", "measured"), ("base", "extrapolated"),
    ]  # fmt: skip
    # From C=1 to C=2 the lead changes, which only C=2 to C=4 does not: there both levels name the same side.
    assert [one.begin for one in found.reaches] == pytest.approx([0.5, 1, 2**0.5, 2, 4])
    assert [one.end for one in found.reaches] == pytest.approx([1, 2**0.5, 2, 4, 8])


def test_strips_go_on_for_a_doubling_beyond_the_levels() -> None:
    analysis, _ = pair_of(two(levels(output_throughput=[100, 200, 300]), levels(output_throughput=[200, 100, 100])))
    [found] = lead_strips(analysis)

    assert (found.reaches[0].begin, found.reaches[-1].end) == (0.5, 8)  # levels at 1, 2 and 4


def test_one_level_has_no_strip() -> None:
    analysis, _ = pair_of(two(levels(output_throughput=[100]), levels(output_throughput=[200])))

    assert lead_strips(analysis) == ()


def test_a_level_too_close_to_choose_by_leaves_both_gaps_beside_it_open() -> None:
    # 2 times as much at C=1 and at C=2, 1 % more at C=4, then 2 times as much at C=8 and C=16.
    found = drawn([100, 200, 300, 400, 500], [200, 400, 303, 800, 1000])

    assert [(one.begin, one.end, one.basis) for one in found.reaches[1:-1]] == [
        (1, 2, "measured"), (2, 8, "open"), (8, 16, "measured"),
    ]  # fmt: skip


def test_equal_numbers_settle_nothing() -> None:
    found = drawn([100, 200], [100, 200])

    assert [(one.leader, one.basis) for one in found.reaches[1:-1]] == [(None, "open")]


def test_a_level_that_does_not_count_is_passed_over() -> None:
    # Levels at 1, 2, 4, of which those at 2 and 4 have one between them that a check took out: nobody leads there.
    found = drawn([100, 200, 300], [200, 300, 400], [1, 2, 3, 4])

    assert [one.basis for one in found.reaches] == ["extrapolated", "measured", "open", "extrapolated"]
    assert [one.begin for one in found.reaches] == pytest.approx([0.5, 1, 2, 4])
