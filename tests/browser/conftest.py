"""A real Chromium, and pages in it that report what they should not do."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

from tests.support.browsing import CHROMIUM_ARGS, Watched, watch
from tests.support.hostile import hostile_round
from tests.support.rounds import ROUND_TOML, write_round
from tests.support.serving import serving
from tests.support.sites import build
from tests.support.tools import chromium_here

OpenPage = Callable[..., Watched]


@pytest.fixture(params=["zh", "en"])
def lang(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture(scope="session")
def hostile_site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("hostile")
    hostile_round(folder / "runs" / "hostile")
    longest = "0" * 200
    write_round(folder / "runs" / "longest", toml=re.sub(r'(title\.\w+) = ".*"', rf'\1 = "{longest}"', ROUND_TOML))
    return build(folder / "runs", folder / "site")


@pytest.fixture(scope="session")
def chromium() -> str:
    return chromium_here()


@pytest.fixture(scope="session")
def browser(chromium: str) -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=CHROMIUM_ARGS)
        yield browser
        browser.close()


@pytest.fixture
def open_page(browser: Browser) -> Iterator[OpenPage]:
    """Open an address in a fresh page of a size and scheme; at the end, no page may have misbehaved."""
    opened: list[Watched] = []

    def open_(address: str, prepare: Callable[[Page], object] | None = None, **context: object) -> Watched:
        watched = watch(browser, context)
        opened.append(watched)
        if prepare is not None:
            prepare(watched.page)
        watched.page.goto(address)
        return watched

    yield open_
    for watched in opened:
        watched.page.context.close()
        assert watched.complaints == []


@pytest.fixture(scope="session")
def served(site: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """The address of the site below a path of a web server."""
    with serving(site, tmp_path_factory.mktemp("served")) as address:
        yield address
