"""Columns over the starts of an engine, and columns that need not be known in every row."""

from __future__ import annotations

import numpy as np
import pytest

from generator.analysis.graph import GraphError, build
from generator.analysis.resolve import Resolver
from generator.kinds import Column, Metric, Over, Sparse, metric
from generator.runs.starts import RESIDENT
from generator.text import same
from generator.values import Address
from tests.support.memory_round import address, memory_round, observation
from tests.support.toy_metrics import one_level, resolver, seen

TITLES = {"title": same("a title"), "meaning": same("a meaning"), "symbol": "x"}


def of_start(key: str) -> Metric:
    found = seen(key, "series")
    found.of_start = True
    return found


def over(which: Over) -> Metric:
    @metric("median(t)", scope="series", unit="1", over=which, **TITLES)
    def middle(t: Column) -> float:
        return float(np.median(t))

    return middle


def started(*starts: tuple[float | None, float | None], which: Over) -> Resolver:
    """Resolve in a round whose starts found a share of the files in memory, and took some time."""
    told = [
        observation(address(key, "series", "s", trial=number), value)
        for number, numbers in enumerate(starts, start=1)
        for key, value in zip((RESIDENT, "t"), numbers, strict=True)
        if value is not None
    ]
    return Resolver(build([of_start(RESIDENT), of_start("t"), over(which)]), memory_round({"s": {}}, further=told))


STARTS = ((0.0, 9.0), (1.0, 3.0), (1.0, 5.0), (None, 7.0), (0.5, 8.0), (1.0, None))
MIDDLE = address("middle", "series", "s")


@pytest.mark.parametrize(
    ("which", "value", "starts"),
    # of the warm ones the third has no time on record
    [("cold_starts", 9.0, [1]), ("warm_starts", 4.0, [2, 3]), ("unknown_starts", 7.5, [4, 5])],
)
def test_a_column_holds_the_starts_that_are_alike(which: Over, value: float, starts: list[int]) -> None:
    found = started(*STARTS, which=which).value(MIDDLE)

    assert (found.value, found.n) == (value, len(starts))
    assert [one.address for one in found.inputs] == [address("t", "series", "s", trial=start) for start in starts]


def test_the_least_and_the_largest_stand_beside_it() -> None:
    found = started(*STARTS, which="warm_starts").value(MIDDLE)
    assert (found.low, found.high) == (3.0, 5.0)


def test_where_no_start_is_of_a_kind_there_is_a_reason() -> None:
    found = started((1.0, 3.0), which="cold_starts").value(MIDDLE)
    assert (found.value, found.reason and found.reason.en) == (
        None,
        "no start found the model's files outside the page cache",
    )


def test_what_follows_from_a_start_is_of_that_start() -> None:
    @metric("2 × t", scope="series", unit="1", of_start=True, **TITLES)
    def twice(t: float) -> float:
        return 2 * t

    told = [observation(address("t", "series", "s", trial=number), float(number)) for number in (1, 2)]
    found = Resolver(build([of_start("t"), twice]), memory_round({"s": {}}, further=told))

    assert found.value(address("twice", "series", "s", trial=2)).value == 4.0
    # a start that is not on record has no number of another's
    assert found.value(address("twice", "series", "s", trial=3)).value is None


def test_only_what_each_start_has_can_be_a_column_over_starts() -> None:
    with pytest.raises(GraphError, match="no start has one of its own"):
        build([seen("t", "series"), over("warm_starts")])


def sparse_sum() -> Metric:
    @metric("sum(a) + sum(b)", scope="series", unit="1", **TITLES)
    def known(a: Column, b: Sparse) -> float:
        return float(a.sum()) + float(np.nansum(b))

    return known


def test_a_sparse_column_has_a_gap_where_a_row_is_not_known() -> None:
    levels = {"c1": {"concurrency": 1.0, "a": 1.0, "b": 10.0}, "c2": {"concurrency": 2.0, "a": 2.0}}
    graph = build([seen("a"), seen("b"), sparse_sum()])

    found = Resolver(graph, memory_round({"s": levels})).value(address("known", "series", "s"))

    assert found.value == 13.0  # 1 + 2 + 10: the second row counts though it has no b
    listed = [(one.name, one.address.level) for one in found.inputs]
    assert listed == [("a", "c1"), ("a", "c2"), ("b", "c1")]


def test_a_sparse_column_may_be_known_nowhere() -> None:
    found = resolver(one_level(a=3), seen("a"), seen("b"), sparse_sum()).value(Address("known", "series", "s"))
    assert found.value == 3.0
