from __future__ import annotations

from pathlib import Path

import pytest

from generator.errors import InputError
from generator.traffic.mapped import Column, mapping_of
from generator.traffic.reading import Bad, read_traffic
from generator.traffic.rows import Row
from tests.support.loads import put


def rows_of(path: Path, mapped: str) -> tuple[list[object], str]:
    reading = read_traffic(path, mapping_of(mapped))
    return list(reading.found), reading.clock()


def test_the_option_names_columns_and_units() -> None:
    assert mapping_of("input=in, time=at:ms,duration=a.b") == {
        "input": Column("in"), "time": Column("at", "ms"), "duration": Column("a.b"),
    }  # fmt: skip


@pytest.mark.parametrize(
    ("told", "line"),
    [
        ("", "--map: maps nothing; write input=COLUMN"),
        ("inptu=x", "--map: there is no 'inptu' to map; did you mean 'input'?"),
        ("input=", "--map: input has to name one column; write input=COLUMN"),
        ("input=a,input=b", "--map: input has to name one column"),
        ("time=at:min", "--map: 'min' is no unit of time; write one of s, ms, us, ns"),
    ],
)
def test_what_the_option_cannot_mean_is_told(told: str, line: str) -> None:
    with pytest.raises(InputError) as error:
        mapping_of(told)
    assert str(error.value).startswith(line)


def test_columns_of_a_table(tmp_path: Path) -> None:
    path = put(tmp_path, "At;In;Out;Took\n1700000000000;10;2;250\n1700000001000;20;;\n")

    found, clock = rows_of(path, "time=at,input=in,output=OUT,duration=took:ms")
    # so many ms since 1970 tell themselves; 250 ms are 0.25 s
    assert found == [Row(None, 10, 2, 1_700_000_000.0, 0.25), Row(None, 20, None, 1_700_000_001.0)]
    assert clock == "utc"


def test_entries_within_objects(tmp_path: Path) -> None:
    path = put(tmp_path, '{"usage": {"in": 5, "out": 6}, "t": "2026-01-02T03:04:05"}\n{"usage.in": 7, "t": null}\n')

    found, clock = rows_of(path, "input=usage.in,output=usage.out,time=t")
    assert isinstance(found[0], Row)
    assert (found[0].input_tokens, found[0].output_tokens) == (5, 6)
    assert found[1] == Row(None, 7)
    assert clock == "file"


@pytest.mark.parametrize(
    ("times", "clock", "gap"),
    [
        ((10, 12), "start", 2.0),
        (("10.5", "12.5"), "start", 2.0),
        ((1.7e9, 1.7e9 + 2), "utc", 2.0),
        ((1.7e18, 1.7e18 + 2e9), "utc", 2.0),
        (("2026-01-02T00:00:00Z", "2026-01-02T02:00:02+02:00"), "utc", 2.0),
        (("2026-01-02 00:00:00", "2026-01-02 00:00:02"), "file", 2.0),
    ],
)  # fmt: skip
def test_times_tell_their_unit_and_their_clock(
    tmp_path: Path, times: tuple[object, object], clock: str, gap: float
) -> None:
    path = put(tmp_path, "at\n" + "\n".join(str(time) for time in times))

    (first, last), found = rows_of(path, "time=at")
    assert isinstance(first, Row)
    assert isinstance(last, Row)
    assert (last.at or 0) - (first.at or 0) == pytest.approx(gap)
    assert found == clock


def test_a_column_that_is_not_there_is_told_without_the_first_line(tmp_path: Path) -> None:
    with pytest.raises(InputError) as error:
        read_traffic(put(tmp_path, "who knows\n1\n"), mapping_of("input=tokens"))
    assert str(error.value).endswith("line 1: has no column 'tokens'; name one that its first line has")


def test_dates_among_numbers_are_bad_lines(tmp_path: Path) -> None:
    found, _ = rows_of(put(tmp_path, "at,in\n1,5\n2026-01-02,5\n3,5\n"), "time=at,input=in")
    assert [isinstance(one, Row) for one in found] == [True, False, True]


def test_a_first_time_that_is_none_settles_nothing(tmp_path: Path) -> None:
    rows, clock = rows_of(put(tmp_path, "t\n1e308\n1700000000000\n1700000001000\n"), "time=t")

    # by their size ms since 1970
    assert rows[1:] == [Row(at=1_700_000_000.0), Row(at=1_700_000_001.0)]
    assert clock == "utc"


def test_a_span_is_judged_in_seconds(tmp_path: Path) -> None:
    # 1e15 ns are 1e6 s; 1e22 ns are 1e13 s, which nothing lasts
    rows, _ = rows_of(put(tmp_path, "d\n1e15\n1e22\n"), "duration=d:ns")

    assert rows[0] == Row(duration=1e6)
    assert isinstance(rows[1], Bad)
