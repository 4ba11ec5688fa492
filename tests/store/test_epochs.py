"""Seconds since 1970 as text."""

from __future__ import annotations

import math

import pytest

from generator.store.epochs import utc


def test_a_moment_is_told_in_utc() -> None:
    # 86400 s are a day: 2 January.
    assert utc(86400.5) == "1970-01-02T00:00:00.500+00:00"


@pytest.mark.parametrize("seconds", [None, 1e18, -1e18, math.nan, math.inf])
def test_what_no_calendar_has_is_no_moment(seconds: float | None) -> None:
    assert utc(seconds) is None
