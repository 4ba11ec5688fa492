from __future__ import annotations

import re
from collections.abc import Iterable

import numpy as np
import pytest

from generator.logs import tables
from generator.logs.scan import FEW, scan
from generator.logs.tables import TooManyEventsError
from generator.runs.log_events import EventKind, Events, EventTable

DECODE = EventKind("decode", re.compile(rb"eval time = +(?P<ms>[\d.,]+|inf|-?nan) ms / +(?P<tokens>\d+) tokens"))
LAUNCH = EventKind("launch", re.compile(rb"processing task(?:, is_child = (?P<child>\d))?"))
STATUS = EventKind("answer", re.compile(rb'POST /v1/(?P<path_text>\w+) HTTP/1\.1" (?P<status>\d+)'))
ABSENT = tuple(EventKind(f"absent {n}", re.compile(b"never said " + bytes([97 + n]))) for n in range(FEW))

LINE = b"0.08.244.690 I slot print_timing: id  1 | task 88 |        eval time =    2095.73 ms /    64 tokens\n"
OURS = b"18562762756904 2026-11-29T22:28:48.711968Z | "


def events(log: bytes, *kinds: EventKind) -> Events:
    """Scan a log in both ways: by the first words of a few kinds, and line by line for many. Both find the same."""
    few = scan([log], kinds)
    many = scan([log], (*kinds, *ABSENT, *ABSENT))
    for key, table in few.items():
        assert plain(table) == plain(many[key])
    return few


def plain(table: EventTable) -> str:
    columns = {name: numbers.tolist() for name, numbers in table.columns.items()}
    return repr((table.lines.tolist(), table.clock.tolist(), table.own.tolist(), columns, table.texts))


def column(table: EventTable, name: str) -> list[float | None]:
    return [None if np.isnan(number) else float(number) for number in table.columns[name]]


def test_an_event_has_its_line_its_times_and_its_columns() -> None:
    found = events(b"first\n" + OURS + LINE, DECODE)["decode"]

    assert found.lines.tolist() == [2]
    assert found.clock.tolist() == [18562.762756904]
    assert found.own.tolist() == [pytest.approx(8.24469)]
    assert {name: column(found, name) for name in found.columns} == {
        "slot": [1],
        "task": [88],
        "ms": [2095.73],
        "tokens": [64],
    }


def test_a_kind_that_does_not_occur_is_an_empty_table() -> None:
    found = events(b"nothing of the kind\n", DECODE)["decode"]

    assert len(found) == 0
    assert found.columns["ms"].tolist() == []


@pytest.mark.parametrize("width", [1, 7, 64, 97, 1000])
def test_lines_are_counted_right_across_pieces(width: int) -> None:
    log = b"".join(b"filler\n" * n + LINE for n in range(5))
    pieces = [log[at : at + width] for at in range(0, len(log), width)]

    # Filler lines before the events: 0, 1, 3, 6, 10; each event is one further down than those and the events before.
    assert scan(pieces, [DECODE])["decode"].lines.tolist() == [1, 3, 6, 10, 15]


@pytest.mark.parametrize(
    "log",
    [
        pytest.param(LINE.rstrip(b"\n"), id="no line end"),
        pytest.param(LINE.replace(b"\n", b"\r\n"), id="of Windows"),
        pytest.param(b"\x00\xff\n\xc3\n" + LINE, id="bytes that are no text"),
        pytest.param(b"50%|##  |\r100%|####|\r" + LINE, id="behind a progress bar"),
        pytest.param(LINE.rstrip(b"\n") + LINE, id="two streams that met in a line"),
        pytest.param(LINE + LINE[:70], id="cut off within a line"),
        pytest.param(b"x" * 300_000 + b"\n" + LINE, id="behind a very long line"),
        pytest.param(b"the user asked: " + LINE + LINE, id="a quotation does not count"),
    ],
)
def test_odd_logs_have_the_one_event_that_they_have(log: bytes) -> None:
    found = events(log, DECODE)["decode"]

    assert column(found, "ms") == [2095.73]


@pytest.mark.parametrize(
    ("printed", "ms"), [(b"405,00", 405.0), (b"inf", None), (b"-nan", None), (b"1,5", 1.5), (b"12.", None)]
)
def test_odd_numbers_are_read_or_not_known(printed: bytes, ms: float | None) -> None:
    found = events(b"eval time = " + printed + b" ms / 4 tokens\n", DECODE)["decode"]

    assert column(found, "ms") == [ms]
    assert column(found, "tokens") == [4]


def test_a_group_that_is_not_there_is_not_known() -> None:
    found = events(b"processing task\nprocessing task, is_child = 1\n", LAUNCH)["launch"]

    assert column(found, "child") == [None, 1]


def test_words_are_kept_where_they_are_asked_for() -> None:
    log = b'POST /v1/chat HTTP/1.1" 200\nPOST /v2/chat HTTP/1.1" 200\nPOST /v1/completions HTTP/1.1" 404\n'

    found = events(log, STATUS)["answer"]

    # The path must be of v1: a line that differs in that digit alone is another.
    assert found.lines.tolist() == [1, 3]
    assert found.texts == {"path_text": ("chat", "completions")}
    assert column(found, "status") == [200, 404]


def test_kinds_of_one_key_fill_one_table_in_the_order_of_the_log() -> None:
    old = EventKind("launch", re.compile(rb"slot is processing task id_task=(?P<task>\d+)"))
    log = b"slot is processing task id_task=4\nprocessing task, is_child = 0\nslot is processing task id_task=5\n"

    found = events(log, LAUNCH, old)["launch"]

    assert found.lines.tolist() == [1, 2, 3]
    assert column(found, "task") == [4, None, 5]
    assert column(found, "child") == [None, 0, None]


@pytest.mark.parametrize(
    ("before", "seconds"),
    [
        (b"1621.16.348.559 I ", 1621 * 60 + 16.348559),
        (b'{"type":"log","time":7000001,"level":"info","msg":"', 7.000001),
        # 2026-01-05 is 20458 days from 1970-01-01: 56 years of 365, 14 leap days, 4 days.
        (b"[2026-01-05 10:00:00.5 TP0] ", (56 * 365 + 14 + 4) * 86400 + 36000.5),
        (b'time=2026-01-05T10:00:00.250+03:00 level=INFO msg="', (56 * 365 + 14 + 4) * 86400 + 36000.25),
    ],
)
def test_the_logs_own_time(before: bytes, seconds: float) -> None:
    found = events(before + b"eval time = 1.00 ms / 4 tokens\n", DECODE)["decode"]

    assert found.own.tolist() == [pytest.approx(seconds, abs=1e-6)]
    assert np.isnan(found.clock).all()


def test_of_a_log_without_years_differences_of_times_hold() -> None:
    first, later = (
        b"INFO %s [a.py:1] eval time = 1.00 ms / 4 tokens\n" % day for day in (b"05-31 23:59:59", b"06-01 00:00:01")
    )

    own = events(first + later, DECODE)["decode"].own

    assert own[1] - own[0] == 2


def test_more_events_than_can_be_held_are_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tables, "MOST", 3)

    assert len(scan([LINE * 3], [DECODE])["decode"]) == 3
    with pytest.raises(TooManyEventsError):
        scan([LINE * 4], [DECODE])


def test_random_bytes_are_no_events() -> None:
    noise = np.random.default_rng(7).integers(0, 256, 2**18, dtype=np.uint8).tobytes()

    found = events(noise + b"\n" + LINE + noise, DECODE)["decode"]

    assert column(found, "tokens") == [64]


def test_a_stream_is_read_piece_by_piece() -> None:
    def pieces() -> Iterable[bytes]:
        for _ in range(1000):
            yield LINE

    assert len(scan(pieces(), [DECODE])["decode"]) == 1000
