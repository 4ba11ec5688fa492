from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from generator.analysis.stages import analyse
from generator.comparing.conclusions import conclusions
from generator.frame import Analysis
from generator.told.claims import Claim
from tests.support.memory_round import GRAPH, memory_round


def crossing(fast: float, claims: tuple[Claim, ...] = ()) -> Analysis:
    """Return two series whose throughputs cross where log–log lines meet: 10 → 100 against ``fast`` → 50."""

    def level(concurrency: float, throughput: float) -> dict[str, float]:
        return {"concurrency": concurrency, "output_throughput": throughput}

    levels = {
        "a": {"c1": level(1.0, 10.0), "c16": level(16.0, 100.0)},
        "b": {"c1": level(1.0, fast), "c16": level(16.0, 50.0)},
    }
    return analyse(replace(memory_round(levels, baseline="a"), claims=claims), GRAPH, ())


def test_what_both_rounds_conclude_stands_side_by_side() -> None:
    (found,) = [
        one for one in conclusions(crossing(20.0), crossing(12.5)) if one.address.metric == "crossover_concurrency"
    ]
    # ln ratio falls from ln 2 to −ln 2: in the middle, C = √16 = 4. From ln 1.25 to −ln 2:
    # C = 16^(ln 1.25 ÷ (ln 1.25 + ln 2)) = 16^0.24353 = 1.96447.
    assert (found.base.value, found.head.value) == pytest.approx((4.0, 1.96447), rel=1e-4)
    assert found.ratio == pytest.approx(0.49112, rel=1e-4)


def test_what_the_data_do_not_give_is_what_the_authors_stated() -> None:
    stated = Claim("x", metric="crossover_concurrency", series="b", op="about", stated=Decimal(20))
    silent = crossing(5.0, (stated,))  # b is below a throughout: no crossover
    found = {one.address.metric: one for one in conclusions(silent, crossing(20.0))}
    one = found["crossover_concurrency"]
    assert one.base.value is None
    assert one.base.claim is not None
    assert one.base.claim.claim == stated
    assert one.head.value == pytest.approx(4.0)
    assert one.ratio is None


def test_of_what_one_round_says_nothing_there_is_no_line() -> None:
    assert "crossover_concurrency" not in {one.address.metric for one in conclusions(crossing(5.0), crossing(20.0))}


def test_against_another_baseline_nothing_is_the_same_conclusion() -> None:
    base = crossing(20.0)
    table = base.round.file.round.model_copy(update={"baseline": "b"})
    file = base.round.file.model_copy(update={"round": table})
    assert conclusions(base, replace(base, round=replace(base.round, file=file))) == ()


def test_a_crossover_lies_between_two_levels() -> None:
    found = {one.address.metric: one for one in conclusions(crossing(20.0), crossing(12.5))}
    between = found["crossover_concurrency"].base.between
    assert between is not None
    assert [one.id for one in between] == ["c1", "c16"]
    assert found["crossover_concurrency"].is_load
