"""The report on the load of users."""

from __future__ import annotations

from tests.support.loads import EVEN, load_of, under_load
from tests.support.telling import analysed, catalogue


def test_it_is_made_where_the_round_has_a_profile() -> None:
    report = catalogue().report("load_profile")

    assert report.page == "load-profile.html"
    assert report.lacks(analysed(under_load(load_of(EVEN)))) is None


def test_a_round_without_one_says_how_it_is_made() -> None:
    why = catalogue().report("load_profile").lacks(analysed(under_load(None)))

    assert why is not None
    assert "rounds profile" in why.en
    assert "--into" in why.zh
