"""Strips of who is ahead where."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from generator.deciding.leads import common_levels, leads, loads_of, spans
from generator.deciding.strips import strips
from generator.deciding.yardsticks import BY_METRIC
from generator.told.blocks import Ranges
from tests.support.choices import levels, pair_of, two

THROUGHPUT = BY_METRIC["output_throughput"]


def drawn(base: list[float], other: list[float], loads: Sequence[float] = ()) -> Ranges | None:
    analysis, pair = pair_of(two(levels(output_throughput=base), levels(output_throughput=other)))
    found = spans(analysis, pair, leads(analysis, pair, THROUGHPUT))
    return strips(pair, common_levels(analysis, pair), {THROUGHPUT: found}, loads or loads_of(analysis, pair))


def test_what_was_not_measured_is_marked() -> None:
    # From C=½ to C=8, four doublings: levels at 1, 2, 4 are at a quarter, a half and three quarters. The ratio falls
    # from 2 at C=1 to ½ at C=2: they meet halfway between, at three eighths.
    found = drawn([100, 200, 300], [200, 100, 100])

    assert found is not None
    [(name, reaches)] = found.strips
    assert name == THROUGHPUT.name
    assert [(one.series, one.is_measured) for one in reaches] == [
        ("other", False), ("other", True), ("base", True), ("base", False),
    ]  # fmt: skip
    assert [one.begin for one in reaches] == pytest.approx([0, 0.25, 0.375, 0.75])
    assert [one.end for one in reaches] == pytest.approx([0.25, 0.375, 0.75, 1])
    assert [at for at, _ in found.ticks] == pytest.approx([0.25, 0.5, 0.75])


def test_one_level_has_no_strip() -> None:
    assert drawn([100], [200]) is None


def test_a_level_that_does_not_count_is_passed_over() -> None:
    # Levels at 1, 2, 4, of which those at 2 and 4 have one between them that a check took out: nobody leads there.
    found = drawn([100, 200, 300], [200, 300, 400], [1, 2, 3, 4])

    assert found is not None
    [(_, reaches)] = found.strips
    assert [one.is_measured for one in reaches] == [False, True, False, False]
    assert [one.begin for one in reaches] == pytest.approx([0, 0.25, 0.5, 0.75])
