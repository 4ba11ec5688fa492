"""The front page of a round."""

from __future__ import annotations

from tests.support.analyses import small_analysis
from tests.support.telling import catalogue


def test_every_round_has_it_and_it_is_the_front_page() -> None:
    comparison = catalogue().report("comparison")
    assert comparison.lacks(small_analysis()) is None
    assert comparison.page == "index.html"
    assert comparison.charts == "charts.js"
