"""The two languages say the same: the same places, figures, numbers and cells."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

from tests.support.sites import Page, page_at

# Page: ids, linked numbers, numbers and table cells that it has at least; two empty pages are alike too.
LEAST = {
    "index.html": (2, 0, 8, 0),
    "about.html": (10, 0, 0, 12),
    "reading.html": (10, 0, 0, 0),
    "glossary.html": (680, 0, 500, 0),
    "checks.html": (110, 0, 200, 0),
    "meanings.html": (10, 0, 5, 0),
    "guide.html": (4, 0, 10, 14),
    "search.html": (2, 0, 0, 0),
    "contents.html": (10, 0, 20, 0),
    "rounds/round-1/index.html": (18, 50, 60, 30),
    "rounds/round-1/mechanism.html": (25, 130, 120, 110),
    "rounds/round-1/measurement.html": (20, 100, 100, 110),
    "rounds/round-1/checks.html": (25, 20, 40, 0),
    "rounds/round-1/published.html": (40, 30, 80, 180),
    "rounds/round-1/how.html": (120, 400, 700, 0),
    "rounds/round-2/index.html": (18, 100, 120, 70),
    "rounds/round-2/mechanism.html": (30, 430, 450, 440),
    "rounds/round-2/measurement.html": (20, 300, 300, 300),
    "rounds/round-2/guide.html": (20, 60, 150, 100),
    "rounds/round-2/checks.html": (30, 200, 200, 0),
    "rounds/round-2/published.html": (160, 150, 300, 650),
    "rounds/round-2/how.html": (350, 1200, 2200, 0),
    "diff/round-1...round-2/index.html": (30, 0, 500, 500),
    "diff/round-2...round-1/index.html": (30, 0, 500, 500),
    "history.html": (15, 0, 40, 25),
}
FIGURES = {
    "rounds/round-1/mechanism.html": 2,
    "rounds/round-2/index.html": 1,
    "rounds/round-2/mechanism.html": 2,
    "rounds/round-2/guide.html": 1,
    "diff/round-1...round-2/index.html": 2,
    "diff/round-2...round-1/index.html": 2,
    "history.html": 9,
}
HAN = re.compile(r"[\u4e00-\u9fff]")


@pytest.fixture(params=list(LEAST))
def path(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def zh(site: Path, path: str) -> Page:
    return page_at(site / "zh" / path)


@pytest.fixture
def en(site: Path, path: str) -> Page:
    return page_at(site / "en" / path)


def test_the_same_anchors_in_the_same_order(zh: Page, en: Page, path: str) -> None:
    assert zh.ids == en.ids
    assert len(zh.ids) >= LEAST[path][0]


def test_the_same_numbers_lead_to_the_same_derivations(zh: Page, en: Page, path: str) -> None:
    assert Counter(zh.quantities) == Counter(en.quantities)
    assert len(zh.quantities) >= LEAST[path][1]


def test_the_same_numbers_in_the_text(zh: Page, en: Page, path: str) -> None:
    assert zh.numbers == en.numbers
    assert zh.numbers.total() >= LEAST[path][2]


def test_the_same_cells(zh: Page, en: Page, path: str) -> None:
    assert [len(row.findall("td")) for row in zh.all("tr")] == [len(row.findall("td")) for row in en.all("tr")]
    assert len(zh.all("td")) >= LEAST[path][3]


def test_the_same_figures(zh: Page, en: Page, path: str) -> None:
    figures = [[figure.get("data-figure") for figure in page.all("figure")] for page in (zh, en)]
    assert figures[0] == figures[1]
    assert len(figures[0]) == FIGURES.get(path, 0)


def test_each_page_says_its_language_and_links_the_other(zh: Page, en: Page) -> None:
    assert [page.tree.get("lang") for page in (zh, en)] == ["zh-CN", "en"]
    for page, other, tag in ((zh, en, "en"), (en, zh, "zh-CN")):
        (switch,) = page.all("a", "language")
        assert (page.path.parent / switch.attrib["href"]).resolve() == other.path.resolve()
        assert switch.get("lang") == switch.get("hreflang") == tag


def test_english_is_english_and_chinese_is_chinese(zh: Page, en: Page) -> None:
    assert HAN.findall(en.text.replace("中文", "")) == []
    assert len(HAN.findall(zh.text)) > 50
