from __future__ import annotations

from pathlib import Path

from generator.collect.engine_process.log_format import TAIL_BYTES, LogLine, last_lines, parse, prefix

# 2026-11-29T10:00:00Z is 1 795 946 400 s after 1970: 20 786 days (56 years of 365 and 14 leap days make 20 454, the
# 332 days before November 29th the rest) × 86 400 s + 36 000 s.
WALL = 1_795_946_400 * 10**9 + 123_456_789


def test_both_clocks_stand_in_front() -> None:
    assert prefix(8_723_412_345_678, WALL) == "8723412345678 2026-11-29T10:00:00.123456Z | "


def test_a_line_is_read_back() -> None:
    line = prefix(8_723_412_345_678, WALL) + "srv: a | b"
    # The wall clock is kept to the microsecond.
    assert parse(line) == LogLine(8_723_412_345_678, WALL - 789, "srv: a | b")


def test_other_lines_have_no_times() -> None:
    assert parse("srv: a | b") is None
    assert parse("1 2026-99-29T10:00:00.123456Z | x") is None


def test_the_prefix_leaves_room_in_the_head_of_a_line() -> None:
    # Requests are counted in the first 200 bytes of a line; 21 digits are more than any clock shows.
    assert len(prefix(10**20, WALL)) < 60


def test_the_last_words_are_without_their_times(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text("".join(f"{prefix(1, WALL)}line {n}\n" for n in range(5)) + "a traceback\n")
    assert last_lines(log, 2) == ("line 4", "a traceback")


def test_of_a_long_log_only_the_end_is_read(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_text("x" * TAIL_BYTES + "\nend\n")
    assert last_lines(log, 20) == ("end",)


def test_where_there_is_no_log_there_are_no_words(tmp_path: Path) -> None:
    assert last_lines(tmp_path / "server.log", 3) == ()
