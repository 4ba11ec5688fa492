from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.store.files import open_file, printable, read_text, shown, write_atomically, write_new


def test_a_path_below_the_current_folder_is_shown_from_there(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert shown(tmp_path / "runs" / "a.csv") == "runs/a.csv"
    assert shown(Path("runs/a.csv")) == "runs/a.csv"
    assert shown(Path("/elsewhere/a.csv")) == "/elsewhere/a.csv"
    assert shown(Path("../a.csv")) == "../a.csv"


def test_what_does_not_print_is_shown_as_an_escape() -> None:
    assert printable("a\x1b[31m\u202e\udcff — 轮次") == r"a\x1b[31m\u202e\udcff — 轮次"


def test_spaces_of_every_width_print_and_marks_of_direction_do_not() -> None:
    # a narrow space that does not break, an ideographic space; a line separator and two marks of direction
    assert printable("26.3\u202ftok/s\u3000C=2") == "26.3\u202ftok/s\u3000C=2"
    assert printable("a\u2028b\u2066c\u200fd") == r"a\u2028b\u2066c\u200fd"


def test_text_is_read_without_its_byte_order_mark(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_bytes(b"\xef\xbb\xbf\xe8\xbd\xae\r\n")
    assert read_text(tmp_path / "a.txt", within=tmp_path) == "轮\r\n"


def test_a_missing_file_is_the_callers_business(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError):
        read_text(tmp_path / "a.txt", within=tmp_path)


def test_a_file_is_written_and_nothing_is_left_beside_it(tmp_path: Path) -> None:
    write_atomically(tmp_path / "a.json", b"old")
    write_atomically(tmp_path / "a.json", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.json": b"new"}


def test_a_written_file_can_be_read_by_those_who_may_read_others(tmp_path: Path) -> None:
    (tmp_path / "plain").touch()
    write_atomically(tmp_path / "a.json", b"")
    assert (tmp_path / "a.json").stat().st_mode == (tmp_path / "plain").stat().st_mode


def test_a_crash_while_writing_leaves_the_old_file_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(_handle: int) -> None:
        raise OSError(28, "No space left on device")

    write_atomically(tmp_path / "a.json", b"old")
    monkeypatch.setattr(os, "fsync", crash)
    with pytest.raises(OSError, match="No space left"):
        write_atomically(tmp_path / "a.json", b"new")
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == {"a.json": b"old"}


def test_leftovers_of_a_crash_do_not_stand_in_the_way(tmp_path: Path) -> None:
    (tmp_path / f".a.json.{os.getpid()}.partial").write_bytes(b"half")
    write_atomically(tmp_path / "a.json", b"new")
    assert [path.name for path in tmp_path.iterdir()] == ["a.json"]


def test_what_killed_processes_had_begun_is_removed_by_the_next_that_writes_the_file(tmp_path: Path) -> None:
    begin = "import os; open(f'.a[1].json.{os.getpid()}.partial', 'x'); os.kill(os.getpid(), 9)"
    subprocess.run([sys.executable, "-c", begin], cwd=tmp_path, check=False)
    kept = [
        f".a[1].json.{os.getppid()}.partial",  # a process that is at it
        ".a1.json.4194304.partial",  # of another file: Linux numbers processes below 4,194,304
        ".a[1].json.what.partial",
        f".a[1].json.{'9' * 30}.partial",
    ]
    for name in kept:
        (tmp_path / name).touch()
    assert len(list(tmp_path.iterdir())) == len(kept) + 1

    write_atomically(tmp_path / "a[1].json", b"new")
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted(["a[1].json", *kept])


def test_what_is_there_already_is_not_written_over(tmp_path: Path) -> None:
    write_new(tmp_path / "a", b"first")
    with pytest.raises(FileExistsError):
        write_new(tmp_path / "a", b"second")
    assert (tmp_path / "a").read_bytes() == b"first"


def test_of_a_long_path_the_end_is_shown() -> None:
    assert shown(Path("/" + "a" * 300 + "/round.toml")) == "…" + "a" * (200 - len("/round.toml")) + "/round.toml"


def test_a_pipe_is_not_waited_for_when_it_is_opened(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    for name in ("pipe", "."):
        with pytest.raises(InputError, match="is not a file"):
            open_file(tmp_path / name)


def test_a_file_is_opened_at_its_beginning(tmp_path: Path) -> None:
    (tmp_path / "x").write_bytes(b"abc")
    with open_file(tmp_path / "x") as file:
        assert file.read(2) == b"ab"
