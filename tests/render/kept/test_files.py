"""What is kept under a key is read back whole, or not at all."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from generator.render.kept import files as kept_files
from generator.render.kept.files import read, sealed, tidy, write

KEY, OTHER = "a" * 64, "b" * 64
DATA = b"what was made " * 100


def test_what_was_kept_is_read_back(tmp_path: Path) -> None:
    write(tmp_path, KEY, sealed(KEY, DATA))
    write(tmp_path, OTHER, sealed(OTHER, b""))
    assert read(tmp_path, KEY) == DATA
    assert read(tmp_path, OTHER) == b""
    assert [path.name for path in sorted(tmp_path.iterdir())] == [f"{KEY}.kept", f"{OTHER}.kept"]


def test_what_is_not_there_is_none(tmp_path: Path) -> None:
    assert read(tmp_path, KEY) is None
    assert read(tmp_path / "nowhere", KEY) is None


def test_any_damage_is_seen(tmp_path: Path) -> None:
    write(tmp_path, KEY, sealed(KEY, DATA))
    path = tmp_path / f"{KEY}.kept"
    whole = path.read_bytes()
    for at in range(len(whole)):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert read(tmp_path, KEY) is None, at
    for end in range(len(whole)):
        path.write_bytes(whole[:end])
        assert read(tmp_path, KEY) is None, end


def test_a_file_under_the_name_of_another_is_not_taken(tmp_path: Path) -> None:
    write(tmp_path, KEY, sealed(KEY, DATA))
    (tmp_path / f"{KEY}.kept").rename(tmp_path / f"{OTHER}.kept")
    assert read(tmp_path, OTHER) is None


def test_what_unpacks_to_too_much_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path, KEY, sealed(KEY, DATA))
    monkeypatch.setattr(kept_files, "LARGEST", len(DATA) - 1)
    assert read(tmp_path, KEY) is None


def test_a_folder_that_takes_no_file_takes_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    write(tmp_path / "file", KEY, sealed(KEY, DATA))
    write(tmp_path / "none", KEY, sealed(KEY, DATA))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]


def test_what_was_not_used_for_the_longest_time_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for age, letter in enumerate("abc"):
        path = tmp_path / f"{letter * 64}.kept"
        path.write_bytes(b"x" * 10)
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    partial = tmp_path / f".{'d' * 64}.kept.17.partial"
    partial.write_bytes(b"")
    os.utime(partial, (0, 0))
    (tmp_path / "of somebody else").write_bytes(b"x" * 100)
    monkeypatch.setattr(kept_files, "MOST_KEPT", 20)
    tidy(tmp_path)
    assert sorted(path.name[:2] for path in tmp_path.iterdir()) == ["aa", "bb", "of"]


def test_files_of_an_earlier_form_take_up_room_and_go_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / f"{KEY}.pages").write_bytes(b"x" * 10)
    monkeypatch.setattr(kept_files, "MOST_KEPT", 9)
    tidy(tmp_path)
    assert list(tmp_path.iterdir()) == []
