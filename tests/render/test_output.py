"""The site is written whole or not at all, and never over something else."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.render.output import MARKER, write_site

PAGES: dict[str, str | bytes] = {"index.html": "<!doctype html>", "data/a/values.csv": "a\r\n", "data/raw": b"\xff"}


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_writes_text_as_it_is_and_bytes_as_they_are(tmp_path: Path) -> None:
    (tmp_path / "source.css").write_text("p {}", encoding="utf-8")
    write_site(tmp_path / "site", PAGES, {"assets/site.css": tmp_path / "source.css"})
    assert files(tmp_path / "site") == {
        "index.html": b"<!doctype html>",
        "data/a/values.csv": b"a\r\n",
        "data/raw": b"\xff",
        "assets/site.css": b"p {}",
        MARKER: b"",
    }


def test_an_old_site_is_replaced_without_leftovers(tmp_path: Path) -> None:
    write_site(tmp_path / "site", {"gone.html": "old"}, {})
    write_site(tmp_path / "site", {"index.html": "new"}, {})
    assert files(tmp_path / "site") == {"index.html": b"new", MARKER: b""}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_an_empty_folder_and_missing_parents_are_fine(tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    write_site(tmp_path / "empty", PAGES, {})
    write_site(tmp_path / "deep" / "down" / "site", PAGES, {})
    assert files(tmp_path / "empty") == files(tmp_path / "deep" / "down" / "site")


def test_the_current_folder_has_a_name_too(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")
    write_site(Path(), PAGES, {})
    assert (tmp_path / "here" / "index.html").exists()


def test_a_foreign_folder_is_refused_and_left_alone(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.md").write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match="holds files that this program did not write; choose another folder"):
        write_site(tmp_path / "thesis", PAGES, {})
    assert files(tmp_path / "thesis") == {"chapter.md": b"mine"}


def test_a_file_and_a_link_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    (tmp_path / "there").mkdir()
    (tmp_path / "link").symlink_to("there")
    (tmp_path / "nowhere").symlink_to("gone")
    for name in ("file", "link", "nowhere"):
        with pytest.raises(InputError, match="this is not a folder; choose another folder with --out"):
            write_site(tmp_path / name, PAGES, {})
    assert list((tmp_path / "there").iterdir()) == []


@pytest.mark.parametrize("failing", ["write_bytes", "copyfile", "rename"])
def test_a_failure_leaves_the_old_site_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    site, source = tmp_path / "site", tmp_path / "a.css"
    source.write_text("p {}", encoding="utf-8")
    write_site(site, {"index.html": "old"}, {})
    before = files(site)
    if failing == "copyfile":
        monkeypatch.setattr(shutil, "copyfile", fails_after(0, shutil.copyfile))
    else:
        # The second file, and the second rename: the first one has already moved the old site away.
        monkeypatch.setattr(Path, failing, fails_after(1, getattr(Path, failing)))
    with pytest.raises(InputError, match=r"site: the site cannot be written \(No space left on device\)"):
        write_site(site, PAGES, {"assets/a.css": source})
    monkeypatch.undo()
    assert files(site) == before
    write_site(site, PAGES, {})
    assert (site / "index.html").read_bytes() == b"<!doctype html>"
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.css", "site"]


def test_what_a_killed_build_left_does_not_stop_the_next(tmp_path: Path) -> None:
    for left in (".site.building", ".site.old"):
        (tmp_path / left).mkdir()
        (tmp_path / left / "half.html").write_text("half", encoding="utf-8")
    write_site(tmp_path / "site", PAGES, {})
    assert "half.html" not in files(tmp_path / "site")
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


class fails_after:  # noqa: N801  # reads as a phrase where it is used
    """Stands for a function until it has been called some times, then for a full disk."""

    def __init__(self, calls: int, function: object) -> None:
        self.left = calls
        self.function = function

    def __get__(self, instance: object, owner: type) -> object:
        return lambda *args: self(instance, *args)

    def __call__(self, *args: object) -> object:
        self.left -= 1
        # Restoring the old site after the one failure is allowed to work.
        if self.left == -1:
            raise OSError(28, "No space left on device")
        return self.function(*args)  # type: ignore[operator]
