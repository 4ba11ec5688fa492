"""The joined guide in a real browser: filters, and without them."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import OpenPage
from tests.support.browsing import address

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROWS = "#guide-matrix tbody tr"


def test_a_filter_leaves_the_rows_that_fit(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/guide.html")).page
    rows = page.locator(ROWS)
    before = rows.count()

    page.locator("select[name=gpu]").select_option("RTX 4090")

    shown = [rows.nth(at).get_attribute("data-gpu") for at in range(before) if rows.nth(at).is_visible()]
    assert shown
    assert set(shown) == {"RTX 4090"}
    assert len(shown) < before


def test_an_engine_leaves_its_column_alone(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/guide.html")).page

    page.locator("select[name=engine]").select_option("vLLM")

    heads = page.locator("#guide-coverage thead [data-engine]")
    assert [one.inner_text() for one in heads.all() if one.is_visible()] == ["vLLM"]
    engines = [row.get_attribute("data-engines") or "" for row in page.locator(ROWS).all() if row.is_visible()]
    assert engines
    assert all("vLLM" in one for one in engines)


def test_rounds_that_tell_of_further_loads_are_filtered_too(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/guide.html")).page
    told = page.locator(".uncovered li")
    assert told.count() > 0

    page.locator("select[name=engine]").select_option("vLLM")

    for one in told.all():
        assert one.is_visible() is ("vLLM" in (one.get_attribute("data-engines") or ""))
    place = told.first.locator("a").get_attribute("href") or ""
    assert (site / "en" / place.partition("#")[0]).read_text().count(f'id="{place.partition("#")[2]}"') == 1


def test_on_a_phone_each_cell_says_for_how_many_requests_in_flight_it_is(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/guide.html"), viewport={"width": 390, "height": 844}).page
    cell = page.locator("#guide-matrix td[data-k]").first

    told = cell.evaluate("(one) => getComputedStyle(one, '::before').content")
    assert "1 to 2 requests in flight" in told


def test_nothing_that_fits_is_said(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/guide.html")).page
    no_gpu = next(one for one in page.locator("select[name=gpu] option").all_inner_texts() if one.startswith("no GPU"))

    page.locator("select[name=model]").select_option("Qwen2.5-7B-Instruct")
    page.locator("select[name=gpu]").select_option(no_gpu)

    assert page.locator(".nothing").is_visible()


def test_without_scripts_everything_is_shown(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/guide.html"), java_script_enabled=False).page

    assert not page.locator(".filters").is_visible()
    assert all(row.is_visible() for row in page.locator(ROWS).all())
