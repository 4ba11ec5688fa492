"""Budgets of every page and asset, also of those that come: no kind is without one. Bytes as a host compresses them."""

from __future__ import annotations

import gzip
from pathlib import Path

import pytest

from tests.support.page_kinds import kind_of

PAGE = 52_000
HEAVIER = {"rounds/*/how.html": 620_000, "glossary.html": 80_000}
"""All derivations of a round, read one at a time by a link from a number: heavier the more was measured.

The glossary has all metrics and words.
"""
ASSET = 9_000
VENDORED = 400_000
"""The bundle of the charts, once a site; no page loads it before a chart is in sight."""


def compressed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 9))


def test_a_page_of_any_kind_and_round_keeps_to_its_budget(site: Path) -> None:
    over = {}
    for page in site.rglob("*.html"):
        path = page.relative_to(site).as_posix()
        budget = HEAVIER.get(kind_of(path.partition("/")[2]), PAGE)
        if page.stat().st_size > budget and (size := compressed(page)) > budget:
            over[path] = size
    assert over == {}


@pytest.mark.parametrize("suffix", [".css", ".js"])
def test_an_asset_of_ours_keeps_to_its_budget(site: Path, suffix: str) -> None:
    sizes = {path.name: compressed(path) for path in (site / "assets").glob(f"*{suffix}")}
    assert sizes
    assert {name: size for name, size in sizes.items() if size > ASSET} == {}


def test_what_is_of_others_keeps_to_its_budget(site: Path) -> None:
    assert 0 < sum(compressed(path) for path in (site / "assets" / "vendor").glob("*.js")) <= VENDORED
