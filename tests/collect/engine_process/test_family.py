from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from generator.collect.engine_process import family
from generator.collect.engine_process.family import Process, descendants, members, table

# 1 ─ 10 ─ 11 ─ 12, and 13 under 10 in a session of its own; 20 is a stranger.
TREE = {
    1: Process(1, 0, 1, 1),
    10: Process(10, 1, 10, 10),
    11: Process(11, 10, 10, 10),
    12: Process(12, 11, 12, 10),
    13: Process(13, 10, 13, 13),
    20: Process(20, 1, 20, 20),
}


def test_descendants_of_all_generations_are_found() -> None:
    assert descendants(10, TREE) == {11, 12, 13}


def test_a_ring_of_parents_ends() -> None:
    assert descendants(1, {1: Process(1, 2, 1, 1), 2: Process(2, 1, 1, 1)}) == {2}


def test_members_are_those_of_the_group_or_the_session() -> None:
    assert members(10, TREE) == {10, 11, 12}


def test_a_child_of_ours_is_in_the_table() -> None:
    with subprocess.Popen([sys.executable, "-c", "input()"], stdin=subprocess.PIPE, start_new_session=True) as child:
        found = table()[child.pid]
        assert found == Process(child.pid, os.getpid(), child.pid, child.pid)
        child.communicate(b"\n")


def test_the_dead_are_not_in_the_table() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    os.waitid(os.P_PID, child.pid, os.WEXITED | os.WNOWAIT)  # it is a zombie now
    assert child.pid not in table()
    child.wait()


def test_one_whose_first_thread_has_ended_is_not_dead(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for pid, threads in (("77", 2), ("78", 1)):
        (tmp_path / pid).mkdir()
        stat = f"{pid} (engine) Z 5 6 7 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 {threads} 0"
        (tmp_path / pid / "stat").write_text(stat)
    monkeypatch.setattr(family, "PROC", tmp_path)
    assert list(family._from_proc()) == [Process(77, 5, 6, 7)]


def test_a_name_may_hold_brackets_and_blanks(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "77"
    folder.mkdir()
    (folder / "stat").write_bytes(b"77 (a) S 9 (x)) R 5 6 7 0 -1 4194304 0 0 0 0 0 0 0 0 20 0 1 0")
    monkeypatch.setattr(family, "PROC", tmp_path)
    assert list(family._from_proc()) == [Process(77, 5, 6, 7)]


def test_without_proc_the_table_comes_from_ps() -> None:
    found = {process.id: process for process in family._from_ps()}
    assert found[os.getpid()].parent == os.getppid()
    assert found[os.getpid()].group == os.getpgrp()


def test_a_signal_to_who_is_gone_is_no_error() -> None:
    child = subprocess.Popen([sys.executable, "-c", ""])
    child.wait()
    family.send(signal.SIGTERM, [child.pid])
