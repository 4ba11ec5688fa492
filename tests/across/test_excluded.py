"""Excluded levels as bounds of what is advised."""

from __future__ import annotations

from generator.across.excluded import barrier, reachable
from generator.model import Round
from tests.support.choices import levels
from tests.support.example_rounds import published
from tests.support.memory_round import memory_round
from tests.support.telling import analysed


def barred(round_: Round, series: str = "s") -> str | None:
    analysis = analysed(round_)
    found = barrier(analysis, analysis.round.series_by_id(series))
    return found.id if found is not None else None


def test_a_level_that_collapsed_bars_the_way_to_those_above_it() -> None:
    # Half of what C=4 gives at C=8, and twice as much as C=4 at C=16.
    assert barred(memory_round({"s": levels(output_throughput=[100, 200, 400, 200, 800])})) == "c8"


def test_a_server_gets_to_the_levels_below_the_one_that_collapsed() -> None:
    # C=16 delivers most, and is behind C=8; without the collapse all five are reached.
    for amounts, reached in (([100, 200, 400, 200, 800], 3), ([100, 200, 400, 600, 800], 5)):
        analysis = analysed(memory_round({"s": levels(output_throughput=amounts)}))
        (series,) = analysis.round.series
        assert [level.id for level in reachable(analysis, series)] == ["c1", "c2", "c4", "c8", "c16"][:reached]


def test_levels_without_a_load_have_nothing_in_their_way() -> None:
    analysis = analysed(memory_round({"s": {"x": {"output_throughput": 1.0}, "y": {"output_throughput": 2.0}}}))
    (series,) = analysis.round.series

    assert len(reachable(analysis, series)) == 2


def test_without_an_excluded_level_nothing_is_barred() -> None:
    assert barred(memory_round({"s": levels(output_throughput=[100, 200, 400])})) is None


def test_only_the_series_that_collapsed_is_barred() -> None:
    round_ = published("round-2")

    assert barred(round_, "llamacpp-q4_k_m") == "c32"
    assert barred(round_, "vllm-bf16") is None
