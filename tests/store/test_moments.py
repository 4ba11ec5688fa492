from __future__ import annotations

import math

import pytest

from generator.store.moments import clock, duration, nanoseconds, seconds_of, utc


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("2026-03-01T12:00:01.750000+08:00", "2026-03-01T12:00:01"),  # as it stands there, without its zone
        ("2026-03-01T12:00:01Z", "2026-03-01T12:00:01"),
        (1767225600.9, "2026-01-01T00:00:00"),
        ("yesterday", None),
        ("2026" * 20, None),
        (1e300, None),
        (None, None),
        (True, None),
    ],
)
def test_a_time_is_told_to_the_second(value: object, said: str | None) -> None:
    assert clock(value) == said


def test_times_of_one_file_share_a_clock() -> None:
    # 12:00 at +08:00 is 04:00 UTC, half an hour before 04:30Z
    early, late = seconds_of("2026-03-01T12:00:00+08:00"), seconds_of("2026-03-01T04:30:00Z")

    assert early is not None
    assert late is not None
    assert late - early == 1800
    assert seconds_of("2026-03-01T04:00:00") == early
    assert seconds_of("soon") is None


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("PT49.5S", 49.5),
        ("PT1M30.5S", 90.5),
        ("P1DT2H", 93600),  # 86400 + 7200
        ("P", None),
        ("PT", None),
        ("1:30", None),
        (90, None),
    ],
)
def test_a_duration_is_read(text: object, seconds: float | None) -> None:
    assert duration(text) == seconds


def test_a_moment_is_told_in_utc() -> None:
    # 86400 s are a day: 2 January.
    assert utc(86400.5) == "1970-01-02T00:00:00.500+00:00"


@pytest.mark.parametrize("seconds", [None, 1e18, -1e18, math.nan, math.inf])
def test_what_no_calendar_has_is_no_moment(seconds: float | None) -> None:
    assert utc(seconds) is None


@pytest.mark.parametrize(
    ("value", "whole"),
    [
        (1767225600_000000001, 1767225600_000000001),  # as a float it would end with 000 or 256
        (0, None),
        (-5, None),
        (2**63, None),
        (1.5e18, None),
        (True, None),
        ("1767225600000000001", None),
        (None, None),
    ],
)
def test_nanoseconds_stay_whole(value: object, whole: int | None) -> None:
    assert nanoseconds(value) == whole
