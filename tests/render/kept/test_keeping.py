"""A site has the same bytes whether pages were kept or not, and whatever became of the files that keep them."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from generator.catalogue import Catalogue
from generator.frame import Analysis
from generator.model import Round
from generator.render import environment, site
from generator.render.kept import keeping, made_from
from generator.render.kept.files import sealed, write
from generator.render.kept.keeping import Keeper, Kept, keeper_of_user
from generator.render.kept.made_from import program
from generator.render.kept.records import NotKeptError, unpacked
from generator.render.resources import resource
from generator.render.search.outline import Place, outline
from generator.render.site import build_site
from generator.render.views.figure import FigureView
from tests.support.rounds import write_round

Contents = dict[str, bytes]


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """Two rounds of one family, which are held against each other, and one of another."""
    return three_rounds(tmp_path)


@pytest.fixture(scope="module")
def once(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Contents]:
    """A folder with the same rounds and what a build of their site kept, to be copied; and that site."""
    folder = tmp_path_factory.mktemp("once")
    return folder, built(three_rounds(folder), keeper(folder))


@pytest.fixture
def fresh(once: tuple[Path, Contents]) -> Contents:
    """The site of the rounds as they are at first."""
    return once[1]


@pytest.fixture
def kept_runs(tmp_path: Path, once: tuple[Path, Contents]) -> Path:
    """The rounds as they are at first, of which all is kept in a folder beside them."""
    return shutil.copytree(once[0], tmp_path, dirs_exist_ok=True) / "runs"


def three_rounds(folder: Path) -> Path:
    for name in ("round-1", "round-2"):
        write_round(folder / "runs" / name)
    write_round(folder / "runs" / "ours")
    edited(folder / "runs" / "ours" / "round.toml", '[model]\nname = "', '[model]\nname = "Another ')
    return folder / "runs"


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rounds whose pages were made anew, in order."""
    names: list[str] = []
    make = site._round_files

    def noting(*given: object) -> object:
        names.append(given[2].analysis.round.id)  # type: ignore[attr-defined]
        return make(*given)  # type: ignore[arg-type]

    monkeypatch.setattr(site, "_round_files", noting)
    return names


@pytest.fixture
def analysed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The rounds that were read and analysed, in order."""
    names: list[str] = []
    analyse = Catalogue.analyse

    def noting(self: Catalogue, round_: Round) -> Analysis:
        names.append(round_.id)
        return analyse(self, round_)

    monkeypatch.setattr(Catalogue, "analyse", noting)
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


def test_what_did_not_change_is_neither_read_nor_made_again(
    tmp_path: Path, runs: Path, fresh: Contents, made: list[str], analysed: list[str]
) -> None:
    assert built(runs, None) == fresh
    assert made == analysed == ["ours", "round-1", "round-2"]
    assert built(runs, keeper(tmp_path)) == fresh
    made.clear()
    analysed.clear()
    assert built(runs, keeper(tmp_path)) == fresh
    assert made == analysed == []


def test_a_changed_file_makes_the_pages_of_its_round_anew(
    tmp_path: Path, kept_runs: Path, fresh: Contents, made: list[str], analysed: list[str]
) -> None:
    runs = kept_runs
    table = min((runs / "ours").glob("*/published.csv"))
    lines = table.read_text(encoding="utf-8").splitlines(keepends=True)
    table.write_text("".join(lines[:-1]), encoding="utf-8")
    after = built(runs, keeper(tmp_path))
    assert made == analysed == ["ours"]
    assert after == built(runs, None) != fresh


def test_another_title_is_seen_beside_the_round_as_well(tmp_path: Path, kept_runs: Path, made: list[str]) -> None:
    runs = kept_runs
    edited(runs / "ours" / "round.toml", 'title.en = "', 'title.en = "Another ')
    after = built(runs, keeper(tmp_path))
    assert made == ["ours", "round-1"]
    assert b"Another " in after["en/rounds/round-1/index.html"]
    assert after == built(runs, None)


def removed(runs: Path) -> None:
    shutil.rmtree(runs / "round-1")


def added(runs: Path) -> None:
    write_round(runs / "round-3")


def renamed(runs: Path) -> None:
    (runs / "round-1").rename(runs / "round-0")


def exchanged(runs: Path) -> None:
    """Make each of two rounds what the other was."""
    (runs / "ours").rename(runs / "other")
    (runs / "round-2").rename(runs / "ours")
    (runs / "other").rename(runs / "round-2")


def told_otherwise(runs: Path) -> None:
    (runs / "round-1" / "prose").mkdir()
    for lang, text in (("zh", "另有说法。"), ("en", "Told otherwise.")):
        (runs / "round-1" / "prose" / f"memory.{lang}.md").write_text(text, encoding="utf-8")


def unread(runs: Path) -> None:
    """Leave a note that no reader looks at."""
    (runs / "round-1" / "note.txt").write_text("one more thing", encoding="utf-8")


def other_numbers(runs: Path) -> None:
    edited(runs / "round-1" / "alpha" / "published.csv", "411.4", "422.4")


def other_declaration(runs: Path) -> None:
    edited(runs / "round-2" / "round.toml", "kv_pool_tokens = 120064", "kv_pool_tokens = 99999")


def spoilt(runs: Path) -> None:
    """Let more requests be answered than were sent: the level is left out of all that is concluded."""
    edited(runs / "round-2" / "beta" / "published.csv", "120,120,73.58", "120,129,73.58")


CHANGES = (
    removed, added, renamed, exchanged, told_otherwise, unread, other_numbers, other_declaration, spoilt,
)  # fmt: skip


@pytest.mark.parametrize("change", CHANGES)
def test_whatever_changes_the_site_is_as_if_made_anew(
    tmp_path: Path, kept_runs: Path, fresh: Contents, change: Callable[[Path], None]
) -> None:
    change(kept_runs)
    anew = built(kept_runs, None)
    assert anew != fresh or change is unread
    assert built(kept_runs, keeper(tmp_path)) == anew


def test_after_a_change_is_taken_back_the_site_is_what_it_was(
    tmp_path: Path, kept_runs: Path, fresh: Contents, analysed: list[str]
) -> None:
    runs = kept_runs
    edited(runs / "round-1" / "alpha" / "published.csv", "411.4", "422.4")
    built(runs, keeper(tmp_path))
    edited(runs / "round-1" / "alpha" / "published.csv", "422.4", "411.4")
    analysed.clear()
    assert built(runs, keeper(tmp_path)) == fresh
    assert analysed == []


def test_another_address_is_seen(tmp_path: Path, kept_runs: Path) -> None:
    elsewhere = "https://example.org/bench"
    assert built(kept_runs, keeper(tmp_path), elsewhere) == built(kept_runs, None, elsewhere)


def test_a_round_that_cannot_be_read_is_named_each_time(tmp_path: Path, kept_runs: Path) -> None:
    runs = kept_runs
    edited(runs / "ours" / "round.toml", "schema = 1", "schema = 99")
    for _ in range(2):
        found = build_site(runs, tmp_path / "site", None, keeper(tmp_path))
        assert found.rounds == ("round-1", "round-2")
        assert [name for name, _ in found.unreadable] == ["ours"]


def test_another_template_makes_every_page_anew(
    tmp_path: Path, runs: Path, monkeypatch: pytest.MonkeyPatch, made: list[str]
) -> None:
    templates = shutil.copytree(resource("templates"), tmp_path / "templates")
    for module in (environment, made_from):
        monkeypatch.setattr(module, "resource", lambda name: templates if name == "templates" else resource(name))
    (tmp_path / "kept").mkdir()

    def kept() -> Keeper:
        return Keeper(tmp_path / "kept", lambda: program(since=float("inf")))

    before = built(runs, kept())
    edited(templates / "base.html", "<html", '<html data-other="1"')
    made.clear()
    after = built(runs, kept())
    assert made == ["ours", "round-1", "round-2"]
    assert after == built(runs, None) != before


def test_another_program_makes_every_page_anew(tmp_path: Path, kept_runs: Path, made: list[str]) -> None:
    built(kept_runs, keeper(tmp_path, "another template"))
    assert made == ["ours", "round-1", "round-2"]


def test_damaged_files_are_made_anew(tmp_path: Path, kept_runs: Path, fresh: Contents) -> None:
    runs = kept_runs
    for number, path in enumerate(sorted((tmp_path / "kept").iterdir())):
        data = path.read_bytes()
        middle = len(data) // 2
        damaged = (b"", data[:-9], data[:middle] + b"?" + data[middle + 1 :], data + b"more")
        path.write_bytes(damaged[number % len(damaged)])
    assert built(runs, keeper(tmp_path)) == fresh
    assert built(runs, keeper(tmp_path)) == fresh


def test_a_file_under_the_name_of_another_is_not_taken(tmp_path: Path, kept_runs: Path, fresh: Contents) -> None:
    files = sorted((tmp_path / "kept").iterdir())
    for path, other in zip(files, [*files[1:], files[0]], strict=True):
        path.rename(f"{other}.moved")
    for path in (tmp_path / "kept").iterdir():
        path.rename(path.with_suffix(""))
    assert built(kept_runs, keeper(tmp_path)) == fresh


@pytest.mark.parametrize(
    "name", ["../../x", "en/rounds/ours/../x", "en/rounds/other/x", "/etc/x", "en/rounds/ours/\x00", "en/rounds/ours/"]
)
def test_a_name_that_leads_elsewhere_is_not_taken(tmp_path: Path, name: str) -> None:
    kept = Kept({"rounds": [["ours", "0" * 64]]}, ("en/rounds/ours/",))
    own = {"en/rounds/ours/index.html": b"own"}
    ours = keeper(tmp_path)
    key = ours._key("pages", kept.made_from, kept.within)
    write(tmp_path / "kept", key, sealed(key, json.dumps([["en/rounds/ours/page.html", 7]]).encode() + b"\nforeign"))
    assert ours.files(kept, lambda: own) == {"en/rounds/ours/page.html": b"foreign"}
    write(tmp_path / "kept", key, sealed(key, json.dumps([[name, 7]]).encode() + b"\nforeign"))
    assert ours.files(kept, lambda: own) == own


@pytest.mark.parametrize("held", [b"", b"[]x", b'[["en/rounds/ours/a", 3]]\nab', b'[["en/rounds/ours/a"]]\n', b"7\n"])
def test_what_is_no_piece_of_files_is_not_taken(tmp_path: Path, held: bytes) -> None:
    kept = Kept({"rounds": [["ours", "0" * 64]]}, ("en/rounds/ours/",))
    own = {"en/rounds/ours/index.html": b"own"}
    ours = keeper(tmp_path)
    key = ours._key("pages", kept.made_from, kept.within)
    write(tmp_path / "kept", key, sealed(key, held))
    assert ours.files(kept, lambda: own) == own


def test_a_folder_that_takes_no_file_costs_nothing_but_time(tmp_path: Path, runs: Path, fresh: Contents) -> None:
    (tmp_path / "file").write_text("", encoding="utf-8")
    for folder in (tmp_path / "none", tmp_path / "file"):
        assert built(runs, Keeper(folder, lambda: "program")) == fresh


def test_builds_at_once_do_each_other_no_harm(tmp_path: Path, runs: Path, fresh: Contents) -> None:
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
    tmp_path: Path, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyse = Catalogue.analyse

    def touched(self: Catalogue, round_: Round) -> Analysis:
        (runs / "ours" / "notes.txt").write_text("collected meanwhile", encoding="utf-8")
        return analyse(self, round_)

    monkeypatch.setattr(Catalogue, "analyse", touched)
    site = built(runs, keeper(tmp_path))
    files = len(list((tmp_path / "kept").iterdir()))
    charts = [path for path in site if path.endswith("charts.js") and "/rounds/" in path]
    own = [path for path in site if path.count("/") == 1 and path.endswith(".html")]
    read_for_search = [path for path in own if not path.endswith(("/search.html", "/contents.html"))]
    # Analysis and pages of round-1, and of round-2; the pages of the two against each other; of ours neither, nor the
    # histories. Charts are kept by what they draw, and places of the site's own pages by their text, whatever round
    # that is of.
    assert files == 2 + 2 + 1 + len(charts) + len(read_for_search)


def test_charts_that_a_change_leaves_as_they_are_are_not_checked_again(
    tmp_path: Path, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(runs, keeper(tmp_path))
    checked: list[str] = []

    def made(drawn: Mapping[str, FigureView]) -> str:
        checked.extend(drawn)
        return ""

    monkeypatch.setattr("generator.render.site.charts", made)
    edited(runs / "round-2" / "round.toml", "[round]", "# a word\n[round]")
    built(runs, keeper(tmp_path))
    assert checked == []


def test_pages_of_the_site_that_a_change_leaves_as_they_are_are_not_read_again(
    tmp_path: Path, runs: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    built(runs, keeper(tmp_path))
    read: list[str] = []

    def noting(html: str) -> list[Place]:
        read.append(html)
        return outline(html)

    monkeypatch.setattr("generator.render.front.search.outline", noting)
    edited(runs / "round-2" / "round.toml", 'title.en = "Two engines"', 'title.en = "Two other engines"')
    built(runs, keeper(tmp_path))
    # The hash of all data is another one at the foot of each page; the home page says the title, the glossary does not.
    assert any("Two other engines" in page for page in read)
    assert not any("<title>Glossary" in page for page in read)


def test_a_round_that_changes_between_two_looks_is_read_anew(
    tmp_path: Path, kept_runs: Path, monkeypatch: pytest.MonkeyPatch, analysed: list[str]
) -> None:
    def touched(data: bytes) -> Analysis:
        (kept_runs / "ours" / "notes.txt").write_text("collected meanwhile", encoding="utf-8")
        return unpacked(data)

    monkeypatch.setattr(keeping, "unpacked", touched)
    built(kept_runs, keeper(tmp_path))
    assert analysed == ["ours"]


def test_an_analysis_that_cannot_be_kept_costs_nothing_but_time(
    tmp_path: Path, runs: Path, fresh: Contents, monkeypatch: pytest.MonkeyPatch, made: list[str], analysed: list[str]
) -> None:
    monkeypatch.setattr(keeping, "packed", refused)
    built(runs, keeper(tmp_path))
    made.clear()
    analysed.clear()
    assert built(runs, keeper(tmp_path)) == fresh
    assert (made, analysed) == ([], ["ours", "round-1", "round-2"])  # its pages are kept all the same


def refused(analysis: Analysis) -> bytes:
    raise NotKeptError(analysis)


def test_a_program_that_is_touched_during_the_build_keeps_nothing(tmp_path: Path, runs: Path) -> None:
    (tmp_path / "kept").mkdir()
    told = iter(["before", "after"])
    built(runs, Keeper(tmp_path / "kept", lambda: next(told)))
    assert list((tmp_path / "kept").iterdir()) == []


def test_pages_are_kept_in_the_cache_of_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.setattr(keeping, "program", lambda: "program")
    keeper_of_user()
    assert (tmp_path / "cache" / "rounds" / "site").is_dir()
    (tmp_path / "file").write_text("", encoding="utf-8")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "file"))
    assert keeper_of_user().folder is None


def test_an_archive_is_of_the_folder_as_it_is_also_where_no_page_changed(
    kept_runs: Path, tmp_path: Path, fresh: Contents
) -> None:
    runs = kept_runs
    table = runs / "ours" / "round.toml"
    table.write_text(table.read_text(encoding="utf-8") + "# a remark\n", encoding="utf-8")
    again = built(runs, keeper(tmp_path))
    assert again["data/ours/report.json"] == fresh["data/ours/report.json"]
    assert again["data/ours/ours.zip"] != fresh["data/ours/ours.zip"]
    assert again == built(runs, None)
