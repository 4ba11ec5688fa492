"""The gates on a page of every kind: accessible, readable, steady, fit for a phone, asking for nothing outside.

The charts of a page are live when it is looked at. A new kind of page is found in the built site.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import Page

from generator.text import LANGS
from tests.browser.conftest import OpenPage
from tests.render.test_contrast import declared_pairs
from tests.support.browsing import Watched, address
from tests.support.gates import WATCH_SHIFTS, Pair, accessibility, faint, pairs, shifts, sideways, wake
from tests.support.page_kinds import SETTINGS, Visit, all_kinds, examples, kind_of, stays, visits

pytestmark = [pytest.mark.browser, pytest.mark.slow]

PARTS: Final = 12
"""The visits are dealt out to so many tests: they are known only when the site is built."""
GREY: Final = "document.querySelector('main p').style.color = 'rgb(128 128 128 / 50%)'"
FIELD: Final = """document.querySelector('main').append(Object.assign(document.createElement('input'), { id: 'pale' }));
  document.getElementById('pale').style.border = '1px solid rgb(250, 250, 250)'"""
PUSH: Final = """new Promise((done) => setTimeout(() => {
  const late = Object.assign(document.createElement('p'), { id: 'late', textContent: 'late' });
  document.querySelector('main').prepend(late);
  setTimeout(done, 300);
}, 700))"""
"""What moves within half a second of a change of the window's size is taken for the reader's doing."""


def watch_shifts(page: Page) -> None:
    page.add_init_script(WATCH_SHIFTS)


@pytest.mark.parametrize("part", range(PARTS))
def test_each_gate_holds_on_each_kind_of_page(site: Path, open_page: OpenPage, part: int) -> None:
    found = []
    for visit in visits(site)[part::PARTS]:
        size = {"width": visit.width, "height": 900}
        shown = open_page(address(site, visit.path), prepare=watch_shifts, viewport=size, color_scheme=visit.scheme)
        wake(shown)
        found += [f"{visit}: {told}" for told in at_the_gates(shown, site.resolve().as_uri(), visit.scheme)]
        shown.page.close()
    assert found == []


def at_the_gates(shown: Watched, home: str, scheme: str) -> Iterator[str]:
    yield from shifts(shown)
    painted = pairs(shown)
    yield from faint(painted)
    yield from undeclared(painted, scheme)
    yield from accessibility(shown)
    yield from sideways(shown)
    yield from (f"asks for {one}" for one in shown.outside(home))


def undeclared(painted: Iterable[Pair], scheme: str) -> list[str]:
    """Return the colours of words that the test of the style sheet, which knows those under the pointer, does not."""
    known = declared_pairs(scheme)
    return [f"undeclared: {one}" for one in painted if one.kind == "text" and (one.ink, one.ground) not in known]


def test_a_server_below_a_path_is_asked_for_its_own_files_alone(site: Path, served: str, open_page: OpenPage) -> None:
    for path in filter(lambda path: stays(site / path), all_kinds(site)):
        shown = open_page(f"{served}{path}")
        shown.page.wait_for_load_state()
        wake(shown)
        assert shown.outside(served) == []
        assert len(shown.requests) > 1
        shown.page.close()


# What is looked at, and that it would be found


def test_every_kind_is_seen_in_both_languages_widths_and_schemes(site: Path) -> None:
    seen = visits(site)
    inside = [one for one in seen if one.path.startswith(tuple(f"{lang}/" for lang in LANGS))]
    of_kind = {(kind_of(one.path.partition("/")[2]), value) for one in inside for value in told_of(one)}
    assert of_kind == set(product(examples(site), [*LANGS, 360, 1280, "light", "dark"]))
    settings = {(one.path[:2], one.width, one.scheme) for one in inside}
    assert settings == {(lang, *setting) for lang in LANGS for setting in SETTINGS}
    assert len(seen) == len(set(seen)) >= 2 * 17


def told_of(visit: Visit) -> tuple[str | int, ...]:
    return visit.path.partition("/")[0], visit.width, visit.scheme


def test_the_gates_find_what_they_are_there_for(site: Path, open_page: OpenPage) -> None:
    shown = open_page(address(site, "en/about.html"), prepare=watch_shifts)
    home = site.resolve().as_uri()
    assert list(at_the_gates(shown, home, "light")) == []
    shown.page.set_viewport_size({"width": 1280, "height": 900})
    for spoil in (GREY, FIELD, PUSH, "document.querySelector('main').style.minWidth = '500px'"):
        shown.page.evaluate(spoil)
    shown.requests.append("https://example.org/x.js")
    found = "\n".join(at_the_gates(shown, home, "light"))
    # Half of #808080 on #fdfdfb is #bebebd: (0.981 + 0.05) ÷ (0.514 + 0.05) = 1.83.
    for told in ("1.83 for", "kind='edge'", "undeclared: Pair(kind='text', ink='#", " by ", "wide on a phone"):
        assert told in found
    assert "color-contrast" in found
    assert found.endswith("asks for https://example.org/x.js")
