"""What two published reports state, held against their own data: the verdicts as worked out by hand."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from generator.analysis.stages import analyse
from generator.checks.non_monotonic_throughput import non_monotonic_throughput
from generator.told.claims import Judgement, Verdict
from tests.support.example_rounds import published
from tests.support.memory_round import GRAPH


@cache
def judgements(round_id: str) -> dict[str, Judgement]:
    analysis = analyse(published(round_id), GRAPH, (non_monotonic_throughput,))
    return {one.claim.id: one for one in analysis.claims}


@pytest.mark.parametrize(
    ("round_id", "counted"),
    [
        ("round-1", {"contradicted": 9, "rounds_differently": 4, "not_derivable": 9, "holds": 28}),
        ("round-2", {"contradicted": 14, "rounds_differently": 7, "not_derivable": 12, "holds": 135}),
    ],
)
def test_how_many_statements_hold(round_id: str, counted: dict[Verdict, int]) -> None:
    assert Counter(one.verdict for one in judgements(round_id).values()) == counted


@pytest.mark.parametrize(
    ("round_id", "claim", "recomputed"),
    [
        ("round-1", "wave-prefill", 2.7424),  # 32 × 85.7 ms, stated as 0.7 s
        ("round-1", "waves-c32", 10),  # 320 ÷ 32, stated as 11
        ("round-1", "slot-rate-c32", 47.573739),  # 1 ÷ 21.02 ms, stated as 28.2
        ("round-1", "weights-saved", 9.8254532),  # (15.23 − 4.68) GB ÷ 2³⁰, stated as 15 GiB
        ("round-1", "repeated-prompts", 80),  # the 10 of C=1 are among the 80 of C=8; stated as 90
        ("round-1", "itl-samples-c1", 2550),  # 10 × 255, stated as 2560
        ("round-1", "prefill-rate", 11948.658),  # 1024 ÷ 85.7 ms, stated as 12,024
        ("round-1", "stall-half-of-the-time", 33.057325),  # 1 − 21.02 ÷ 31.40, stated as 49 %
        ("round-2", "crossover-from-steps", 28.591846),  # 1 + (15.83 − 5.84) ÷ 0.36206, stated as 8
        ("round-2", "gaps-in-all", 339405),  # 1331 × 255, stated as 250 thousand
        ("round-2", "ttft-p50-llamacpp-highest", 478),  # at C=32; stated is what it is at C=64
        ("round-2", "itl-p50-llamacpp-highest", 61.36),
        ("round-2", "pool-half-used", 15.625),  # 32 × 1280 ÷ 262144
        ("round-2", "weights-vllm-gib", 13.170054),  # 14.141238272 GB ÷ 2³⁰
        ("round-2", "stall-llamacpp-c16", 13.490364),  # 26.50 ÷ 23.35 − 1, stated as 46.8 %
        ("round-2", "reuse-of-steps-c64", 86.572266),  # 1773 ÷ (512 × 256 ÷ 64), stated as 1.35 %
    ],
)
def test_statements_that_the_data_contradict(round_id: str, claim: str, recomputed: float) -> None:
    judgement = judgements(round_id)[claim]

    assert judgement.verdict == "contradicted"
    assert judgement.recomputed is not None
    assert float(judgement.recomputed) == pytest.approx(recomputed, rel=1e-7)


@pytest.mark.parametrize(
    ("round_id", "claim"),
    [
        ("round-1", "measured"),  # 15.92 ÷ 5.88 = 2.7075, stated as 2.70
        ("round-1", "marginal-over-floor-llamacpp"),  # 7.452, stated as 7.4
        ("round-1", "floor-ratio-llamacpp-c1"),  # 80.07 %, stated as 80.0
        ("round-1", "stall-llamacpp-c8"),  # 12.40 ÷ 10.12 − 1 = 22.53 %, stated as 22.6
        ("round-2", "throughput-vllm-c16"),  # 681.5, stated as 681
        ("round-2", "bandwidth-vllm"),  # 897.49, stated as 898
        ("round-2", "slots-together-c64"),  # 64 ÷ 35.32 ms = 1812.0, stated as 1811
        ("round-2", "total-vllm-c16"),  # 681.5 + 1024 × 200 ÷ 75.13 = 3407.4, stated as 3408
    ],
)
def test_statements_whose_last_digit_is_another(round_id: str, claim: str) -> None:
    assert judgements(round_id)[claim].verdict == "rounds_differently"


def test_the_part_of_the_step_cost_that_was_stated_holds() -> None:
    # (35.32 − 5.84) ÷ 63 − (22.50 − 15.83) ÷ 63 = 0.36206 ms a slot
    assert judgements("round-2")["marginal-difference"].verdict == "holds"


def test_the_first_round_had_three_expectations_of_which_the_data_tell_none() -> None:
    expected = [one for one in judgements("round-1").values() if one.claim.kind == "expectation"]

    assert [one.verdict for one in expected] == ["not_derivable"] * 3


@pytest.mark.parametrize("round_id", ["round-1", "round-2"])
def test_every_statement_says_where_it_stands(round_id: str) -> None:
    assert [one.claim.id for one in judgements(round_id).values() if one.claim.source is None] == []
