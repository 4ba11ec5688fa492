"""axe-core finds nothing on any kind of page, in either language, scheme and width, with the charts live."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe

from tests.browser.conftest import OpenPage
from tests.support.browsing import address

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REPORT = "rounds/round-2/index.html"
RULES = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
OPTIONS = {"resultTypes": ["violations"], "runOnly": RULES, "preload": False}
"""No preload: axe would fetch the style sheet, which no page opened from a disk may."""

PAGES = (
    "index.html",
    "about.html",
    "checks.html",
    "meanings.html",
    "guide.html",
    "search.html",
    "contents.html",
    REPORT,
    "rounds/round-2/guide.html",
    "rounds/round-2/checks.html",
    "rounds/round-1/how.html",
    "rounds/round-2/published.html",
    "diff/round-1...round-2/index.html",
    "history.html",
    "side-by-side.html",
)


@pytest.mark.parametrize("width", [1280, 360])
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("lang", ["zh", "en"])
@pytest.mark.parametrize("path", PAGES)
def test_axe_finds_nothing(site: Path, open_page: OpenPage, path: str, lang: str, scheme: str, width: int) -> None:
    size = {"width": width, "height": 900}
    shown = open_page(address(site, f"{lang}/{path}"), color_scheme=scheme, viewport=size)
    if path == REPORT:
        shown.wait_for_charts()
        shown.page.evaluate("scrollTo({ top: 0, behavior: 'instant' })")  # a head that stays in sight covers rows
    found = Axe().run(shown.page, options=OPTIONS)
    assert found.violations_count == 0, found.generate_report()


def test_axe_finds_nothing_in_an_open_panel(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"en/{REPORT}")).page
    page.locator("#verdict a[href^='how.html#']").first.click()
    page.wait_for_selector("#panel[open]")
    found = Axe().run(page, options=OPTIONS)
    assert found.violations_count == 0, found.generate_report()


def test_axe_would_find_a_picture_without_words(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/index.html")).page
    page.evaluate("document.querySelector('main').append(document.createElement('img'))")
    assert "image-alt" in Axe().run(page, options=OPTIONS).generate_snapshot()
