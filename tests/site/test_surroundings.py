"""What surrounds a report: where its data come from, its neighbours, and what search engines and previews are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from generator import __version__
from tests.support.rounds import write_round
from tests.support.sites import Page, build, page_at, text_of

BASE = "https://example.org/bench"


@pytest.fixture(params=["zh", "en"])
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def properties(page: Page) -> dict[str, str]:
    return {meta.get("property", ""): meta.get("content", "") for meta in page.all("meta") if meta.get("property")}


def description(page: Page) -> str:
    (found,) = [meta.get("content", "") for meta in page.all("meta") if meta.get("name") == "description"]
    return found


def test_the_foot_names_the_data_the_schema_and_the_version(site: Path, lang: str) -> None:
    (foot,) = page_at(site / lang / "rounds/round-2/index.html").all("footer", "foot")
    (code,) = [one for one in foot.iter("code") if one.get("title")]
    digest = code.attrib["title"]
    assert len(digest) == 64
    assert text_of(code).split() == ["sha256", digest[:12]]
    assert f"schema 1 · Rounds {__version__}" in text_of(foot)
    assert any(link.attrib["href"].endswith("LICENSE-plotly.txt") for link in foot.iter("a"))


def test_rounds_lead_to_their_neighbours(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        write_round(tmp_path / "runs" / name)
    site = build(tmp_path / "runs", tmp_path / "site")
    beside = {
        name: {link.get("rel"): link.get("href") for link in Page(site / f"en/rounds/{name}/index.html").all("a")}
        for name in ("a", "b", "c")
    }
    assert [(links.get("prev"), links.get("next")) for links in beside.values()] == [
        (None, "../b/index.html"), ("../a/index.html", "../c/index.html"), ("../b/index.html", None),
    ]  # fmt: skip


def test_previews_are_told_only_where_the_address_is_known(tmp_path: Path, site: Path) -> None:
    write_round(tmp_path / "runs" / "ours")
    published = build(tmp_path / "runs", tmp_path / "site", BASE)
    page = Page(published / "zh/rounds/ours/index.html")
    assert properties(page) == {
        "og:type": "article",
        "og:site_name": "Rounds · 推理引擎压测报告",
        "og:title": "两个引擎",
        "og:description": description(page),
        "og:url": f"{BASE}/zh/rounds/ours/index.html",
        "og:locale": "zh_CN",
        "og:locale:alternate": "en_US",
        "og:image": f"{BASE}/zh/rounds/ours/index.png",
        "og:image:type": "image/png",
        "og:image:width": "1200",
        "og:image:height": "630",
        "og:image:alt": "两个引擎",
    }
    assert properties(page_at(site / "zh/rounds/round-2/index.html")) == {}


def test_the_description_is_a_sentence_of_the_page(site: Path, lang: str) -> None:
    page = page_at(site / lang / "rounds/round-2/index.html")
    assert 20 < len(description(page)) < 300
    assert " ".join(description(page).split()) in " ".join(page.text.split())
