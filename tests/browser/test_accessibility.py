"""axe-core finds nothing in what opens over a page; of the pages themselves, ``test_every_page`` tells."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.browser.conftest import OpenPage
from tests.support.browsing import address
from tests.support.gates import accessibility

pytestmark = pytest.mark.browser


def test_axe_finds_nothing_in_an_open_panel(site: Path, open_page: OpenPage) -> None:
    shown = open_page(address(site, "en/rounds/round-2/index.html"))
    shown.page.locator("#verdict a[href^='how.html#']").first.click()
    shown.page.wait_for_selector("#panel[open]")
    assert accessibility(shown) == []


def test_axe_would_find_a_picture_without_words(site: Path, open_page: OpenPage) -> None:
    shown = open_page(address(site, "en/index.html"))
    shown.page.evaluate("document.querySelector('main').append(document.createElement('img'))")
    (told,) = accessibility(shown)
    assert "image-alt" in told
