from __future__ import annotations

from generator.analysis.stages import analyse
from generator.deciding.overall import certainty_of
from generator.model import Round
from tests.support.choices import levels, tried, two
from tests.support.example_rounds import one_series, published
from tests.support.memory_round import GRAPH
from tests.support.telling import analysed


def certainty(round_: Round) -> str | None:
    """Return how sure it is who leads, with no check to bound it."""
    return certainty_of(analyse(round_, GRAPH, ()))


def test_a_lead_in_single_trials_leans() -> None:
    assert certainty(two(levels(output_throughput=[100, 200]), levels(output_throughput=[150, 250]))) == "leaning"


def test_a_lead_is_as_sure_as_the_least_sure_part_of_it() -> None:
    # base leads at C=1 by half, other at C=2 by 2 %, which is closer than the margin of 5 %: nobody may go by that.
    assert certainty(two(levels(output_throughput=[150, 200]), levels(output_throughput=[100, 204]))) == "open"


def test_trials_that_lie_apart_are_firm_from_four_on() -> None:
    # Of the 8! ÷ (4! 4!) = 70 orders two have four trials apart: 2 ÷ 70 is below 5 %.
    assert certainty(tried("output_throughput", [100, 101, 102, 103], [150, 151, 152, 153])) == "firm"
    assert certainty(tried("output_throughput", [100, 140], [130, 160])) == "open"  # they overlap


def test_where_throughput_is_unknown_another_quantity_says_it() -> None:
    assert certainty(two(levels(itl_p50=[0.01, 0.02]), levels(itl_p50=[0.02, 0.04]))) == "leaning"


def test_a_pair_with_nothing_in_common_is_open() -> None:
    assert certainty(two(levels(output_throughput=[100]), levels(itl_p50=[0.01]))) == "open"


def test_what_falls_short_of_a_comparison_is_qualitative() -> None:
    assert certainty_of(analysed(published("round-2"))) == "qualitative"


def test_one_series_alone_ranks_nothing() -> None:
    assert certainty(one_series()) is None
    assert certainty_of(analysed(one_series())) == "qualitative"  # it does not state its warm-up
