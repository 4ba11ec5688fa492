from __future__ import annotations

import pytest

from generator.telemetry.cells import flag, is_missing, moment, number


@pytest.mark.parametrize(
    ("cell", "field", "unit", "held"),
    [
        ("76.5 W", "power", "", 76.5),
        ("500 mW", "power", "", 0.5),
        ("1980 MHz", "sm_clock", "", 1.98e9),
        ("1980", "sm_clock", "", 1.98e9),  # MHz unless it is said
        ("3", "memory_used", "", 3 * 2**20),
        ("3 MB", "memory_used", "", 3 * 2**20),  # what old releases print as MB are MiB
        ("3 MiB", "memory_used", "", 3 * 2**20),
        ("2", "memory_used", "GiB", 2 * 2**30),
        ("45", "utilisation_gpu", "", 0.45),
        ("71", "temperature", "", 71.0),
        ("0x0000000000000024", "event_reasons", "", 36.0),
    ],
)
def test_a_number_is_held_in_base_units(cell: str, field: str, unit: str, held: float) -> None:
    assert number(cell, field, unit) == pytest.approx(held)


@pytest.mark.parametrize("cell", ["[N/A]", "N/A", "P0", "76.5 W each", "1,5 W", "inf", "nan", "", "1e999", "7 parsecs"])
def test_what_is_no_number_is_none(cell: str) -> None:
    assert number(cell, "power") is None


@pytest.mark.parametrize(
    "cell",
    ["[N/A]", "N/A", "[Not Supported]", "Not Supported", "[Unknown Error]", "[Insufficient Permissions]", "-", ""],
)
def test_words_for_there_being_no_number(cell: str) -> None:
    assert is_missing(cell)


def test_a_number_is_not_missing() -> None:
    assert not is_missing("0 W")
    assert not is_missing("P0")


def test_yes_and_no() -> None:
    assert (flag("Active"), flag("Not Active"), flag("[N/A]")) == (True, False, None)


@pytest.mark.parametrize(
    ("text", "seconds", "clock"),
    [
        ("2026/05/01 09:00:00.500", 1777626000.5, "local"),
        ("2026/05/01 09:00:00", 1777626000.0, "local"),
        ("Fri May  1 09:00:00 2026", 1777626000.0, "local"),
        ("20260501 09:00:00", 1777626000.0, "local"),
        ("2026-05-01T09:00:00", 1777626000.0, "local"),
        ("2026-05-01T09:00:00Z", 1777626000.0, "utc"),
        ("2026-05-01T11:00:00+02:00", 1777626000.0, "utc"),
        ("1777626000.25", 1777626000.25, "utc"),
    ],
)
def test_a_time_says_of_which_clock_it_is(text: str, seconds: float, clock: str) -> None:
    # 2026-05-01 is day 20574 since 1970; 20574 × 86400 + 9 × 3600 = 1777626000
    assert moment(text) == (seconds, clock)


@pytest.mark.parametrize("text", ["", "yesterday", "2026/13/01 09:00:00", "2026-05-01T99:00:00", "9" * 400])
def test_what_is_no_time_is_none(text: str) -> None:
    assert moment(text) is None
