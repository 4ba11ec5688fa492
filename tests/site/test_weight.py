"""How much a reader loads: the budgets are what was reached, and a tenth."""

from __future__ import annotations

import gzip
import re
from pathlib import Path

import pytest

BUDGETS = {
    # path: bytes as they are, and compressed
    "en/rounds/round-2/index.html": (36_000, 10_300),
    "zh/rounds/round-2/index.html": (35_500, 11_200),
    "en/rounds/round-2/mechanism.html": (69_300, 15_300),
    "zh/rounds/round-2/mechanism.html": (68_000, 16_300),
    "en/rounds/round-2/measurement.html": (43_300, 10_400),
    "zh/rounds/round-2/measurement.html": (42_600, 11_300),
    "en/rounds/round-2/checks.html": (103_200, 17_500),
    "en/checks.html": (169_000, 26_900),
    "en/glossary.html": (645_000, 73_600),
    "zh/glossary.html": (630_000, 78_400),
    "zh/reading.html": (11_500, 5_000),
    "en/rounds/round-2/concurrency-curve.html": (69_200, 12_600),
    "en/rounds/round-2/guide.html": (78_500, 16_000),
    "en/guide.html": (27_100, 4_700),
    "en/rounds/round-2/cliff.html": (41_300, 9_000),
    "en/rounds/round-2/published.html": (82_700, 8_600),
    "en/rounds/round-2/derivations.js": (28_000, 7_200),
    "data/round-2/derivations.js": (92_300, 23_100),
    "en/rounds/round-2/how.html": (724_000, 55_000),
    "en/rounds/cpu-engines/how.html": (5_263_000, 321_000),
    "en/rounds/round-2/charts.js": (5_400, 1_800),
    "en/rounds/round-2/mechanism.charts.js": (11_100, 2_700),
    "en/diff/round-1...round-2/index.html": (80_500, 12_200),
    "zh/diff/round-1...round-2/index.html": (79_100, 12_800),
    "en/diff/round-1...round-2/charts.js": (12_100, 2_400),
    "en/history.html": (52_100, 7_200),
    "en/index.html": (25_500, 5_100),
    "en/side-by-side.html": (11_900, 3_400),
    "data/round-2/glance.js": (11_500, 3_100),
    "assets/home.js": (3_000, 1_300),
    "assets/side-by-side.js": (16_300, 5_600),
    "assets/site.css": (17_300, 5_200),
    "assets/site.js": (7_200, 2_800),
    "assets/live.js": (14_000, 5_100),
    "assets/calculator.js": (9_600, 3_200),
    # loaded when a reader searches, by no page before
    "assets/search.js": (8_200, 3_100),
    "assets/search-loads.js": (4_300, 2_050),
    "assets/search-question.js": (10_200, 4_500),
    "assets/search-order.js": (5_700, 2_400),
    "assets/search-leads.js": (8_600, 3_400),
    "assets/search-answers.js": (15_200, 5_600),
    # eight rounds and ten comparisons; `make bench` has the index of a hundred rounds
    "en/search.js": (285_000, 72_000),
    "zh/search.js": (284_000, 77_000),
    "en/contents.html": (149_000, 22_400),
    "assets/chapters.css": (3_000, 1_100),
    "assets/guide.css": (1_500, 650),
    "assets/calculator.css": (1_000, 510),
    "assets/findings.css": (1_100, 500),
    "assets/versus.css": (1_800, 800),
    "assets/home.css": (1_200, 600),
    "assets/filters.css": (1_700, 800),
    "assets/catalogue.css": (2_300, 900),
    "assets/search.css": (1_500, 750),
    "assets/panel.css": (2_850, 1_150),
    "assets/panel.js": (5_700, 2_300),
}

LOADED = {
    # page: what a reader's first page loads before any chart or panel, compressed
    "zh/rounds/round-2/mechanism.html": 25_500,
    "zh/rounds/round-2/measurement.html": 20_400,
    "zh/rounds/round-2/checks.html": 27_300,
    "zh/rounds/round-2/concurrency-curve.html": 23_000,
    "zh/rounds/round-2/guide.html": 29_200,
    "zh/rounds/round-2/cliff.html": 19_100,
    "zh/rounds/round-2/ttft-anatomy.html": 13_900,
    "zh/rounds/round-2/published.html": 17_300,
    "zh/diff/round-1...round-2/index.html": 21_700,
    "zh/index.html": 16_100,
    "zh/guide.html": 14_400,
    "zh/history.html": 16_400,
    "zh/glossary.html": 88_300,
    "zh/reading.html": 14_200,
    "zh/side-by-side.html": 18_500,
    "zh/search.html": 10_200,
}
FIRST_PAGE = 20_000
"""What the front page of any round may load before a chart, compressed."""
LOADS = re.compile(r'<script[^>]* src="([^"]+)"|<link rel="stylesheet" href="([^"]+)"')


@pytest.mark.parametrize("path", list(LOADED))
def test_what_a_first_page_loads_keeps_to_its_budget(site: Path, path: str) -> None:
    assert len(loaded(site / path)) >= 3
    assert weight(loaded(site / path)) <= LOADED[path]


def test_the_front_page_of_a_round_is_light_and_its_neighbours_load_no_more(site: Path) -> None:
    fronts = sorted(site.glob("*/rounds/*/index.html"))
    assert {front: weight(loaded(front)) for front in fronts if weight(loaded(front)) > FIRST_PAGE} == {}
    neighbours = [
        front.parent / name for front in fronts for name in ("mechanism.html", "measurement.html", "cliff.html")
    ]
    there = [page for page in neighbours if page.is_file()]
    assert len(there) > len(fronts)
    assert [page for page in there if not {*loaded(page)[1:]} <= {*loaded(page.parent / "index.html")}] == []


def loaded(page: Path) -> list[Path]:
    """Return a page, then the sheets and scripts that it asks for itself."""
    asked = [one or other for one, other in LOADS.findall(page.read_text(encoding="utf-8"))]
    return [page, *((page.parent / one).resolve() for one in asked)]


def weight(files: list[Path]) -> int:
    return sum(len(gzip.compress(file.read_bytes(), 9)) for file in files)


@pytest.mark.parametrize("path", list(BUDGETS))
def test_a_file_keeps_to_its_budget(site: Path, path: str) -> None:
    content = (site / path).read_bytes()
    plain, compressed = BUDGETS[path]
    assert len(content) <= plain
    assert len(gzip.compress(content, 9)) <= compressed


def test_a_page_loads_nothing_but_its_style_its_script_and_what_is_looked_at(site: Path) -> None:
    page = (site / "en/rounds/round-2/index.html").read_text(encoding="utf-8")
    assert page.count("<script") == 1
    assert len(loaded(site / "en/rounds/round-2/index.html")) == 1 + 3  # two sheets and a script
    assert page.count("<img") == page.count('loading="lazy"') == 1
