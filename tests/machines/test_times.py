from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from generator.machines.times import apart_s, are_apart, moment, ordered, when
from tests.support.machines import machine, run


@pytest.mark.parametrize(
    ("text", "time"),
    [
        ("2026-01-02T03:04:05Z", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02T11:04:05+08:00", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("20260102-030405", datetime(2026, 1, 2, 3, 4, 5, tzinfo=UTC)),
        ("2026-01-02", datetime(2026, 1, 2, tzinfo=UTC)),
        ("08-15", None),
        (None, None),
    ],
)
def test_times_can_be_ordered_whatever_form_they_have(text: str | None, time: datetime | None) -> None:
    assert ordered(text) == time


def test_a_time_without_a_zone_stays_without() -> None:
    found = moment("2026-01-02T03:04:05")
    assert found is not None
    assert found.tzinfo is None


def test_runs_know_better_than_the_author() -> None:
    known = machine(
        {"date": "2026-01-01"}, runs=[run(started="2026-01-05T23:00:00Z"), run(started="2026-01-03T01:00:00Z")]
    )
    found = when(known)
    assert found is not None
    assert found.words == "2026-01-03 – 2026-01-05"


def test_the_time_between_is_from_the_end_of_one_to_the_begin_of_the_other() -> None:
    one = when(machine(runs=[run(started="2026-01-01T00:00:00Z"), run(started="2026-01-01T02:00:00Z")]))
    other = when(machine(runs=[run(started="2026-01-01T05:00:00Z")]))
    assert one is not None
    assert other is not None
    assert apart_s(one, other) == apart_s(other, one) == timedelta(hours=3).total_seconds()
    assert are_apart(one, other) is False


@pytest.mark.parametrize(
    ("one", "other", "apart"),
    [
        ("2026-01-01", "2026-01-02", True),
        ("2026-01-01", "2026-01-01", False),
        ("08-15", "08-24", True),
        ("08-15", "08-15", False),
        ("08-15", "2026-08-15", None),
    ],
)
def test_dates_are_apart_where_they_are_not_the_same(one: str, other: str, apart: bool | None) -> None:
    first, second = when(machine({"date": one})), when(machine({"date": other}))
    assert first is not None
    assert second is not None
    assert are_apart(first, second) is apart


def test_nothing_says_when() -> None:
    assert when(machine()) is None
