from __future__ import annotations

from generator.render.views.side_by_side import FIRST, side_by_side
from tests.render.views.test_home import summary
from tests.support.analyses import graph


def test_the_newest_comparable_pair_is_shown_first_else_a_built_one_else_the_newest_two() -> None:
    rounds = [summary("c"), summary("b"), summary("a")]
    assert side_by_side(rounds, {("a", "c"): False, ("a", "b"): True}, graph(), "en").first == ("a", "b")
    assert side_by_side(rounds, {("a", "c"): False, ("a", "b"): False}, graph(), "en").first == ("a", "c")
    assert side_by_side(rounds, {}, graph(), "en").first == ("b", "c")
    assert side_by_side(rounds[:1], {}, graph(), "en").first is None


def test_every_metric_that_is_compared_is_named_in_the_language() -> None:
    zh, en = (side_by_side([], {}, graph(), lang).data for lang in ("zh", "en"))
    assert en["metrics"]["ttft_p50"] == {"title": "TTFT p50", "unit": "ms", "arrow": "↓ lower is better"}
    assert zh["metrics"]["ttft_p50"]["arrow"] == "↓ 越低越好"
    assert set(FIRST) <= set(en["order"]) == set(en["metrics"])
