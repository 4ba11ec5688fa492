from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from generator.collect.engine_process.log_file import LogFile
from generator.collect.engine_process.log_format import parse
from generator.collect.engine_process.log_text import Cleaner


@dataclass
class Pipe:
    source: int
    sink: int
    target: int
    path: Path

    def text(self) -> str:
        return self.path.read_text()


@pytest.fixture
def pipe(tmp_path: Path) -> Iterator[Pipe]:
    source, sink = os.pipe()
    os.set_blocking(source, False)
    path = tmp_path / "server.log"
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND)
    yield Pipe(source, sink, target, path)
    for one in (source, sink, target):
        os.close(one)


def test_lines_get_the_time_of_their_reading(pipe: Pipe) -> None:
    log = LogFile(pipe.source, pipe.target, Cleaner([]))
    os.write(pipe.sink, b"early\n")
    before = time.monotonic_ns()
    log.take()
    after = time.monotonic_ns()
    os.write(pipe.sink, b"late\n")
    log.finish()

    early, late = (parse(line) for line in pipe.text().splitlines())
    assert early is not None
    assert late is not None
    assert (early.text, late.text) == ("early", "late")
    assert before <= early.mono_ns <= after <= late.mono_ns


def test_a_last_line_without_an_end_is_kept(pipe: Pipe) -> None:
    log = LogFile(pipe.source, pipe.target, Cleaner([]))
    os.write(pipe.sink, b"last words")
    log.finish()
    assert pipe.text().endswith(" | last words\n")


def test_a_log_does_not_fill_the_disk(pipe: Pipe) -> None:
    log = LogFile(pipe.source, pipe.target, Cleaner([]), largest=100)
    for _ in range(10):
        os.write(pipe.sink, b"x" * 60 + b"\n")
        log.take()
        log.write_some()

    lines = pipe.text().splitlines()
    # 45 + 60 + 1 bytes of the first line reach the bound.
    assert len(lines) == 2
    assert lines[1].endswith("[the log is full: the rest is not kept]")


def test_a_full_disk_does_not_stop_the_reading() -> None:
    source, sink = os.pipe()
    os.set_blocking(source, False)
    full = os.open("/dev/full", os.O_WRONLY)
    log = LogFile(source, full, Cleaner([]))
    os.write(sink, b"line\n")
    log.finish()
    assert not log.pending
    for one in (source, sink, full):
        os.close(one)
