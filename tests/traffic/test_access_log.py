from __future__ import annotations

import pytest

from generator.traffic.access_log import AccessLog
from generator.traffic.rows import Row, UnfitError
from tests.support.loads import ACCESS

LINE = b'1.2.3.4 - - [%s] "POST /v1/completions HTTP/1.1" 200 10 "-" "agent/1.0"%s'


def rows_of(*lines: bytes) -> list[Row | None]:
    log = AccessLog()
    return [log.row(line) for line in lines]


def test_only_what_asks_a_model_is_a_request_and_came_before_it_ended() -> None:
    first, health, last = rows_of(*ACCESS.encode().splitlines())

    assert health is None
    assert first is not None
    assert last is not None
    assert (first.duration, last.duration) == (1.5, 0.25)
    # came at 36 − 1.5 = 34.5 and at 40 − 0.25 = 39.75
    assert (last.at or 0) - (first.at or 0) == pytest.approx(5.25)


def test_hours_are_those_of_the_log_s_own_zone() -> None:
    (row,) = rows_of(LINE % (b"01/Jan/1970:13:00:00 +0200", b""))

    assert row == Row(at=13 * 3600.0)


def test_a_change_of_the_zone_is_no_gap() -> None:
    # 03:00:00 +0200 is 02:00:00 +0100, one second before the other
    first, last = rows_of(LINE % (b"25/Oct/2026:02:59:59 +0200", b""), LINE % (b"25/Oct/2026:02:00:00 +0100", b""))
    assert first is not None
    assert last is not None
    assert (last.at or 0) - (first.at or 0) == 1.0


def test_a_number_in_the_name_of_a_program_is_no_duration() -> None:
    (row,) = rows_of(LINE % (b"01/Jan/1970:00:00:01 +0000", b' "9.999"'))

    assert row == Row(at=1.0)


@pytest.mark.parametrize(
    "line",
    [
        b"",
        b"GET / HTTP/1.1",
        LINE % (b"99/Jan/1970:00:00:01 +0000", b""),
        LINE % (b"01/Foo/1970:00:00:01 +0000", b""),
    ],
)
def test_what_is_no_line_is_told(line: bytes) -> None:
    with pytest.raises(UnfitError):
        rows_of(line)
