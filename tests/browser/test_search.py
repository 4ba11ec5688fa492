"""The search in a real browser: its field and keys, what folds, what a phone and a reader without scripts get."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Final

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, ViewportSize, expect

from tests.browser.conftest import OpenPage
from tests.support.browsing import address
from tests.support.gates import OPTIONS
from tests.support.hostile import SCRIPT
from tests.support.searching import FIELD, FOLDED, OPTION, ask, chosen, way_of

pytestmark = [pytest.mark.browser, pytest.mark.slow]

REPORT = "rounds/round-2/index.html"
PHONE: Final[ViewportSize] = {"width": 360, "height": 740}


def test_by_keyboard_alone_a_reader_gets_to_a_section(site: Path, open_page: OpenPage, lang: str) -> None:
    shown = open_page(address(site, f"{lang}/{REPORT}"))
    page = shown.page
    found = ask(page, {"zh": "vLLM 交叉", "en": "vllm crossover"}[lang])

    assert page.locator(FIELD).get_attribute("aria-expanded") == "true"
    first = chosen(page)
    page.keyboard.press("ArrowDown")
    second = chosen(page)
    assert second != first
    page.keyboard.press("ArrowUp")
    assert chosen(page) == first
    page.keyboard.press("ArrowUp")  # before the first comes the last
    assert chosen(page) == page.locator("#found [role=option]").last.inner_text()
    page.keyboard.press("ArrowDown")
    goal = found.first.get_attribute("href") or ""
    page.keyboard.press("Enter")
    page.wait_for_url(goal)
    assert "#" in goal
    expect(page.locator(":target")).to_be_in_viewport()
    expect(page.locator(".finder[open]")).to_have_count(0)
    assert shown.outside("file://") == []


def test_escape_and_the_button_close_it_and_the_focus_goes_back(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    link = page.locator("a.find")
    link.focus()
    for key in ("Escape", "Enter"):
        page.keyboard.press("Enter")  # on the link
        page.wait_for_selector(".finder[open]")
        if key == "Enter":
            page.locator(".finder button").focus()
        page.keyboard.press(key)
        expect(page.locator(".finder[open]")).to_have_count(0)
        expect(link).to_be_focused()


def test_a_slash_in_a_field_is_a_slash(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "en/rounds/round-2/guide.html")).page
    page.locator(".calculator input[type=number]").first.focus()
    page.keyboard.press("/")
    page.wait_for_timeout(200)
    assert page.locator(".finder").count() == 0


SAME: Final = {"zh": "定义与陷阱", "en": "definitions and traps"}
"""The heading of sections that say the same in many rounds."""


def said_by(option: Locator) -> tuple[str, str, str]:
    """Return the kind and heading of a result, and its text."""
    kind, heading, text = (option.locator(at).all_inner_texts() for at in (".what small", ".what bdi", ".excerpt"))
    return "".join(kind), heading[0], text[0]


def test_places_that_say_the_same_are_folded_and_the_fold_says_in_how_many_rounds(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, SAME[lang])
    told = [said_by(one) for one in found.all()]
    assert max(told.count(one) for one in told if one[2]) <= 2  # a fold would take as much room as a second one
    number = {"zh": r"另外 (\d+) 轮", "en": r"in (\d+) more rounds"}[lang]
    folds = page.locator(FOLDED).all_inner_texts()
    counted = [int(found) for one in folds for found in re.findall(number, one)]
    assert len(counted) == len(folds) > 0
    assert min(counted) > 1


def test_a_fold_is_opened_by_keyboard_and_what_it_held_can_be_gone_to(
    site: Path, open_page: OpenPage, lang: str
) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, SAME[lang])
    ways, held = [way_of(one, lang) for one in found.all()], page.locator(FOLDED).first
    number = int(re.search(r"\d+", held.inner_text()).group())  # type: ignore[union-attr]
    while chosen(page) != held.inner_text():
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")

    assert page.locator(FIELD).evaluate("(it) => it === document.activeElement")
    new = [way for one in found.all() if (way := way_of(one, lang)) not in ways]
    assert len(new) == len(set(new)) == number
    ids = page.locator("#found [role=option]").evaluate_all("(all) => all.map((one) => one.id)")
    assert len(ids) == len(set(ids))
    assert chosen(page) == next(one for one in found.all() if way_of(one, lang) == new[0]).inner_text()
    page.keyboard.press("Enter")
    page.wait_for_url(f"**/{lang}/{new[0]}")


def test_a_fold_is_opened_by_a_press_and_the_field_keeps_the_focus(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, SAME[lang])
    before, folds = found.count(), page.locator(FOLDED).count()
    page.locator(FOLDED).first.click()
    assert found.count() > before
    assert page.locator(FOLDED).count() == folds - 1
    expect(page.locator(FIELD)).to_be_focused()
    expect(page.locator(".finder[open]")).to_have_count(1)


def test_a_round_that_is_named_is_not_folded_into_another(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, {"zh": "round-1 round-2 结论", "en": "rounds 1 and 2 verdict"}[lang])
    ways = [way_of(one, lang) for one in found.all()]
    assert {f"rounds/round-{one}/index.html#verdict" for one in (1, 2)} <= set(ways[:6])


def test_the_dialog_says_which_keys_choose(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    ask(page, "v")
    assert "Enter" in page.locator(".finder .keys").inner_text()


def test_what_is_found_nowhere_is_said(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/index.html")).page
    found = ask(page, "nowhere-to-be-found qqzz")
    assert found.count() == 0
    field = page.locator(FIELD)
    assert (field.get_attribute("aria-expanded"), field.get_attribute("aria-activedescendant")) == ("false", None)
    expected = {"zh": "没有同时包含", "en": "Nothing contains"}[lang]
    assert expected in page.locator(".finder [role=status]").inner_text()
    page.keyboard.press("Enter")
    assert page.url.endswith(f"/{lang}/index.html")


def test_a_word_being_composed_is_not_looked_for(site: Path, open_page: OpenPage) -> None:
    page = open_page(address(site, "zh/index.html")).page
    ask(page, "吞吐")
    field, before = page.locator(FIELD), page.locator(OPTION).count()
    field.evaluate("(it) => { it.value = 'zzz'; it.dispatchEvent(new InputEvent('input', { isComposing: true })); }")
    assert page.locator(OPTION).count() == before > 0
    field.evaluate("(it) => it.dispatchEvent(new CompositionEvent('compositionend'))")
    assert page.locator(OPTION).count() == 0


def test_hostile_titles_are_text(hostile_site: Path, open_page: OpenPage, lang: str) -> None:
    shown = open_page(address(hostile_site, f"{lang}/index.html"))
    found = ask(shown.page, "alert")
    assert any(SCRIPT in one for one in found.all_inner_texts())
    tags = shown.page.eval_on_selector_all(".finder *", "all => [...new Set(all.map((one) => one.localName))].sort()")
    assert set(tags) <= {"a", "bdi", "button", "code", "div", "input", "mark", "p", "small", "span"}
    shown.page.set_viewport_size(PHONE)
    assert shown.page.evaluate("document.querySelector('.finder').scrollWidth") <= 360


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_on_a_phone_it_fits_and_is_accessible(site: Path, open_page: OpenPage, lang: str, scheme: str) -> None:
    page = open_page(address(site, f"{lang}/{REPORT}"), viewport=PHONE, color_scheme=scheme).page
    ask(page, "Q4_K_M")
    sizes = "[document.documentElement.scrollWidth, document.querySelector('.finder').scrollWidth]"
    assert page.evaluate(sizes) == [360, 360]
    name = {"zh": "搜索", "en": "Search"}[lang]
    expect(page.get_by_role("combobox", name=name)).to_be_focused()
    expect(page.get_by_role("listbox", name=name)).to_be_visible()
    expect(page.get_by_role("dialog", name=name)).to_be_visible()
    found = Axe().run(page, options=OPTIONS)
    assert found.violations_count == 0, found.generate_report()


def test_the_page_of_the_search_answers_an_address_with_a_query(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(f"{address(site, f'{lang}/search.html')}?q=Q4_K_M").page
    expect(page.locator(OPTION).first).to_be_visible()
    assert not page.locator(".needs-script").is_visible()
    assert page.locator(FIELD).input_value() == "Q4_K_M"
    page.keyboard.press("Escape")
    assert page.locator(OPTION).count() == 0


def test_without_scripts_the_link_leads_to_every_section(site: Path, open_page: OpenPage, lang: str) -> None:
    page = open_page(address(site, f"{lang}/{REPORT}"), java_script_enabled=False).page
    page.locator("a.find").click()
    expect(page.locator(".needs-script")).to_be_visible()
    assert page.locator(FIELD).count() == 0
    page.locator("main a").click()
    page.wait_for_url(f"**/{lang}/contents.html")
    page.locator("a[href='rounds/round-2/index.html#crossover']").click()
    page.wait_for_url(f"**/{lang}/rounds/round-2/index.html#crossover")


def test_where_the_index_cannot_be_loaded_the_link_leads_to_its_page(site: Path, open_page: OpenPage) -> None:
    shown = open_page(
        address(site, f"en/{REPORT}"), lambda page: page.route("**/en/search.js", lambda route: route.abort())
    )
    shown.page.locator("a.find").click()
    shown.page.wait_for_url("**/en/search.html")
    expect(shown.page.locator(".needs-script")).to_be_visible()
    shown.complaints.clear()  # the browser complains of what was kept from it
