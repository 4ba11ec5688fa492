"""The whole site: which files it has, and that the same rounds give the same bytes."""

from __future__ import annotations

import getpass
import os
import platform
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from generator.errors import InputError
from generator.render.site import build_site
from tests.support.rounds import ROUND_TOML, write_round
from tests.support.sites import IN_FRONT, RUNS, Page, build, pages, script_data, text_of

ROOT = RUNS.parent
BUILT_ELSEWHERE = {"PYTHONHASHSEED": "4711", "TZ": "Asia/Shanghai", "LANG": "C", "LC_ALL": "C", "HOME": "/nonexistent"}


def contents(site: Path) -> dict[str, bytes]:
    return {path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()}


@pytest.fixture
def runs(tmp_path: Path) -> Path:
    """A folder with one small round, ``ours``."""
    write_round(tmp_path / "runs" / "ours")
    return tmp_path / "runs"


def test_the_files_of_a_site(tmp_path: Path, runs: Path) -> None:
    names = set(contents(build(runs, tmp_path / "site")))
    in_each_language = {
        "index.html", "about.html", "rounds/ours/index.html", "rounds/ours/how.html", "rounds/ours/checks.html",
        "rounds/ours/derivations.js", "rounds/ours/charts.js",
    }  # fmt: skip
    assert {f"{lang}/{name}" for lang in ("zh", "en") for name in in_each_language} <= names
    assert {"index.html", "assets/site.css", "assets/site.js", "assets/vendor/plotly-basic.min.js"} <= names
    assert {"data/ours/report.json", "data/ours/values.csv", "data/ours/figures/throughput.zh.svg"} <= names


def test_the_front_page_picks_a_language_by_the_browser_and_the_usual_one_without_a_script(
    tmp_path: Path, runs: Path
) -> None:
    front = Page(build(runs, tmp_path / "site") / "index.html")
    (refresh,) = [meta for meta in front.all("meta") if meta.get("http-equiv") == "refresh"]
    assert refresh.get("content") == "0; url=zh/index.html"
    assert [link.get("href") for link in front.all("a")] == ["zh/index.html", "en/index.html"]
    assert [script.get("src") for script in front.all("script")] == ["assets/pick.js"]
    # else the browser would leave before the script has looked at the reader's languages
    assert '<noscript><meta http-equiv="refresh"' in front.source


def test_rounds_are_listed_newest_first(tmp_path: Path) -> None:
    for name in ("round-2", "round-10", "round-9"):
        write_round(tmp_path / "runs" / name)
    build(tmp_path / "runs", tmp_path / "site")
    about = Page(tmp_path / "site" / "en" / "index.html").all("p", "about")
    listed = [text_of(one) for line in about for one in line.iter("span") if one.get("class") == "id"]
    assert listed == ["round-10", "round-9", "round-2"]


def test_no_round_at_all_is_a_site_that_says_so(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    build(tmp_path / "runs", tmp_path / "site")
    assert "There is no round to publish yet." in Page(tmp_path / "site" / "en" / "index.html").text


def test_a_missing_folder_of_rounds_is_one_line_and_no_site(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="runs: there is no such folder; name the folder of the rounds"):
        build_site(tmp_path / "runs", tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_data_scripts_hold_each_chart_and_each_derivation_of_the_page(tmp_path: Path, runs: Path) -> None:
    folder = build(runs, tmp_path / "site") / "en" / "rounds" / "ours"
    report = Page(folder / "index.html")
    charts = script_data(folder / "charts.js", "charts")
    assert sorted(charts) == sorted(figure.get("data-figure", "") for figure in report.all("figure"))
    words = script_data(folder / "derivations.js", "words")
    facts = script_data(folder / words["facts"], "facts")["facts"]
    numbers = [*report.quantities, *Page(folder / "checks.html").quantities]
    assert {id_ for id_, _ in numbers} <= set(facts)
    assert set(facts) == {item.get("id") for item in Page(folder / "how.html").all("li") if item.get("id")}


def test_the_same_rounds_give_the_same_bytes(tmp_path: Path, runs: Path) -> None:
    here = contents(build(runs, tmp_path / "here"))
    assert contents(build(runs, tmp_path / "here")) == here
    assert len(here) > 40


def test_bytes_depend_on_nothing_but_the_rounds(tmp_path: Path, site: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    shutil.copytree(site.with_name("runs"), elsewhere / "copied", copy_function=shutil.copyfile)
    for path in (elsewhere / "copied").rglob("*"):
        os.utime(path, (0, 0))
    cache = {"XDG_CACHE_HOME": str(tmp_path / "cache")}
    environment = {**os.environ, "PYTHONPATH": str(ROOT), **BUILT_ELSEWHERE, **cache}
    command = [sys.executable, "-m", "generator", "site", "--runs", "copied", "--out", "site"]
    subprocess.run(command, cwd=elsewhere, env=environment, check=True, capture_output=True)
    assert contents(elsewhere / "site") == contents(site)


def test_no_file_says_who_built_it_or_where(site: Path) -> None:
    private = {str(site.parent), str(ROOT), str(Path.home()) + "/"} | {
        name for name in (getpass.getuser(), platform.node()) if len(name) > 5
    }
    for name, content in contents(site).items():
        assert not [one for one in private if one.encode() in content], name


def test_a_report_stays_light(site: Path) -> None:
    for lang in ("zh", "en"):
        told = [Page(site / lang / "rounds" / "round-2" / name) for name in IN_FRONT]
        # All of the pages, their drawings, heads and feet included, for each number that they print.
        assert sum(len(page.source.encode()) for page in told) < 155 * sum(len(page.quantities) for page in told)


def test_links_between_languages_are_absolute_and_the_same_on_both_sides(tmp_path: Path, runs: Path) -> None:
    site = build(runs, tmp_path / "site", "https://example.org/bench/")
    for page in pages(site):
        lang, _, path = page.path.relative_to(site).as_posix().partition("/")
        if not path:
            continue
        found = {link.get("hreflang"): link.get("href") for link in page.all("link") if link.get("rel") == "alternate"}
        assert found == {
            "zh-CN": f"https://example.org/bench/zh/{path}",
            "en": f"https://example.org/bench/en/{path}",
            "x-default": f"https://example.org/bench/zh/{path}",
        }
        (canonical,) = [link.get("href") for link in page.all("link") if link.get("rel") == "canonical"]
        assert canonical == f"https://example.org/bench/{lang}/{path}"


def test_a_name_does_not_turn_the_text_around_it(tmp_path: Path) -> None:
    # U+202E turns all that follows; the Hebrew name turns what stands beside it, where it is not isolated.
    folder = write_round(tmp_path / "runs" / "ours")
    toml = ROUND_TOML.replace('name = "Model"', 'name = "\\u202Eevil"').replace('gpu = "RTX 4090"', 'gpu = "שלום 4090"')
    (folder / "round.toml").write_text(toml, encoding="utf-8")
    site = build(tmp_path / "runs", tmp_path / "site")

    texts = {
        name: data.decode()
        for name, data in contents(site).items()
        if not name.startswith("assets/") and not name.endswith(".zip")
    }
    assert not [name for name, text in texts.items() if "\u202e" in text]
    assert r"\u202eevil" in texts["en/index.html"]
    for page in ("en/index.html", "en/rounds/ours/index.html"):
        assert "<bdi>שלום 4090</bdi>" in texts[page]
