"""How much a reader loads: the budgets are what was reached, and a tenth."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

BUDGETS = {
    # path: bytes as they are, and compressed
    "en/rounds/round-2/index.html": (126_000, 25_100),
    "zh/rounds/round-2/index.html": (124_200, 26_700),
    "en/rounds/round-2/checks.html": (46_500, 8_100),
    "en/rounds/round-2/derivations.js": (617_000, 46_700),
    "en/rounds/round-2/how.html": (770_000, 67_300),
    "en/rounds/round-2/charts.js": (16_600, 3_400),
    "assets/site.css": (22_900, 6_300),
    "assets/site.js": (12_100, 4_300),
    "assets/live.js": (9_300, 3_400),
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
