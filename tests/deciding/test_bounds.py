"""What keeps a conclusion from being sure."""

from __future__ import annotations

from dataclasses import replace

import pytest

from generator.deciding.bounds import CAPS, bounding, by_doubts, by_findings, chance_apart, is_close, margin_of
from generator.values import Address
from tests.support.example_rounds import published
from tests.support.telling import analysed, catalogue


def test_every_cap_is_a_check_that_there_is() -> None:
    assert {cap.check for cap in CAPS} <= catalogue().checks.keys()


@pytest.mark.parametrize(("one", "other", "chance"), [(1, 1, 1.0), (2, 2, 1 / 3), (3, 3, 0.1), (4, 4, 1 / 35)])
def test_chance_that_trials_lie_apart(one: int, other: int, chance: float) -> None:
    # Two orders of the (n + m)! ÷ (n! m!): 2, 6, 20 and 70 of them.
    assert chance_apart(one, other) == pytest.approx(chance)


def test_two_numbers_are_close_within_the_margin_of_the_round() -> None:
    round_ = published("round-2")
    table = round_.file.round.model_copy(update={"margin": 0.1, "margins": {"itl": 0.01, "ttft_p99": 0.3}})
    wide = replace(round_, file=round_.file.model_copy(update={"round": table}))

    assert [margin_of(round_, "itl_p50"), margin_of(wide, "itl_p50")] == [0.05, 0.01]
    assert [margin_of(wide, "ttft_p50"), margin_of(wide, "ttft_p99")] == [0.1, 0.3]
    assert is_close(round_, "itl_p50", 1.04)
    assert not is_close(round_, "itl_p50", 1.06)
    assert not is_close(round_, "itl_p50", None)


def test_findings_bound_what_they_speak_of() -> None:
    analysis = analysed(published("round-2"))
    sides = [series.id for series in analysis.round.series]

    throughput = {bound.key: bound.most for bound in by_findings(analysis, sides, "c1")}
    latency = {bound.key for bound in by_findings(analysis, sides, "c2", is_latency=True)}
    at_lowest = {bound.key for bound in by_findings(analysis, sides, "c1", is_latency=True)}

    assert throughput["reporting_demands"] == "qualitative"
    assert throughput["same_precision"] == "leaning"
    # The TPOT that medians imply is off at C=2, and not at C=1; it says nothing of throughput.
    assert "latency_identity" in latency
    assert "latency_identity" not in at_lowest | throughput.keys()


def test_a_doubted_number_decides_nothing() -> None:
    analysis = analysed(published("round-2"))
    doubted = Address("ttft_p99", "level", "vllm-bf16", "c1")

    [bound] = by_doubts(analysis, [doubted])

    assert (bound.key, bound.most) == ("tail_percentiles", "open")
    assert list(by_doubts(analysis, [Address("ttft_p50", "level", "vllm-bf16", "c1")])) == []


def test_all_that_bounds_the_round_is_listed_by_the_order_of_the_caps() -> None:
    keys = [bound.key for bound in bounding(analysed(published("round-2")))]

    assert keys == ["reporting_demands", "same_precision", "output_tokens", "latency_identity"]
