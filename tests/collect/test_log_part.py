from __future__ import annotations

from pathlib import Path

from generator.collect.engine_process.log_format import prefix
from generator.collect.log_part import LATE_NS, part_of_log

WALL = 1_790_000_000_000_000_000


def line(mono_ns: int, text: str) -> bytes:
    return f"{prefix(mono_ns, WALL)}{text}\n".encode()


def test_only_lines_of_the_time_between_are_taken(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    early, first, last, late = line(99, "a"), line(100, "b"), line(200 + LATE_NS, "c"), line(201 + LATE_NS, "d")
    log.write_bytes(early + first + last + late)

    assert part_of_log(log, 0, 100, 200) == first + last


def test_what_lies_before_a_byte_is_not_looked_at(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_bytes(line(150, "before") + line(150, "after"))

    assert part_of_log(log, len(line(150, "before")), 100, 200) == line(150, "after")


def test_lines_without_a_clock_are_left_out(tmp_path: Path) -> None:
    log = tmp_path / "server.log"
    log.write_bytes(b"no clock\n\xff\xfe\n" + line(150, "x"))

    assert part_of_log(log, 0, 100, 200) == line(150, "x")
