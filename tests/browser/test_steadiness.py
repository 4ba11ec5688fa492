"""Nothing moves under the reader's eyes: not when charts come alive, nor when a table is sorted or the page printed."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.browsing import address

pytestmark = pytest.mark.browser

MECHANISM = "rounds/round-2/mechanism.html"
MEASUREMENT = "rounds/round-2/measurement.html"


def test_a_live_chart_takes_the_place_of_its_drawing(site: Path, open_page: OpenPage) -> None:
    shown = open_page(address(site, f"en/{MECHANISM}"))
    before = shown.page.locator("#fig-step_vs_floor").evaluate("(figure) => figure.offsetHeight")
    shown.wait_for_charts()
    assert shown.page.locator("#fig-step_vs_floor").evaluate("(figure) => figure.offsetHeight") == before


@pytest.mark.parametrize(("width", "labels", "legends"), [(1280, 4, 0), (360, 0, 1)])
def test_lines_are_named_at_their_ends_where_there_is_room(
    site: Path, open_page: OpenPage, width: int, labels: int, legends: int
) -> None:
    shown = open_page(address(site, f"en/{MECHANISM}"), viewport={"width": width, "height": 900})
    shown.wait_for_charts()
    names = shown.page.locator(".live .annotation-text").all_text_contents()
    # Figure 1 has two lines and their floors; the bars of figure 2 are named in any case.
    assert len([name for name in names if name.startswith(("vLLM", "llama.cpp"))]) == labels + 2
    assert shown.page.locator(".live .legend").count() == legends


def test_print_has_plain_table_heads_and_they_come_back(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, f"zh/{MEASUREMENT}")).page
    assert page.locator("#full thead .sort").count() > 10
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    assert page.locator("#full thead .sort").count() == 0
    expect(page.locator("#full thead th").first).to_have_text("系列")
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    assert page.locator("#full thead .sort").count() > 10
