"""Lighthouse: at least 95 in accessibility, best practices and SEO; `make lighthouse` has the performance as well."""

from __future__ import annotations

import pytest

from tests.support.lighthouse import GATED, lighthouse

pytestmark = [pytest.mark.browser, pytest.mark.slow]

LEAST = 0.95
PAGES = ("zh/index.html", "en/rounds/round-2/index.html", "zh/diff/round-1...round-2/index.html")


@pytest.mark.parametrize("path", PAGES)
def test_a_page_has_ninety_five_of_a_hundred(served: str, path: str) -> None:
    found = lighthouse(f"{served}{path}")
    assert set(found.scores) == set(GATED)
    assert min(found.scores.values()) >= LEAST, (found.scores, found.lost)
