from __future__ import annotations

from generator.render.diff_pages import Traced, pair_name
from generator.render.diff_rows import Side
from tests.support.held_rounds import held


def test_a_pair_is_named_by_both_rounds() -> None:
    found = held()
    assert pair_name(found.base.round, found.head.round) == "one...other"


def test_a_number_leads_to_its_derivation_where_there_is_one() -> None:
    traced, round_ = Traced({"one": frozenset({"abcd"})}), held().base.round
    assert traced.way(Side("1", "abcd"), round_) == "../../rounds/one/how.html#abcd"
    assert traced.way(Side("1", "efgh"), round_) is None
    assert traced.way(Side("1"), round_) is None
