"""A site whose address is known: what search engines, feed readers and previews are told, and that it is true."""

from __future__ import annotations

import json
import re
import struct
from collections.abc import Iterator
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from xml.etree.ElementTree import Element, parse

import pytest

from generator.render.preview.pixels import readable_languages
from generator.render.site import build_site
from tests.support.hostile import END_OF_SCRIPT, hostile_round
from tests.support.rounds import ROUND_TOML, write_round
from tests.support.sites import Page, build, pages, text_of

BASE = "https://example.org/bench"
LANGS = ("zh", "en")
TAGS = {"zh": "zh-CN", "en": "en"}
MAP = "{http://www.sitemaps.org/schemas/sitemap/0.9}"
XHTML = "{http://www.w3.org/1999/xhtml}"
ATOM = "{http://www.w3.org/2005/Atom}"


def dated(day: str) -> str:
    return ROUND_TOML.replace('origin = "transcribed"', f'date = {day}\nauthors = ["Doe, Jane"]\nlicense = "CC-BY-4.0"')


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three rounds, one of them hostile and without a day, two held against each other."""
    folder = tmp_path_factory.mktemp("publication")
    write_round(folder / "runs" / "a", toml=dated("2026-05-02"))
    write_round(folder / "runs" / "b", toml=dated("2026-03-04"))
    hostile_round(folder / "runs" / "hostile")
    return build(folder / "runs", folder / "site", BASE)


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("plain")
    write_round(folder / "runs" / "a", toml=dated("2026-05-02"))
    return build(folder / "runs", folder / "site")


def file_at(site: Path, url: str) -> Path:
    assert url.startswith(f"{BASE}/"), url
    return site / urlsplit(url).path.removeprefix("/bench/")


def of(element: Element, name: str) -> str:
    found = element.findtext(name)
    assert found is not None, name
    return found


def properties(page: Page) -> dict[str, str]:
    return {meta.attrib["property"]: meta.attrib["content"] for meta in page.all("meta") if meta.get("property")}


def alternates(page: Page) -> dict[str, str]:
    return {link.attrib["hreflang"]: link.attrib["href"] for link in page.all("link") if link.get("hreflang")}


def in_languages(site: Path) -> Iterator[Page]:
    return (page for page in pages(site) if page.path.relative_to(site).parts[0] in LANGS)


def linked_data(page: Page) -> list[dict[str, Any]]:
    (script,) = [one for one in page.all("script") if one.get("type") == "application/ld+json"]
    graph: list[dict[str, Any]] = json.loads(script.text or "")["@graph"]
    return graph


def test_the_sitemap_has_each_page_once_with_both_languages(site: Path) -> None:
    root = parse(site / "sitemap.xml").getroot()  # noqa: S314  # our own
    listed = [of(url, f"{MAP}loc") for url in root]
    assert len(set(listed)) == len(listed)
    assert {file_at(site, url) for url in listed} == {page.path for page in in_languages(site)}
    for url in root:
        ways = {link.attrib["hreflang"]: link.attrib["href"] for link in url.iter(f"{XHTML}link")}
        assert set(ways) == {"zh-CN", "en", "x-default"}
        assert ways["x-default"] == ways["zh-CN"]
        assert of(url, f"{MAP}loc") in ways.values()
        assert all(file_at(site, way).is_file() for way in ways.values())


def test_the_sitemap_dates_a_page_by_the_data_that_it_shows(site: Path) -> None:
    root = parse(site / "sitemap.xml").getroot()  # noqa: S314  # our own
    days = {of(url, f"{MAP}loc").removeprefix(f"{BASE}/en/"): url.findtext(f"{MAP}lastmod") for url in root}
    assert days["rounds/a/index.html"] == days["rounds/a/how.html"] == "2026-05-02"
    assert days["rounds/b/index.html"] == "2026-03-04"
    assert days["diff/a...b/index.html"] == days["index.html"] == "2026-05-02"
    assert days["rounds/hostile/index.html"] is None
    assert days["about.html"] is None


def test_languages_name_each_other_on_every_page_as_the_sitemap_does(site: Path) -> None:
    for page in in_languages(site):
        ways = alternates(page)
        (canonical,) = [link.attrib["href"] for link in page.all("link") if link.get("rel") == "canonical"]
        assert file_at(site, canonical) == page.path
        for lang in LANGS:
            other = Page(file_at(site, ways[TAGS[lang]]))
            assert alternates(other) == ways
            assert other.tree.get("lang") == TAGS[lang]


def test_robots_name_the_sitemap(site: Path) -> None:
    lines = (site / "robots.txt").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if not line.startswith("#")] == [
        "User-agent: *", "Allow: /", f"Sitemap: {BASE}/sitemap.xml",
    ]  # fmt: skip


@pytest.mark.parametrize("lang", LANGS)
def test_the_feed_has_what_atom_asks_for(site: Path, lang: str) -> None:
    # RFC 4287: a feed and each entry have one id, one title, one updated; entries an author, here or at the feed.
    feed = parse(site / lang / "feed.xml").getroot()  # noqa: S314  # our own
    assert feed.tag == f"{ATOM}feed"
    for one in (feed, *feed.iter(f"{ATOM}entry")):
        for name in ("id", "title", "updated"):
            assert len(one.findall(f"{ATOM}{name}")) == 1
        assert datetime.fromisoformat(of(one, f"{ATOM}updated")).tzinfo is not None
    assert feed.find(f"{ATOM}author/{ATOM}name") is not None
    (own,) = [link.attrib["href"] for link in feed.findall(f"{ATOM}link") if link.attrib["rel"] == "self"]
    assert file_at(site, own) == site / lang / "feed.xml"


@pytest.mark.parametrize("lang", LANGS)
def test_the_feed_lists_rounds_by_their_day_the_newest_first(site: Path, lang: str) -> None:
    feed = parse(site / lang / "feed.xml").getroot()  # noqa: S314  # our own
    entries = feed.findall(f"{ATOM}entry")
    assert [of(one, f"{ATOM}id").split("/")[-2] for one in entries] == ["a", "b"]
    assert [of(one, f"{ATOM}updated") for one in entries] == ["2026-05-02T00:00:00Z", "2026-03-04T00:00:00Z"]
    assert of(feed, f"{ATOM}updated") == "2026-05-02T00:00:00Z"
    for one in entries:
        page = Page(file_at(site, of(one, f"{ATOM}id")))
        assert of(one, f"{ATOM}summary").split() == properties(page)["og:description"].split()
        assert of(one, f"{ATOM}title") in text_of(page.all("h1")[0])


def test_pages_lead_to_the_feed_of_their_language(site: Path) -> None:
    for page in in_languages(site):
        (feed,) = [link.attrib["href"] for link in page.all("link") if link.get("type") == "application/atom+xml"]
        assert (page.path.parent / feed).resolve() == site / page.path.relative_to(site).parts[0] / "feed.xml"


def test_without_a_day_there_is_no_feed_and_no_link_to_one(tmp_path: Path) -> None:
    write_round(tmp_path / "runs" / "a")
    site = build(tmp_path / "runs", tmp_path / "site", BASE)
    assert not list(site.rglob("feed.xml"))
    assert "atom" not in Page(site / "en" / "index.html").source


def test_every_page_has_a_preview_whose_picture_is_there(site: Path) -> None:
    for page in in_languages(site):
        lang, told = page.path.relative_to(site).parts[0], properties(page)
        assert told["og:title"]
        assert told["og:site_name"]
        assert file_at(site, told["og:url"]) == page.path
        if lang in readable_languages():
            picture = file_at(site, told["og:image"]).read_bytes()
            assert struct.unpack(">II", picture[16:24]) == (1200, 630)
            assert told["og:image:alt"] == told["og:title"]


def test_there_is_no_picture_that_no_page_names(site: Path) -> None:
    named = {file_at(site, url) for page in in_languages(site) if (url := properties(page).get("og:image"))}
    assert set(site.rglob("*.png")) == named


@pytest.mark.parametrize("lang", LANGS)
def test_a_round_is_described_as_a_dataset(site: Path, lang: str) -> None:
    page = Page(site / lang / "rounds/a/index.html")
    data, way = linked_data(page)
    assert data["@type"] == "Dataset"
    assert data["name"] == {"zh": "两个引擎", "en": "Two engines"}[lang]
    assert data["inLanguage"] == TAGS[lang]
    assert file_at(site, data["url"]) == page.path
    assert data["license"] == "https://spdx.org/licenses/CC-BY-4.0.html"
    assert data["creator"] == [{"@type": "Person", "name": "Jane Doe"}]
    assert data["dateCreated"] == "2026-05-02"
    assert {one["propertyID"]: one.get("unitText") for one in data["variableMeasured"]}["itl_p50"] == "ms"
    for one in data["distribution"]:
        assert file_at(site, one["contentUrl"]).stat().st_size == int(one["contentSize"].removesuffix(" B"))
    assert [one["name"] for one in data["distribution"]] == ["a.zip", "report.json", "values.csv", "full.csv"]
    assert [one["position"] for one in way["itemListElement"]] == [1, 2]
    assert all(file_at(site, one["item"]).is_file() for one in way["itemListElement"])


def test_hostile_titles_break_out_of_nothing(site: Path) -> None:
    # Pages are parsed strictly; a title that ended its script or its attribute would leave elements behind.
    for lang in LANGS:
        page = Page(site / lang / "rounds/hostile/index.html")
        data, _ = linked_data(page)
        assert "<script>alert(1)</script>" in data["name"]
        assert END_OF_SCRIPT in [one["name"] for one in data["creator"]]
        assert data["license"] == {"@type": "CreativeWork", "name": END_OF_SCRIPT}
        assert [one.get("src", "").rpartition("/")[2] for one in page.all("script")] == ["", "site.js"]
        assert "<script>alert(1)</script>" in properties(page)["og:title"]
        assert not [name for _, attributes in page.tags for name in attributes if name.startswith("on")]


def test_a_page_says_how_it_is_cited_and_what_can_be_taken_along(site: Path) -> None:
    page = Page(site / "en/rounds/a/index.html")
    (cite,) = page.all("details", "cite")
    sha256 = next(meta.attrib["content"] for meta in page.all("meta") if meta.get("name") == "rounds:data-sha256")
    assert text_of(cite).count(sha256) == 2
    assert "author = {Doe, Jane}" in text_of(cite)
    links = {link.attrib["href"] for link in cite.iter("a")}
    assert links == {f"{BASE}/en/rounds/a/index.html", "../../../data/a/CITATION.cff"}
    assert (site / "data/a/CITATION.cff").is_file()
    assert (site / "data/a/a.zip").is_file()


def test_the_overview_links_to_what_is_there(site: Path) -> None:
    text = (site / "llms.txt").read_text(encoding="utf-8")
    ways = re.findall(r"\]\(([^)]*)\)", text)
    assert len(ways) == 9  # three rounds, each with its page and two files
    assert all(file_at(site, way).is_file() for way in ways)
    assert "<" not in text


def test_the_page_for_lost_addresses_is_right_at_any_depth(site: Path, plain: Path) -> None:
    for built, root in ((site, "/bench/"), (plain, "")):
        page = Page(built / "404.html")
        _, first, second, *links = page.links
        assert (first, second) == (f"{root}assets/site.css", f"{root}assets/home.css")
        assert links[:3] == [f"{root}zh/index.html", f"{root}zh/search.html", f"{root}zh/contents.html"]
        assert [link.replace("/en/", "/zh/") for link in links[10:] if root] == (links[:10] if root else [])
        assert [link for link in links if not (built / link.removeprefix(root)).is_file()] == []
        assert [one.get("lang") for one in page.all("div")] == ["zh-CN", "en"]


def test_the_foot_says_what_is_under_which_licence(site: Path) -> None:
    def foot(path: str) -> str:
        return text_of(Page(site / path).all("footer")[0])

    assert "program: Apache-2.0; data: CC-BY-4.0" in foot("en/rounds/a/index.html")
    assert "程序：Apache-2.0；数据：CC-BY-4.0" in foot("zh/rounds/a/how.html")
    assert "data: CC-BY-4.0" in foot("en/diff/b...a/index.html")
    assert "data: as the author of each round declares" in foot("en/index.html")


def test_the_contents_of_a_report_lead_to_how_it_is_cited_and_to_its_files(site: Path) -> None:
    page = Page(site / "en/rounds/a/index.html")
    assert "#cite" in set(page.links)
    (section,) = [one for one in page.all("section") if one.get("id") == "cite"]
    assert "the data of its figures (CSV), but no drawings." in text_of(section)
    assert "../../../data/a/a.zip" in {link.attrib["href"] for link in section.iter("a")}


def test_without_an_address_nothing_is_said_that_needs_one(plain: Path) -> None:
    assert not [
        path for name in ("*.xml", "*.txt", "*.png") for path in plain.glob(f"**/{name}") if "vendor" not in path.parts
    ]
    for page in in_languages(plain):
        assert properties(page) == {}
        assert alternates(page).keys() <= {"zh-CN", "en"}
        assert not [one for one in page.all("script") if one.get("type") == "application/ld+json"]
        assert "http" not in " ".join(text_of(one) for one in page.all("details", "cite"))


def test_an_address_at_the_root_of_a_host_is_one_too(tmp_path: Path) -> None:
    write_round(tmp_path / "runs" / "a", toml=dated("2026-05-02"))
    site = build(tmp_path / "runs", tmp_path / "site", "https://example.org/")
    assert "/zh/index.html" in list(Page(site / "404.html").links)
    assert "Sitemap: https://example.org/sitemap.xml" in (site / "robots.txt").read_text(encoding="utf-8")


def test_without_a_font_no_picture_is_made_and_none_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("generator.render.site.readable_languages", lambda: ("en",))
    write_round(tmp_path / "runs" / "a")
    built = build_site(tmp_path / "runs", tmp_path / "site", BASE)
    assert built.without_pictures == ("zh",)
    assert not list((tmp_path / "site" / "zh").rglob("*.png"))
    assert "og:image" not in properties(Page(tmp_path / "site" / "zh/rounds/a/index.html"))
    assert "og:image" in properties(Page(tmp_path / "site" / "en/rounds/a/index.html"))
