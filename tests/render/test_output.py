"""The site is written whole or not at all, and never over something else."""

from __future__ import annotations

import os
import shutil
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.render import output
from generator.render.output import MARKER, refuse_overlap, write_site

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
        MARKER: b"assets/site.css\ndata/a/values.csv\ndata/raw\nindex.html\n",
    }


def test_an_old_site_is_replaced_without_leftovers(tmp_path: Path) -> None:
    write_site(tmp_path / "site", {"gone.html": "old"}, {})
    write_site(tmp_path / "site", {"index.html": "new"}, {})
    assert files(tmp_path / "site") == {"index.html": b"new", MARKER: b"index.html\n"}
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
    with pytest.raises(InputError, match=r"holds 'chapter\.md', which no build of this program wrote; build elsewhere"):
        write_site(tmp_path / "thesis", PAGES, {})
    assert files(tmp_path / "thesis") == {"chapter.md": b"mine"}


def test_a_file_and_a_link_to_none_are_refused(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("mine", encoding="utf-8")
    (tmp_path / "link").symlink_to("file")
    (tmp_path / "nowhere").symlink_to("gone")
    for name in ("file", "link", "nowhere"):
        with pytest.raises(InputError, match="this is not a folder; choose another folder with --out"):
            write_site(tmp_path / name, PAGES, {})
    assert (tmp_path / "file").read_text(encoding="utf-8") == "mine"


def test_a_link_to_a_folder_stays_and_what_it_leads_to_is_replaced(tmp_path: Path) -> None:
    (tmp_path / "www" / "there").mkdir(parents=True)
    (tmp_path / "site").symlink_to("www/there")
    for pages in ({"index.html": "old"}, PAGES):
        write_site(tmp_path / "site", pages, {})
    assert (tmp_path / "site").is_symlink()
    assert (tmp_path / "www" / "there" / "index.html").read_bytes() == b"<!doctype html>"
    assert [path.name for path in (tmp_path / "www").iterdir()] == ["there"]
    (tmp_path / "www" / "there" / "mine").touch()
    with pytest.raises(InputError, match="holds 'mine', which no build of this program wrote"):
        write_site(tmp_path / "site", PAGES, {})


def test_a_copy_by_hard_links_keeps_what_it_has(tmp_path: Path) -> None:
    write_site(tmp_path / "site", {"index.html": "old", "same.html": "same"}, {})
    shutil.copytree(tmp_path / "site", tmp_path / "copy", copy_function=os.link)
    write_site(tmp_path / "site", {"index.html": "new", "same.html": "same"}, {})
    assert files(tmp_path / "copy") == {"index.html": b"old", "same.html": b"same", MARKER: b"index.html\nsame.html\n"}


@pytest.mark.skipif(sys.platform != "linux", reason="renameat2 is of Linux")
def test_no_moment_is_without_a_site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    # Where folders can change places at once nothing is moved away first: a move would fail here.
    write_site(tmp_path / "site", {"index.html": "old"}, {})
    monkeypatch.setattr(Path, "rename", fails_after(0, Path.rename))
    write_site(tmp_path / "site", PAGES, {})
    assert (tmp_path / "site" / "index.html").read_bytes() == b"<!doctype html>"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


@pytest.mark.parametrize("failing", ["write_bytes", "copyfile", "rename"])
def test_a_failure_leaves_the_old_site_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, failing: str) -> None:
    site, source = tmp_path / "site", tmp_path / "a.css"
    source.write_text("p {}", encoding="utf-8")
    write_site(site, {"index.html": "old"}, {})
    before = files(site)
    monkeypatch.setattr(output, "_exchanged", lambda *_: False)
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


@pytest.mark.parametrize("name", ["CNAME", ".git/config", "data/a/mine.csv"])
def test_a_file_that_was_put_into_the_site_is_not_deleted(tmp_path: Path, name: str) -> None:
    site = tmp_path / "site"
    write_site(site, PAGES, {})
    (site / name).parent.mkdir(exist_ok=True)
    (site / name).write_text("mine", encoding="utf-8")
    with pytest.raises(InputError, match=rf"site: the folder holds '{name}', which no build of this program wrote"):
        write_site(site, PAGES, {})
    assert (site / name).read_text(encoding="utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_a_link_to_a_folder_that_was_put_into_the_site_is_a_file_too(tmp_path: Path) -> None:
    write_site(tmp_path / "site", PAGES, {})
    (tmp_path / "site" / "more").symlink_to(tmp_path)
    with pytest.raises(InputError, match="holds 'more'"):
        write_site(tmp_path / "site", PAGES, {})


@pytest.mark.parametrize(
    ("runs", "out", "problem"),
    [
        ("a", "a", "out a: the folder holds the rounds"),
        ("a/runs", "a", "out a: the folder holds the rounds"),
        ("link", "a", "out a: the folder holds the rounds"),
        ("a", "a/site", "out a/site: the folder lies among the rounds"),
        ("a", "a/../a/x/site", "the folder lies among the rounds"),
        ("b", "/", "out /: the folder holds the rounds"),
    ],
)
def test_a_site_and_its_rounds_never_share_a_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, runs: str, out: str, problem: str
) -> None:
    (tmp_path / "a" / "runs").mkdir(parents=True)
    (tmp_path / "link").symlink_to("a/runs")
    monkeypatch.chdir(tmp_path)
    with pytest.raises(InputError) as refused:
        refuse_overlap(Path(runs), Path(out))
    assert problem in f"out {refused.value}"


def test_rounds_and_site_side_by_side_are_fine(tmp_path: Path) -> None:
    refuse_overlap(tmp_path / "runs", tmp_path / "site")
    refuse_overlap(tmp_path / "site-runs", tmp_path / "site")


def test_the_root_of_the_disk_is_no_site() -> None:
    with pytest.raises(InputError, match="/: this folder cannot be replaced; choose another folder with --out"):
        write_site(Path("/"), PAGES, {})


def left_by_a_kill(tmp_path: Path) -> Path:
    """Make what a build leaves that is killed between its two moves: the old site and the new, and no site."""
    write_site(tmp_path / "site", {"index.html": "old"}, {})
    work = tmp_path / ".site.rounds-abcdefgh"
    (work / "new").mkdir(parents=True)
    (tmp_path / "site").rename(work / "old")
    return work


def test_what_a_killed_build_left_does_not_stop_the_next(tmp_path: Path) -> None:
    left_by_a_kill(tmp_path)
    assert write_site(tmp_path / "site", PAGES, {}) == ()
    assert (tmp_path / "site" / "index.html").read_bytes() == b"<!doctype html>"
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_the_site_of_a_killed_build_comes_back_even_where_the_next_build_fails(tmp_path: Path) -> None:
    left_by_a_kill(tmp_path)
    with pytest.raises(InputError, match=r"cannot be written \(No such file or directory\)"):
        write_site(tmp_path / "site", PAGES, {"assets/a.css": tmp_path / "gone.css"})
    assert files(tmp_path / "site") == {"index.html": b"old", MARKER: b"index.html\n"}


def test_what_cannot_be_removed_is_named_and_the_site_is_built_all_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    work = left_by_a_kill(tmp_path)
    monkeypatch.setattr(shutil, "rmtree", lambda folder, ignore_errors: None)
    assert work in write_site(tmp_path / "site", PAGES, {})
    assert (tmp_path / "site" / "index.html").read_bytes() == b"<!doctype html>"


def test_links_and_files_with_the_name_of_a_leftover_are_left_alone(tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / ".site.rounds-link").symlink_to("mine")
    (tmp_path / ".site.rounds-file").touch()
    (tmp_path / ".site.rounds-x.rounds-abcdefgh").mkdir()  # of the site "site.rounds-x"
    before = sorted(path.name for path in tmp_path.iterdir())
    assert write_site(tmp_path / "site", PAGES, {}) == ()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([*before, "site"])


def test_an_interrupted_build_leaves_the_old_site_whole(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_site(tmp_path / "site", {"index.html": "old"}, {})
    rename = Path.rename

    def interrupted(path: Path, target: Path) -> Path:
        if path.name == "new":
            raise KeyboardInterrupt
        return rename(path, target)

    monkeypatch.setattr(output, "_exchanged", lambda *_: False)
    monkeypatch.setattr(Path, "rename", interrupted)
    with pytest.raises(KeyboardInterrupt):
        write_site(tmp_path / "site", PAGES, {})
    assert files(tmp_path / "site") == {"index.html": b"old", MARKER: b"index.html\n"}
    assert [path.name for path in tmp_path.iterdir()] == ["site"]


def test_builds_into_one_folder_at_once_leave_a_whole_site(tmp_path: Path) -> None:
    def build(mark: str) -> tuple[Path, ...]:
        return write_site(tmp_path / "site", {f"{at}.html": mark for at in range(40)}, {})

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(build, "abcdefghabcdefgh")) == {()}
    contents = {content for name, content in files(tmp_path / "site").items() if name != MARKER}
    assert len(contents) == 1
    assert len(files(tmp_path / "site")) == 40 + 1
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
