"""Good rounds are built whatever lies beside them; each bad one is named once, in one line."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

from generator.catalogue import Catalogue
from generator.cli import main
from generator.frame import Analysis
from generator.model import Round
from generator.render import site as building
from generator.render.site import Built, build_site
from generator.render.views.reports import Drawn
from tests.support.bad_rounds import BAD_ROUNDS
from tests.support.rounds import write_round
from tests.support.sites import RUNS, Page, broken_links, page_at, text_of

BAD = [case for case in BAD_ROUNDS if case.expected is not None]
ODD = [case for case in BAD_ROUNDS if case.expected is None]


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Every kind of bad round, each with something good before and behind it."""
    runs = tmp_path_factory.mktemp("mixed") / "runs"
    for case in BAD_ROUNDS:
        if case.name not in ("link-out", "folder-link-out"):  # they lay a file beside the rounds
            case.write(runs)
    write_round(runs / "a-good-one")
    write_round(runs / "zz-another")
    return runs


@pytest.fixture(scope="module")
def built(runs: Path) -> Built:
    return build_site(runs, runs.parent / "site")


def test_good_rounds_and_odd_but_sound_ones_are_built(runs: Path, built: Built) -> None:
    sound = {"a-good-one", "zz-another"} | {case.name for case in ODD}
    assert set(built.rounds) == sound
    for lang in ("zh", "en"):
        assert {path.name for path in (runs.parent / "site" / lang / "rounds").iterdir()} == sound
    data = {path.name for path in (runs.parent / "site" / "data").iterdir()}
    assert data - {"diff"} == sound


def test_every_page_of_the_odd_ones_is_sound(runs: Path, built: Built) -> None:
    assert built.rounds
    assert broken_links(runs.parent / "site") == []


@pytest.mark.parametrize("lang", ["zh", "en"])
def test_each_bad_round_is_named_once_with_its_error(runs: Path, built: Built, lang: str) -> None:
    index = page_at(runs.parent / "site" / lang / "index.html")
    listed = [(text_of(li[0]), " ".join(text_of(li).split())) for li in index.all("ul", "unreadable")[0]]
    assert sorted(name for name, _ in listed) == sorted(name for name, _ in built.unreadable)
    assert len(listed) > 60
    for name, line in listed:
        error = dict(built.unreadable)[name]
        assert line.startswith(name)
        assert " ".join(error.problem.split()) in line
        assert error.remedy in line


def test_the_command_says_one_line_for_each_and_fails(tmp_path: Path) -> None:
    for name in ("no-round-toml", "not-toml", "thousands-quoted"):
        next(case for case in BAD if case.name == name).write(tmp_path / "runs")
    write_round(tmp_path / "runs" / "good")
    done = subprocess.run(
        [sys.executable, "-m", "generator", "site", "--fresh", "--runs", "runs", "--out", "site"],
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(RUNS.parent)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert [line.split(":")[:2] for line in lines] == [
        ["error", " runs/no-round-toml"],
        ["error", " runs/not-toml/round.toml, line 11, column 9"],
        ["error", " runs/thousands-quoted/alpha/published.csv, line 3, column duration_s"],
    ]
    assert (tmp_path / "site" / "en" / "rounds" / "good" / "index.html").exists()


def test_a_folder_name_that_is_no_text_is_named_all_the_same(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    strange = os.fsencode(tmp_path / "runs") + b"/\xff\n<b>"
    os.mkdir(strange)  # noqa: PTH102  # a Path cannot be made of these bytes everywhere
    built = build_site(tmp_path / "runs", tmp_path / "site")
    assert [name for name, _ in built.unreadable] == [r"\udcff\n<b>"]
    assert r"\udcff\n<b>" in Page(tmp_path / "site" / "en" / "index.html").text


@pytest.fixture
def three(tmp_path: Path) -> Path:
    for name in ("a", "b", "c"):
        write_round(tmp_path / "runs" / name)
    return tmp_path / "runs"


def rounds_on(site: Path) -> set[str]:
    """Return the rounds that have pages, data, or a comparison with another."""
    folders = [path for way in ("en/rounds", "zh/rounds", "data", "data/diff") for path in (site / way).iterdir()]
    return {name for path in folders for name in path.name.split("...")} - {"diff", "history"}


def test_a_metric_that_fails_unexpectedly_over_one_round_costs_that_round_alone(
    three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    analyse = Catalogue.analyse

    def fails_over_b(catalogue: Catalogue, round_: Round) -> Analysis:
        return analyse(catalogue, round_) if round_.id != "b" else 1 / 0  # type: ignore[return-value]

    monkeypatch.setattr(Catalogue, "analyse", fails_over_b)
    built = build_site(three, three.parent / "site")
    assert built.rounds == ("a", "c")
    [(name, why)] = built.unreadable
    assert name == "b"
    assert str(why).startswith(
        f"{three}/b: a fault of this program, not of the input, stopped it (ZeroDivisionError in "
    )
    assert rounds_on(three.parent / "site") == {"a", "c"}
    assert broken_links(three.parent / "site") == []


def fails_over_b(draw: Callable[[Catalogue, Analysis], Drawn]) -> Callable[[Catalogue, Analysis], Drawn]:
    def drawn(catalogue: Catalogue, analysis: Analysis) -> Drawn:
        if analysis.round.id == "b":
            raise KeyError("secret-of-b")
        return draw(catalogue, analysis)

    return drawn


def test_a_page_that_cannot_be_made_costs_its_round_and_no_other_page_leads_there(
    three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(building, "draw_figures", fails_over_b(building.draw_figures))
    out = three.parent / "site"
    said = CliRunner().invoke(main, ["site", "--fresh", "--runs", str(three), "--out", str(out)])
    assert said.exit_code == 1
    assert said.stderr.count("\n") == 1
    assert said.stderr.startswith(
        f"error: {three}/b: a fault of this program, not of the input, stopped it (KeyError in "
    )
    assert said.stdout.startswith("2 rounds built, 1 left out; ")
    assert rounds_on(out) == {"a", "c"}
    assert broken_links(out) == []
    assert not [page for page in out.rglob("*.html") if "secret-of-b" in page.read_text(encoding="utf-8")]


def fails(*_: object, **__: object) -> object:
    raise KeyError("secret-of-all")


PARTS = {
    "index.html": "generator.render.front.home.home",
    "guide.html": "generator.render.front.guide.site_guide",
    "checks.html": "generator.render.front.checks.check_views",
    "meanings.html": "generator.render.front.meanings.meanings_view",
    "glossary.html": "generator.render.front.glossary.glossary_view",
    "reading.html": "generator.render.front.articles.article",
    "side-by-side.html": "generator.render.front.side_by_side.side_by_side",
    "search.html": "generator.render.front.search.joined",
}
"""A page of the site as a whole, and a function without which it cannot be made."""
FAULT = "a fault of this program, not of the input, stopped it (KeyError in generator/"


def test_pages_of_the_whole_site_that_cannot_be_made_have_one_in_their_place_that_says_so(
    three: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for needed in PARTS.values():
        monkeypatch.setattr(needed, fails)
    site = three.parent / "site"
    built = build_site(three, site)
    assert built.rounds == ("a", "b", "c")
    assert {name for name, _ in built.unreadable} == PARTS.keys()
    for page, why in built.unreadable:
        assert str(why).startswith(f"{page}: {FAULT}")
        assert "这一页没有生成" in (site / "zh" / page).read_text(encoding="utf-8")
        told = (site / "en" / page).read_text(encoding="utf-8")
        assert "This page was not made" in told
        assert "ROUNDS_TRACEBACK=1" in told
        assert "secret-of-all" not in told
    # A link to a place on such a page leads to its top, where it says why the place is not there.
    lost = tuple(f"{page}#" for page in (*PARTS, "about.html"))
    assert [link for link in broken_links(site) if not any(page in link for page in lost)] == []


@pytest.mark.parametrize(
    ("needed", "lost", "gone"),
    [
        pytest.param("generator.render.diff.history.history_files", {"history.html"}, "history.html", id="histories"),
        pytest.param("generator.render.diff.pages.diff_files", {"a...b", "b...c"}, "diff", id="comparisons"),
    ],
)
def test_histories_and_comparisons_that_cannot_be_made_are_not_there_and_nothing_leads_to_them(
    three: Path, monkeypatch: pytest.MonkeyPatch, needed: str, lost: set[str], gone: str
) -> None:
    monkeypatch.setattr(needed, fails)
    site = three.parent / "site"
    built = build_site(three, site)
    assert built.rounds == ("a", "b", "c")
    assert {name for name, _ in built.unreadable} == lost
    assert not (site / "en" / gone).exists()
    assert broken_links(site) == []


def test_without_its_style_there_is_no_site_and_the_old_one_stays(three: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    site = three.parent / "site"
    site.mkdir()
    (site / ".rounds-site").write_text("index.html\n")
    (site / "index.html").write_text("old")
    monkeypatch.setattr("generator.render.front.style.stripped_css", fails)
    said = CliRunner().invoke(main, ["site", "--fresh", "--runs", str(three), "--out", str(site)])
    assert said.exit_code == 1
    assert said.stderr.startswith(f"error: {site}: {FAULT}")
    assert said.stderr.count("\n") == 1
    assert (site / "index.html").read_text() == "old"


def test_the_traceback_of_a_fault_is_there_for_whoever_asks(three: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(building, "draw_figures", fails_over_b(building.draw_figures))
    monkeypatch.setenv("ROUNDS_TRACEBACK", "1")
    said = CliRunner().invoke(main, ["site", "--fresh", "--runs", str(three), "--out", str(three.parent / "site")])
    first, second, *_, last = said.stderr.splitlines()
    assert first.startswith("error: ")
    assert second == "Traceback (most recent call last):"
    assert last == "KeyError: 'secret-of-b'"
