"""The search of a built site: it leads to every page, and says nothing that a page does not say."""

from __future__ import annotations

import json
import re
from itertools import accumulate, count
from pathlib import Path
from typing import Any

import pytest

from generator.render.front import search
from generator.render.front.search import WORDS
from generator.render.kept.keeping import Keeper
from generator.render.search import outline, parts
from generator.render.search.joined import DIGITS, HALF
from generator.render.site import build_site
from generator.text import LANGS, Lang
from tests.support.hostile import SCRIPT, hostile_round
from tests.support.rounds import write_round
from tests.support.sites import Page, build, page_at, script_data, text_of

Json = dict[str, Any]
BETWEEN = re.compile(r"\s+|(?<=[。！？])")
"""What parts words, and Chinese sentences, of which some may be left out."""
HERE = {"contents.html", "search.html"}
"""Pages of the search itself."""


@pytest.fixture(scope="module")
def runs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("search") / "runs"
    for name in ("round-2", "round-10", "round-9"):
        write_round(folder / name)
    return folder


@pytest.fixture(scope="module")
def site(runs: Path) -> Path:
    return build(runs, runs.parent / "site")


@pytest.fixture(params=LANGS)
def lang(request: pytest.FixtureRequest) -> Lang:
    found: Lang = request.param
    return found


def index_of(site: Path, lang: Lang) -> Json:
    return script_data(site / lang / "search.js", "index")


def unpacked(text: str) -> list[int]:
    """Return the numbers that ``joined.packed`` wrote."""
    numbers, number, unit = [], 0, 1
    for digit in map(DIGITS.index, text):
        number += digit % HALF * unit
        unit *= HALF
        if digit < HALF:
            numbers.append(number)
            number, unit = 0, 1
    return numbers


def strings_of(index: Json) -> list[str]:
    strings: list[str] = index["strings"].split("\n")
    return strings


def places_of(index: Json, name: str | None = None) -> list[tuple[str, str, list[str]]]:
    """Return all places of an index or of a part: the way to the page, the anchor, and what is said there."""
    following = count(1 + max(number for part in index["parts"] for number in part[2:4]))
    places, strings = unpacked(index["places"]), strings_of(index)
    rows = [places[at : at + 5] for at in range(0, len(places), 5)]
    said = [[strings[number - 1 if number else next(following)] for number in row[1:]] for row in rows]
    return [
        (folder + index["paths"][path], said[number][0], said[number][1:])
        for folder, of, _, _, pages, *_ in index["parts"]
        if name in (None, of)
        for path, *runs in map(unpacked, pages)
        for first, length in zip(runs[::2], runs[1::2], strict=True)
        for number in range(first, first + length)
    ]


def test_the_newest_rounds_come_first_and_then_comparisons_and_the_site_itself(site: Path, lang: Lang) -> None:
    names = [name for _, name, *_ in index_of(site, lang)["parts"]]
    assert names == [
        "round-10", "round-9", "round-2",
        "round-9...round-10", "round-10...round-9", "round-2...round-9", "round-9...round-2", "",
    ]  # fmt: skip


def test_rounds_say_what_they_ran_on_and_pairs_how_far_they_can_be_compared(site: Path, lang: Lang) -> None:
    marks = {name: "".join(mark) for _, name, _, _, _, _, *mark in index_of(site, lang)["parts"]}
    stated = json.loads((site / "data/diff/round-9...round-10/diff.json").read_text(encoding="utf-8"))
    assert (marks["round-9"], marks[""]) == ("gpu", "")
    assert marks["round-9...round-10"] == marks["round-10...round-9"] == stated["comparable"]


def test_every_page_but_the_derivations_is_in_it(site: Path, lang: Lang) -> None:
    found = {path for path, _, _ in places_of(index_of(site, lang))}
    there = {path.relative_to(site / lang).as_posix() for path in (site / lang).rglob("*.html")}
    assert there - found == HERE | {path for path in there if path.endswith("/how.html")}
    assert found <= there


def test_every_place_is_there_and_says_what_the_search_says_of_it(site: Path, lang: Lang) -> None:
    known: dict[str, tuple[set[str], str]] = {}
    for path, anchor, (heading, text, names) in places_of(index_of(site, lang)):
        if path not in known:
            page = page_at(site / lang / path)
            known[path] = {"", *page.ids}, squeezed("".join(map(text_of, (*page.all("main"), *page.all("section")))))
        ids, said = known[path]
        assert anchor in ids
        words = " ".join((heading, text.removesuffix("…"), *names.split(" · ")))
        assert [word for word in BETWEEN.split(words) if word not in said] == [], (path, anchor)


def squeezed(text: str) -> str:
    return "".join(text.split())


def test_what_a_round_is_about_stands_on_the_home_page(site: Path, lang: Lang) -> None:
    index = index_of(site, lang)
    strings, home = strings_of(index), squeezed(page_at(site / lang / "index.html").text)
    for folder, _, title, about, *_ in index["parts"]:
        if folder.startswith("rounds/"):
            assert all(squeezed(one) in home for one in [strings[title], *strings[about].split(" · ")])


def test_where_a_metric_is_printed_is_what_the_round_says_of_itself(site: Path, lang: Lang) -> None:
    index = index_of(site, lang)
    printing = unpacked(next(one for one in index["parts"] if one[1] == "round-9")[5])
    ways = [f"{path.removeprefix('rounds/round-9/')}#{anchor}" for path, anchor, _ in places_of(index, "round-9")]
    metric = index["metrics"].index("itl_p50")
    found = {
        ways[place]
        for place, number in zip(accumulate(printing[::2]), printing[1::2], strict=True)
        if metric in index["printing"][number]
    }
    printed = json.loads((site / "data/round-9/printed.json").read_text(encoding="utf-8"))["itl_p50"]
    assert found == set(printed) & set(ways)
    assert "index.html#verdict" in found


def test_a_word_that_becomes_a_number_has_the_metric_that_it_becomes(site: Path, lang: Lang) -> None:
    metrics = index_of(site, lang)["metricOf"][1::2]
    assert (
        {"decode_floor", "kv_pool_bytes", "stall_share"}
        <= set(metrics)
        <= set(page_at(site / lang / "glossary.html").ids)
    )


def test_how_a_round_is_cited_and_taken_along_is_found_once(site: Path, lang: Lang) -> None:
    said = {tuple(one) for _, anchor, one in places_of(index_of(site, lang), "round-9") if anchor == "cite"}
    ((heading, text, names),) = said
    assert (heading, names) == ({"zh": "引用与下载", "en": "Cite, download"}[lang], "")
    assert "zip" in text


def test_both_languages_lead_to_the_same_places(site: Path) -> None:
    zh, en = ([(path, anchor) for path, anchor, _ in places_of(index_of(site, lang))] for lang in LANGS)
    assert zh == en
    assert len(zh) > 150


def test_the_list_of_all_pages_leads_to_every_page_and_section(site: Path, lang: Lang) -> None:
    listed = set(page_at(site / lang / "contents.html").links)
    for path, anchor, _ in places_of(index_of(site, lang)):
        assert path in listed
        if "verdict" in anchor:
            assert f"{path}#{anchor}" in listed


def test_the_page_of_the_search_says_what_it_needs_and_leads_to_the_list(site: Path, lang: Lang) -> None:
    page = page_at(site / lang / "search.html")
    assert WORDS["needs_script"][lang] in page.text
    assert "contents.html" in set(page.links)


def test_every_page_leads_to_the_search_of_its_language(site: Path) -> None:
    for lang in LANGS:
        for path in (site / lang).rglob("*.html"):
            (link,) = page_at(path).all("a", "find")
            assert (path.parent / link.attrib["href"]).resolve() == (site / lang / "search.html").resolve()


def test_a_page_that_did_not_change_is_not_read_again(
    runs: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[str] = []

    def counting(html: str) -> list[outline.Place]:
        read.append(html)
        return outline.outline(html)

    for module in (parts, search):
        monkeypatch.setattr(module, "outline", counting)
    (tmp_path / "kept").mkdir()
    build_site(runs, tmp_path / "site", keeper=Keeper(tmp_path / "kept", lambda: "test"))
    pages = [path for lang in LANGS for path in (tmp_path / "site" / lang).rglob("*.html")]
    assert len(read) == sum(path.name not in HERE | {"how.html"} for path in pages)
    read.clear()
    build_site(runs, tmp_path / "site", keeper=Keeper(tmp_path / "kept", lambda: "test"))
    assert read == []


def test_no_round_at_all_can_be_searched_too(tmp_path: Path) -> None:
    (tmp_path / "runs").mkdir()
    site = build(tmp_path / "runs", tmp_path / "site")
    assert [name for _, name, *_ in index_of(site, "en")["parts"]] == [""]


def test_markup_in_a_title_is_text_in_the_index_and_in_the_list(tmp_path: Path) -> None:
    hostile_round(tmp_path / "runs" / "hostile")
    site = build(tmp_path / "runs", tmp_path / "site")
    index = index_of(site, "en")
    assert SCRIPT in strings_of(index)
    page = Page(site / "en" / "contents.html")
    assert SCRIPT in page.text
    assert len(page.all("script")) == 1
    assert "\u202e" not in (site / "en" / "search.js").read_text(encoding="utf-8")
    assert json.loads((site / "data/hostile/search.en.json").read_text(encoding="utf-8"))["title"] == SCRIPT
