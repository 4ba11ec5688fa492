"""The home page in a real browser: choosing among rounds, and keeping the choice in the address."""

from __future__ import annotations

from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import OpenPage
from tests.support.browsing import address
from tests.support.searching import FIELD, OPTION

pytestmark = [pytest.mark.browser, pytest.mark.slow]

ROUNDS = ".round"


def test_a_choice_leaves_the_rounds_that_fit_and_stands_in_the_address(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/index.html")).page
    page.locator("select[name=model]").select_option("Qwen2.5-7B-Instruct")

    shown = [one for one in page.locator(ROUNDS).all() if one.is_visible()]
    assert {one.get_attribute("data-model") for one in shown} == {"Qwen2.5-7B-Instruct"}
    assert page.locator(".shown").inner_text() == f"Showing {len(shown)} of {page.locator(ROUNDS).count()} rounds."
    assert page.url.endswith("#model=Qwen2.5-7B-Instruct")


def test_a_heading_goes_with_the_last_round_below_it(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    newest, earlier = page.locator("h2#rounds"), page.locator("h2#earlier")
    assert newest.is_visible()
    assert earlier.is_visible()

    page.locator("select[name=model]").select_option("Qwen2.5-7B-Instruct")  # of earlier rounds alone
    assert not newest.is_visible()
    assert earlier.is_visible()

    page.locator("input[name=text]").fill("nobody-wrote-this")
    assert not newest.is_visible()
    assert not earlier.is_visible()
    expect(page.locator(".shown")).to_have_text({"zh": "没有一轮符合。", "en": "No round fits."}[lang])

    page.locator("button[name=clear]").click()
    assert newest.is_visible()


def test_words_that_no_round_has_can_be_put_to_the_search(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    link, words = page.locator(".elsewhere a"), page.locator("input[name=text]")
    words.fill("vllm")  # of some round
    assert not link.is_visible()
    words.fill("nobody & wrote=this")
    assert link.is_visible()
    page.locator("button[name=clear]").click()
    assert not link.is_visible()
    page.locator("input[name=from]").fill("2999-01-01")  # no round fits, but nothing was typed
    assert not link.is_visible()
    page.locator("input[name=from]").fill("")

    words.fill("TTFT p99 & goodput")
    link.click()
    page.wait_for_url(f"**/{lang}/search.html?q=*")
    expect(page.locator(FIELD)).to_have_value("TTFT p99 & goodput")
    expect(page.locator(OPTION).first).to_be_visible()


def test_an_address_brings_its_choice_back_in_the_other_language_too(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/index.html") + "#engine=vLLM&text=crossover-that-nobody-has").page
    assert page.locator("select[name=engine]").input_value() == "vLLM"
    assert not any(one.is_visible() for one in page.locator(ROUNDS).all())

    page.locator("a.language").click()

    expect(page.locator("html")).to_have_attribute("lang", "zh-CN")
    assert page.locator("input[name=text]").input_value() == "crossover-that-nobody-has"


def test_a_date_leaves_out_rounds_of_no_known_day_and_clearing_brings_all_back(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/index.html")).page
    page.locator("input[name=from]").fill("2026-11-30")
    days = {one.get_attribute("data-day") for one in page.locator(ROUNDS).all() if one.is_visible()}
    assert days == {"2026-11-30"}

    page.locator("button[name=clear]").click()

    assert all(one.is_visible() for one in page.locator(ROUNDS).all())
    assert "#" not in page.url


def test_a_report_that_some_rounds_lack_can_be_asked_for(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/index.html")).page
    page.locator("select[name=report]").select_option("cold_start")
    shown = [one.get_attribute("data-reports") or "" for one in page.locator(ROUNDS).all() if one.is_visible()]
    assert shown
    assert all("cold_start" in one.split() for one in shown)


def test_without_scripts_every_round_is_there(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/index.html"), java_script_enabled=False).page
    assert not page.locator(".filters").is_visible()
    assert all(one.is_visible() for one in page.locator(ROUNDS).all())


def test_on_a_phone_the_pages_of_the_site_unfold(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/index.html"), viewport={"width": 360, "height": 800}).page
    link = page.locator(".bar ul a").first
    assert not link.is_visible()
    page.locator(".bar summary").click()
    assert link.is_visible()
    assert link.get_attribute("aria-current") == "page"
    assert page.evaluate("document.documentElement.scrollWidth") == 360


@pytest.mark.parametrize(("locale", "page"), [("en-US", "en/"), ("zh-TW", "zh/"), ("fr-FR", "zh/")])
def test_the_address_of_the_site_leads_to_the_language_of_the_browser(
    site: Path, open_page: OpenPage, locale: str, page: str
) -> None:
    opened = open_page(address(site, "index.html"), locale=locale).page
    opened.wait_for_url(f"**/{page}index.html")  # French there is none: the site's own default
