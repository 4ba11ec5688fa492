"""How much a reader loads: the budgets are what was reached, and a tenth."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

BUDGETS = {
    # path: bytes as they are, and compressed
    "en/rounds/round-2/index.html": (145_000, 26_500),
    "zh/rounds/round-2/index.html": (143_000, 28_200),
    "en/rounds/round-2/derivations.js": (576_000, 43_000),
    "en/rounds/round-2/derivations.html": (705_000, 53_300),
    "en/rounds/round-2/charts.js": (16_500, 3_400),
    "assets/site.css": (22_700, 6_200),
    "assets/site.js": (12_200, 4_300),
    "assets/live.js": (6_900, 2_600),
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
