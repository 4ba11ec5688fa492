"""The search of a page in a browser: to ask it, and to read what it found."""

from __future__ import annotations

from typing import Final

from playwright.sync_api import Locator, Page, expect

FIELD: Final = "input[role=combobox]"
OPTION: Final = "#found a[role=option]"
"""Of the search; filters of a page are comboboxes with options, too."""
FOLDED: Final = "#found button[role=option]"
"""What stands for further rounds that say the same."""


def ask(page: Page, query: str) -> Locator:
    """Open the search with its key, type, and return what was found."""
    page.keyboard.press("/")
    page.wait_for_selector(".finder[open]")
    page.keyboard.type(query)
    expect(page.locator(".finder [role=status]")).not_to_be_empty()
    return page.locator(OPTION)


def ask_again(page: Page, query: str) -> list[str]:
    """Put another query, and return the texts of what was found."""
    page.locator(FIELD).fill(query)
    return page.locator(OPTION).all_inner_texts()


def chosen(page: Page) -> str:
    """Return what the option says that the field names as the active one."""
    active = page.locator(FIELD).get_attribute("aria-activedescendant")
    option = page.locator(f"#{active}")
    assert option.get_attribute("aria-selected") == "true"
    assert page.locator("[role=option][aria-selected=true]").count() == 1
    return option.inner_text()


def way_of(option: Locator, lang: str) -> str:
    """Return the way to what an option leads to, below the folder of the language."""
    return (option.get_attribute("href") or "").split(f"/{lang}/")[1]
