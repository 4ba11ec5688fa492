"""A site has the same bytes whether pages were kept or not, and whatever became of the files that keep them."""

from __future__ import annotations

import hashlib
import json
import os
import shutil
import threading
import zlib
from pathlib import Path

import pytest

from generator.render import keeping, site
from generator.render.keeping import FORM, Keeper, Kept, keeper_of_user
from generator.render.site import build_site
from tests.support.rounds import write_round

Contents = dict[str, bytes]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two rounds of one family, which are held against each other, and one of another."""
    for name in ("round-1", "round-2"):
        write_round(tmp_path / "runs" / name)
    write_round(tmp_path / "runs" / "ours")
    edited(tmp_path / "runs" / "ours" / "round.toml", '[model]\nname = "', '[model]\nname = "Another ')
    return tmp_path / "runs"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rounds whose pages were made anew, in order."""
    names: list[str] = []
    make = site._round_files

    def noting(*given: object) -> object:
        names.append(given[2].round.id)  # type: ignore[attr-defined]
        return make(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(site, "_round_files", noting)
    return names


def keeper(tmp_path: Path, program: str = "program") -> Keeper:
    folder = tmp_path / "kept"
    folder.mkdir(exist_ok=True)
    return Keeper(folder, lambda: program)


def built(runs: Path, keeper: Keeper | None, base_url: str | None = None) -> Contents:
    out = runs.parent / "site"
    assert build_site(runs, out, base_url, keeper).unreadable == ()
    return {path.relative_to(out).as_posix(): path.read_bytes() for path in out.rglob("*") if path.is_file()}


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")


def test_what_did_not_change_is_not_made_again(tmp_path: Path, runs: Path, made: list[str]) -> None:
    fresh = built(runs, None)
    assert made == ["ours", "round-1", "round-2"]
    assert built(runs, keeper(tmp_path)) == fresh
    made.clear()
    assert built(runs, keeper(tmp_path)) == fresh
    assert made == []


def test_a_changed_file_makes_the_pages_of_its_round_anew(tmp_path: Path, runs: Path, made: list[str]) -> None:
    before = built(runs, keeper(tmp_path))
    table = min((runs / "ours").glob("*/published.csv"))
    lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
    table.write_text("".join(lines[:-1]), encoding="utf-8")
    made.clear()
    after = built(runs, keeper(tmp_path))
    assert made == ["ours"]
    assert after == built(runs, None) != before


def test_another_title_is_seen_beside_the_round_as_well(tmp_path: Path, runs: Path, made: list[str]) -> None:
    built(runs, keeper(tmp_path))
    edited(runs / "ours" / "round.toml", 'title.en = "', 'title.en = "Another ')
    made.clear()
    after = built(runs, keeper(tmp_path))
    assert made == ["ours", "round-1"]
    assert b"Another " in after["en/rounds/round-1/index.html"]
    assert after == built(runs, None)


def test_a_round_less_or_another_address_is_seen(tmp_path: Path, runs: Path) -> None:
    built(runs, keeper(tmp_path))
    shutil.rmtree(runs / "round-1")
    assert built(runs, keeper(tmp_path)) == built(runs, None)
    elsewhere = "https://example.org/bench"
    assert built(runs, keeper(tmp_path), elsewhere) == built(runs, None, elsewhere)


def test_another_program_makes_every_page_anew(tmp_path: Path, runs: Path, made: list[str]) -> None:
    built(runs, keeper(tmp_path))
    made.clear()
    built(runs, keeper(tmp_path, "another template"))
    assert made == ["ours", "round-1", "round-2"]


def test_damaged_files_are_made_anew(tmp_path: Path, runs: Path) -> None:
    fresh = built(runs, keeper(tmp_path))
    for number, path in enumerate(sorted((tmp_path / "kept").iterdir())):
        data = path.read_bytes()
        middle = len(data) // 2
        damaged = (b"", data[:-9], data[:middle] + b"?" + data[middle + 1 :], data + b"more")
        path.write_bytes(damaged[number % len(damaged)])
    assert built(runs, keeper(tmp_path)) == fresh
    assert built(runs, keeper(tmp_path)) == fresh


def test_a_file_under_the_name_of_another_is_not_taken(tmp_path: Path, runs: Path) -> None:
    fresh = built(runs, keeper(tmp_path))
    files = sorted((tmp_path / "kept").iterdir())
    for path, other in zip(files, [*files[1:], files[0]], strict=True):
        path.rename(f"{other}.moved")
    for path in (tmp_path / "kept").iterdir():
        path.rename(path.with_suffix(""))
    assert built(runs, keeper(tmp_path)) == fresh


@pytest.mark.parametrize(
    "name", ["../../x", "en/rounds/ours/../x", "en/rounds/other/x", "/etc/x", "en/rounds/ours/\x00", "en/rounds/ours/"]
)
def test_a_name_that_leads_elsewhere_is_not_taken(tmp_path: Path, name: str) -> None:
    pages = {name: "foreign"}
    kept = Kept({"rounds": [["ours", "0" * 64]]}, ("en/rounds/ours/",))
    ours = keeper(tmp_path)
    packed = zlib.compress(json.dumps(pages).encode())
    key = ours._key(kept)
    head = f"{FORM} {key} {hashlib.sha256(packed).hexdigest()}\n".encode()
    (tmp_path / "kept" / f"{key}.pages").write_bytes(head + packed)
    assert ours.files(kept, lambda: {"en/rounds/ours/index.html": "own"}) == {"en/rounds/ours/index.html": "own"}


def test_a_folder_that_takes_no_file_costs_nothing_but_time(tmp_path: Path, runs: Path) -> None:
    fresh = built(runs, None)
    (tmp_path / "file").write_text("", encoding="utf-8")
    for folder in (tmp_path / "none", tmp_path / "file"):
        assert built(runs, Keeper(folder, lambda: "program")) == fresh


def test_builds_at_once_do_each_other_no_harm(tmp_path: Path, runs: Path) -> None:
    fresh = built(runs, None)
    places = [tmp_path / f"at-{number}" for number in range(3)]
    for place in places:
        shutil.copytree(runs, place / "runs")
    found: list[Contents] = []
    builds = [
        threading.Thread(target=lambda at=place: found.append(built(at / "runs", keeper(tmp_path)))) for place in places
    ]
    for one in builds:
        one.start()
    for one in builds:
        one.join()
    assert found == [fresh] * 3
    assert built(runs, keeper(tmp_path)) == fresh


def test_a_round_that_changes_while_it_is_read_is_not_kept(
    tmp_path: Path, runs: Path, monkeypatch: pytest.MonkeyPatch, made: list[str]
) -> None:
    remember = Keeper.remember

    def touched(self: Keeper, round_id: str, contents: object) -> None:
        (runs / "ours" / "notes.txt").write_text("collected meanwhile", encoding="utf-8")
        remember(self, round_id, contents)  # type: ignore[arg-type]

    monkeypatch.setattr(Keeper, "remember", touched)
    built(runs, keeper(tmp_path))
    monkeypatch.undo()
    files = len(list((tmp_path / "kept").iterdir()))
    # The pages of round-1, of round-2 and of the two against each other; not those of ours, nor the histories.
    assert files == 3


def test_a_program_that_is_touched_during_the_build_keeps_nothing(tmp_path: Path, runs: Path) -> None:
    (tmp_path / "kept").mkdir()
    told = iter(["before", "after"])
    built(runs, Keeper(tmp_path / "kept", lambda: next(told)))
    assert list((tmp_path / "kept").iterdir()) == []


def test_what_was_not_used_for_the_longest_time_goes_first(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "kept"
    folder.mkdir()
    for age, letter in enumerate("abc"):
        path = folder / f"{letter * 64}.pages"
        path.write_bytes(b"x" * 10)
        os.utime(path, (1_000_000 - age, 1_000_000 - age))
    partial = folder / f".{'d' * 64}.pages.17.partial"
    partial.write_bytes(b"")
    os.utime(partial, (0, 0))
    (folder / "of somebody else").write_bytes(b"x" * 100)
    monkeypatch.setattr(keeping, "MOST_KEPT", 20)
    keeper(tmp_path).keep()
    assert sorted(path.name[:2] for path in folder.iterdir()) == ["aa", "bb", "of"]


def test_pages_are_kept_in_the_cache_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(keeping, "program", lambda: "program")
    keeper_of_user()
    assert (tmp_path / "cache" / "rounds" / "site").is_dir()
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert keeper_of_user().folder is None
