"""The same hash as long as nothing changed, another one as soon as anything did; no hash where that cannot be told."""

from __future__ import annotations

import time
from pathlib import Path

import pytest

from generator.render.kept import made_from
from generator.render.kept.made_from import contents_of, program


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a file at its top and one below."""
    made = tmp_path / "round"
    (made / "below").mkdir(parents=True)
    (made / "a.csv").write_text("1\n", encoding="utf-8")
    (made / "below" / "b.csv").write_text("2\n", encoding="utf-8")
    return made


def sha256(folder: Path) -> str:
    found = contents_of(folder)
    assert found is not None
    return found.sha256


def test_the_hash_of_a_folder_is_of_names_and_bytes_alone(folder: Path) -> None:
    before = sha256(folder)
    (folder / "a.csv").write_text("1\n", encoding="utf-8")  # the same bytes, at another time
    assert sha256(folder) == before


@pytest.mark.parametrize("name", ["a.csv", "below/b.csv", "below/new", ".hidden"])
def test_any_file_makes_another_hash(folder: Path, name: str) -> None:
    before = sha256(folder)
    (folder / name).write_text("3\n", encoding="utf-8")
    assert sha256(folder) != before


def test_a_name_or_an_empty_folder_makes_another_hash(folder: Path) -> None:
    before = sha256(folder)
    (folder / "a.csv").rename(folder / "c.csv")
    renamed = sha256(folder)
    (folder / "empty").mkdir()
    assert len({before, renamed, sha256(folder)}) == 3


def test_a_folder_that_was_touched_does_not_hold_any_more(folder: Path) -> None:
    found = contents_of(folder)
    assert found is not None
    assert found.still_hold()
    (folder / "a.csv").write_text("4\n", encoding="utf-8")
    assert not found.still_hold()


def test_links_cannot_be_told(folder: Path, tmp_path: Path) -> None:
    (folder / "link.csv").symlink_to(tmp_path)
    assert contents_of(folder) is None


def test_a_folder_that_is_not_there_cannot_be_told(tmp_path: Path) -> None:
    assert contents_of(tmp_path / "none") is None


def test_the_program_has_one_hash_until_a_file_of_it_is_touched(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(made_from, "PACKAGE", folder)
    monkeypatch.setattr(made_from, "resource", lambda name: folder / "below")
    later = time.time() + 60
    before = program(later)
    assert before is not None
    assert before == program(later)
    (folder / "below" / "b.csv").write_text("{{ another template }}", encoding="utf-8")
    assert program(later) not in {None, before}
    assert program(time.time() - 60) is None  # touched after its modules were imported
