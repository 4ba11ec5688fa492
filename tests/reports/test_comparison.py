"""The front page of a round."""

from __future__ import annotations

from tests.support.analyses import small_analysis
from tests.support.telling import catalogue


def test_every_round_has_it_and_it_is_the_front_page() -> None:
    comparison = catalogue().report("comparison")
    assert comparison.lacks(small_analysis()) is None
    assert comparison.page == "index.html"
    assert comparison.charts == "charts.js"


def test_it_tells_the_answer_and_leaves_the_rest_to_the_reports_that_go_on_from_it() -> None:
    answer = {"verdict", "checked", "overview", "crossover", "next_steps"}
    further = [one for one in catalogue().reports if one.continues]

    assert set(catalogue().report("comparison").sections) >= answer
    assert [one.key for one in further] == ["mechanism", "measurement"]
    assert not answer & {key for one in further for key in one.sections}
