"""How much a reader loads: the budgets are what was reached, and a tenth."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

BUDGETS = {
    # path: bytes as they are, and compressed
    "en/rounds/round-2/index.html": (142_900, 28_800),
    "zh/rounds/round-2/index.html": (140_700, 30_600),
    "en/rounds/round-2/checks.html": (103_200, 17_500),
    "en/checks.html": (169_000, 26_900),
    "en/glossary.html": (625_000, 73_600),
    "zh/glossary.html": (610_000, 78_400),
    "zh/reading.html": (11_500, 5_000),
    "en/rounds/round-2/concurrency-curve.html": (69_200, 12_600),
    "en/rounds/round-2/guide.html": (59_900, 13_200),
    "en/guide.html": (22_200, 4_000),
    "en/rounds/round-2/cliff.html": (40_700, 9_000),
    "en/rounds/round-2/published.html": (69_000, 8_600),
    "en/rounds/round-2/derivations.js": (926_000, 95_700),
    "en/rounds/round-2/how.html": (1_156_000, 101_000),
    "en/rounds/round-2/charts.js": (16_700, 3_400),
    "en/diff/round-1...round-2/index.html": (78_000, 11_400),
    "zh/diff/round-1...round-2/index.html": (76_500, 12_000),
    "en/diff/round-1...round-2/charts.js": (12_100, 2_400),
    "en/history.html": (52_100, 7_200),
    "en/index.html": (25_100, 5_100),
    "en/side-by-side.html": (11_800, 3_400),
    "data/round-2/glance.js": (11_100, 3_000),
    "assets/home.js": (3_000, 1_300),
    "assets/side-by-side.js": (16_300, 5_600),
    "assets/site.css": (39_900, 9_700),
    "assets/site.js": (12_100, 4_300),
    "assets/live.js": (11_300, 4_100),
    "assets/calculator.js": (10_400, 3_600),
    "assets/search.js": (13_100, 4_600),
    # eight rounds and ten comparisons; `make bench` has the index of a hundred rounds
    "en/search.js": (115_700, 33_200),
    "zh/search.js": (117_700, 36_300),
    "en/contents.html": (70_400, 8_700),
}


@pytest.mark.parametrize("path", list(BUDGETS))
def test_a_file_keeps_to_its_budget(site: Path, path: str) -> None:
    content = (site / path).read_bytes()
    plain, compressed = BUDGETS[path]
    assert len(content) <= plain
    assert len(gzip.compress(content, 9)) <= compressed


def test_a_page_loads_nothing_but_its_style_its_script_and_what_is_looked_at(site: Path) -> None:
    page = (site / "en/rounds/round-2/index.html").read_text(encoding="utf-8")
    assert page.count("<script") == page.count('rel="stylesheet"') == 1
    assert page.count("<img") == page.count('loading="lazy"') == 3
