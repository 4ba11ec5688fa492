from __future__ import annotations

import pytest

from generator.traffic.rows import LONGEST, UnfitError, date, duration, length, moment, number
from tests.support.loads import SECRET


@pytest.mark.parametrize(("raw", "tokens"), [("472", 472), (472, 472), ("1e3", 1000), (12.0, 12), ("0", 0), ("٣", 3)])
def test_a_length_is_a_whole_number_however_it_is_written(raw: object, tokens: int) -> None:
    assert length(raw) == tokens


@pytest.mark.parametrize("raw", ["-1", "1.5", "nan", "inf", "", None, True, [1], str(LONGEST + 1), "9" * 400])
def test_what_is_no_length_is_refused(raw: object) -> None:
    with pytest.raises(UnfitError):
        length(raw)


def test_dates_without_a_zone_are_taken_for_utc() -> None:
    # 1 May 1970 is day 120: 120 × 86,400 s
    assert date("1970-05-01 00:00:01.5") == 120 * 86_400 + 1.5
    assert date("1970-05-01T02:00:00+02:00") == 120 * 86_400


def test_a_span_of_time_is_not_below_nought() -> None:
    assert duration("2.5") == 2.5
    with pytest.raises(UnfitError, match="is no span of time"):
        duration(-1)


def test_what_is_wrong_is_said_with_and_without_a_word_of_the_file() -> None:
    with pytest.raises(UnfitError) as error:
        number(SECRET, "time")
    assert error.value.problem == f"'{SECRET}' is no number"
    assert error.value.said == "is no number"
    assert SECRET not in str(error.value)


@pytest.mark.parametrize("raw", [1e308, "-1e300", 1e12 * 1.001, 10**300, "inf", "nan"])
def test_what_lies_beyond_all_times_is_none(raw: object) -> None:
    with pytest.raises(UnfitError):
        moment(raw)
    with pytest.raises(UnfitError):
        duration(raw)


def test_times_and_spans_are_in_seconds_whatever_they_were_told_in() -> None:
    # 1.5e15 ms are 1.5e12 s, beyond all times; 1.5e15 ns are 1.5e6 s
    assert moment("1500", per_second=1e3) == 1.5
    assert duration(1.5e15, per_second=1e9) == pytest.approx(1.5e6)
    with pytest.raises(UnfitError, match="is no time"):
        moment(1.5e15, per_second=1e3)
    with pytest.raises(UnfitError, match="is no span of time"):
        duration(1.5e15, per_second=1e3)
