"""What a round, a pair and the site itself bring to the search."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from generator.render.search.outline import Place
from generator.render.search.parts import Page, pair_part, part_file, read_part, round_part, site_part
from generator.store.reading import read_round
from tests.support.analyses import small_analysis
from tests.support.rounds import ROUND_TOML, places, write_round

ROUND = small_analysis().round
FOLDER = f"en/rounds/{ROUND.id}/"
TITLE = ROUND.title["en"]


def page(title: str, body: str = "") -> str:
    return f"<main><h1>{title}</h1>{body}</main>"


def test_a_part_lies_beside_the_data_that_it_tells_of() -> None:
    assert part_file("diff/a...b", "zh") == "data/diff/a...b/search.zh.json"


def test_a_round_brings_its_pages_but_not_that_of_the_derivations() -> None:
    files = {FOLDER + "index.html": page(TITLE), FOLDER + "how.html": page("how"), FOLDER + "charts.js": "Rounds();"}
    part = read_part(round_part(ROUND, "en", files))

    assert (part.folder, part.name, part.title) == (f"rounds/{ROUND.id}/", ROUND.id, TITLE)
    assert part.pages == (Page("index.html", (Place(heading=TITLE),)),)


def test_a_round_is_about_what_the_home_page_says_of_it() -> None:
    about = read_part(round_part(ROUND, "en", {})).about
    assert about.startswith(f"{ROUND.id} · {ROUND.file.model.name} · ")
    assert about.endswith(" · ".join(ROUND.label(one.id) for one in ROUND.series))


def test_the_title_of_the_round_is_not_repeated_in_those_of_its_pages() -> None:
    names = {"checks.html": f"{TITLE} · Self-checks", "published.html": f"Published <small>{TITLE}</small>"}
    part = read_part(round_part(ROUND, "en", {FOLDER + name: page(title) for name, title in names.items()}))
    assert [one.places[0].heading for one in part.pages] == ["Self-checks", "Published"]


def test_a_title_is_not_cut_out_of_a_word() -> None:
    files = {FOLDER + "cliff.html": page(f"{TITLE[0]}liff")}
    assert read_part(round_part(ROUND, "en", files)).pages[0].places[0].heading == f"{TITLE[0]}liff"


def test_a_comparison_brings_no_tables_and_the_swapped_one_its_page_alone() -> None:
    html = page(
        "b against a", '<section id="s"><h2>Standing</h2></section><table id="t"><caption>Rows</caption></table>'
    )
    forth, back = (read_part(pair_part("a...b", html, "partial", is_swapped=swapped)) for swapped in (False, True))

    assert [one.anchor for one in forth.pages[0].places] == ["", "s"]
    assert [one.anchor for one in back.pages[0].places] == [""]
    assert (forth.folder, forth.title, forth.mark) == ("diff/a...b/", "b against a", "partial")


@pytest.mark.parametrize(
    ("gpu", "mark"),
    [
        ('gpu = "RTX 4090"', "gpu"),
        ('gpu.en = "no GPU (two cores)"\ngpu.zh = "无 GPU（双核）"', "cpu"),
        ("", ""),
    ],
)
def test_a_round_is_marked_by_what_it_ran_on(tmp_path: Path, gpu: str, mark: str) -> None:
    folder = write_round(tmp_path / "r", toml=ROUND_TOML.replace('gpu = "RTX 4090"', gpu))
    assert read_part(round_part(read_round(folder, places()), "en", {})).mark == mark


def test_the_site_brings_its_own_pages_in_a_language() -> None:
    files: dict[str, str | bytes] = {
        "en/about.html": page("Method"),
        "zh/about.html": page("方法"),
        "en/rounds/r/index.html": page("Round"),
        "index.html": page("Pick"),
        "en/about.js": b"",
    }
    assert [(one.path, one.places[0].heading) for one in site_part("en", files).pages] == [("about.html", "Method")]


def test_a_part_is_read_as_it_was_written() -> None:
    section = '<section id="s"><h2>“Q” &lt;b&gt;</h2><p>Text \u2028 of it.</p></section>'
    written = round_part(ROUND, "en", {FOLDER + "index.html": page(TITLE, section)})
    assert json.loads(written)["pages"][0][1][1] == ["s", "", "“Q” <b>", "Text of it."]
    assert read_part(written).pages[0].places[1] == Place("s", "", "“Q” <b>", "Text of it.")


def test_the_home_page_is_the_first_of_the_sites_own() -> None:
    files = {f"en/{name}.html": page(name) for name in ("history", "index", "about")}
    assert [one.path for one in site_part("en", files).pages] == ["index.html", "history.html", "about.html"]
