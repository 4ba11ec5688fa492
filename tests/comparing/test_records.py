from __future__ import annotations

import math
from collections.abc import Sequence

import pytest

from generator.comparing.records import Banner, Comparison, Difference, Estimate, Measured, Setting, Verdict
from generator.text import same
from generator.values import Address

SIDE = Measured(1.0, 3)


def comparison(primary: Sequence[Verdict], others: Sequence[Verdict] = ()) -> Comparison:
    rows = [
        Difference(Address("x", "level", "a", "c1"), "higher", SIDE, SIDE, "welch", is_primary, 0.05, verdict)
        for verdicts, is_primary in ((primary, True), (others, False))
        for verdict in verdicts
    ]
    return Comparison("base", "head", "x", Banner("comparable", ()), (), tuple(rows))


@pytest.mark.parametrize(
    ("verdicts", "gate"),
    [
        (["better", "worse", "same"], "worse"),
        (["better", "confounded"], "confounded"),
        (["better", "inconclusive"], "better"),
        (["same", "same"], "same"),
        (["same", "inconclusive"], "inconclusive"),
        (["same", "not_comparable"], "inconclusive"),
        (["not_comparable"], "not_comparable"),
        ([], None),
    ],
)
def test_the_gate_is_what_the_primary_metric_says_over_all_its_rows(
    verdicts: list[Verdict], gate: Verdict | None
) -> None:
    assert comparison(verdicts, others=["worse"]).gate == gate


def test_logarithms_read_as_ratios_and_shares() -> None:
    found = Estimate(math.log(1.1), math.log(1.05), math.log(1.2), 0.01, math.log(1.03))
    assert found.ratio == pytest.approx(1.1)
    assert found.interval == pytest.approx((1.05, 1.2))
    assert found.detectable == pytest.approx(0.03)
    assert Estimate(0.0).interval is None
    assert Estimate(0.0).detectable is None


def test_a_difference_tells_its_ratio_and_its_change() -> None:
    address = Address("x", "level", "a", "c1")
    found = Difference(address, "higher", SIDE, SIDE, "welch", True, 0.05, "better", Estimate(math.log(1.1)))
    assert found.ratio == pytest.approx(1.1)
    assert found.change == pytest.approx(0.1)
    assert Difference(address, "higher", SIDE, SIDE, "none", True, 0.05, "not_comparable").ratio is None


def test_what_is_not_known_is_neither_equal_nor_different() -> None:
    sides = (("1", "1"), ("1", "2"), ("1", None), (None, None))
    told = [Setting("p", same("p"), base, head, "p").status for base, head in sides]
    assert told == ["equal", "different", "unknown", "unknown"]
