from __future__ import annotations

import numpy as np
import pytest

from generator.logs.facts import Compute, among, count, increment, intervals, last, most, total
from generator.runs.log_events import Events, EventTable


def table(**columns: list[float]) -> EventTable:
    rows = len(next(iter(columns.values()), []))
    unknown = np.full(rows, np.nan)
    lines = 10 * np.arange(1, rows + 1)
    return EventTable(lines, unknown, unknown, {name: np.array(cells, float) for name, cells in columns.items()})


NAN = float("nan")
EVENTS: Events = {"stats": table(used=[3, NAN, 7, 5]), "none": table(used=[])}


@pytest.mark.parametrize(
    ("compute", "value", "lines"),
    [
        (count("stats"), 4, [10, 20, 30, 40]),
        (total("stats", "used"), 15, [10, 30, 40]),
        (most("stats", "used"), 7, [30]),
        (last("stats", "used"), 5, [40]),
        (among("none", "stats"), 0, []),
        (among("stats", "none"), 4, [10, 20, 30, 40]),
    ],
    ids=["count", "total", "most", "last", "none of them", "among"],
)
def test_a_fact_has_a_value_and_the_lines_it_rests_on(compute: Compute, value: float, lines: list[int]) -> None:
    told = compute(EVENTS)

    assert told is not None
    assert (told.value, told.lines.tolist()) == (value, lines)


@pytest.mark.parametrize(
    "compute", [count("none"), total("none", "used"), most("none", "used"), last("none", "used"), among("none", "none")]
)
def test_what_the_log_does_not_tell_is_not_known(compute: Compute) -> None:
    assert compute(EVENTS) is None


@pytest.mark.parametrize(
    ("readings", "rise"),
    [
        ([100, 150, 150, 400], 300),
        ([100, NAN, 130], 30),
        ([7, 7], 0),
        ([100, 400, 20, 50], None),  # it was reset in between
        ([100], None),
        ([], None),
    ],
)
def test_a_counter_rises_from_its_first_reading_to_its_last(readings: list[float], rise: float | None) -> None:
    told = increment("graphs", "count")({"graphs": table(count=readings)})

    assert (told and told.value) == rise


def test_a_rise_rests_on_two_lines() -> None:
    told = increment("graphs", "count")({"graphs": table(count=[1, 2, 3])})

    assert told is not None
    assert told.lines.tolist() == [10, 30]


@pytest.mark.parametrize(
    ("readings", "behind_the_first"),
    [([100, NAN, 150, 150], 2), ([100, 400, 20], None), ([100], None), ([], None)],
)
def test_a_counter_rises_over_the_readings_behind_the_first(
    readings: list[float], behind_the_first: float | None
) -> None:
    told = intervals("graphs", "count")({"graphs": table(count=readings)})

    assert (told.value if told else None) == behind_the_first
