from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

import pytest

from generator.analysis.claims import NO_SUCH_VALUE, recomputed, stated, told, verdict_on
from generator.analysis.stages import analyse
from generator.frame import Analysis
from generator.render.wording.numbers import Printer
from generator.text import Text, same
from generator.told.claims import Claim, Judgement, Op, Verdict
from generator.told.sentence import Quantity
from tests.support.memory_round import GRAPH, memory_round


def judged(claim: Claim) -> tuple[Judgement, Analysis]:
    """Judge a claim of a round with two series: steps of 20 ms and 8 ms at 100 and 125 tok/s, and c2 without any."""
    round_ = memory_round(
        {
            "base": {"c1": {"concurrency": 1, "itl_p50": 0.020, "output_throughput": 100}, "c2": {"concurrency": 2}},
            "fast": {"c1": {"concurrency": 1, "itl_p50": 0.008, "output_throughput": 125}},
        },
        baseline="base",
    )
    analysis = analyse(replace(round_, claims=(claim,)), GRAPH, ())
    (judgement,) = analysis.claims
    return judgement, analysis


def step(written: str, op: Op = "=", unit: str | None = None, tolerance: str | None = None) -> Claim:
    allowed = Decimal(tolerance) if tolerance else None
    return Claim(
        "a", metric="itl_p50", series="base", level="c1", op=op, stated=Decimal(written), unit=unit, tolerance=allowed
    )


@pytest.mark.parametrize(
    ("written", "found", "verdict"),
    [
        ("2.71", "2.7106", "holds"),
        ("681", "681.4", "holds"),
        ("681", "681.5", "rounds_differently"),  # half up: 682
        ("898", "897.49", "rounds_differently"),  # 897
        ("2.70", "2.7075", "rounds_differently"),  # 2.71
        ("2.7", "2.7075", "holds"),
        ("1811", "1812.004", "rounds_differently"),  # 1812, the neighbour
        ("1811", "1812.6", "contradicted"),  # 1813, two away
        ("0", "-0.4", "holds"),
        ("8", "28.6", "contradicted"),
    ],
)  # fmt: skip
def test_the_digits_that_were_written_decide(written: str, found: str, verdict: Verdict) -> None:
    assert verdict_on(Claim("a", stated=Decimal(written)), Decimal(found)) == verdict


@pytest.mark.parametrize(
    ("written", "tolerance", "found", "verdict"),
    [
        ("9.4", "1", "8.5", "holds"),  # 0.9 off
        ("9.4", "1", "8.3", "contradicted"),  # 1.1 off
        ("11", "0.5", "10", "contradicted"),  # the neighbour, but a count is a count
    ],
)
def test_a_tolerance_takes_the_place_of_the_digits(written: str, tolerance: str, found: str, verdict: Verdict) -> None:
    claim = Claim("a", stated=Decimal(written), tolerance=Decimal(tolerance))

    assert verdict_on(claim, Decimal(found)) == verdict


@pytest.mark.parametrize(
    ("op", "written", "found", "verdict"),
    [
        ("<", "1", "0.999", "holds"),
        ("<", "1", "1", "contradicted"),
        (">", "0", "0.001", "holds"),
        (">", "0", "0", "contradicted"),
        ("<=", "35", "35.4", "holds"),  # prints as 35
        ("<=", "35", "61", "contradicted"),
        (">=", "35", "34.6", "holds"),
        (">=", "35", "34", "contradicted"),
        ("about", "20", "20.9", "holds"),  # within 5 %, which is 1
        ("about", "20", "21.1", "contradicted"),
        ("about", "3", "3.4", "holds"),  # within half of the last digit
    ],
)
def test_the_other_ways_to_mean_a_number(op: Op, written: str, found: str, verdict: Verdict) -> None:
    assert verdict_on(Claim("a", op=op, stated=Decimal(written)), Decimal(found)) == verdict


def test_a_tolerance_widens_an_inequality() -> None:
    claim = Claim("a", op="<", stated=Decimal(1), tolerance=Decimal("0.5"))

    assert verdict_on(claim, Decimal("1.4")) == "holds"
    assert verdict_on(claim, Decimal("1.5")) == "contradicted"


def test_amounts_beyond_all_measure_are_compared() -> None:
    assert verdict_on(Claim("a", stated=Decimal("0.5")), Decimal("1e200")) == "contradicted"


@pytest.mark.parametrize(
    ("written", "unit", "found"), [("20.0", None, "20"), ("20", "ms", "20"), ("0.02", "s", "0.02")]
)
def test_both_numbers_are_in_the_unit_of_the_statement(written: str, unit: str | None, found: str) -> None:
    judgement, _ = judged(step(written, unit=unit))

    assert (judgement.verdict, judgement.recomputed, judgement.unit) == ("holds", Decimal(found), unit or "ms")


def test_a_ratio_may_be_stated_in_hundredths() -> None:
    # 125 ÷ 100
    claim = Claim("a", metric="throughput_ratio", series="fast", level="c1", stated=Decimal(125), unit="%")
    judgement, _ = judged(claim)

    assert (judgement.verdict, judgement.recomputed, stated(judgement)) == ("holds", Decimal(125), same("125%"))
    assert judgement.address is not None
    assert recomputed(judgement) == Quantity(judgement.address, "percent", 0)


def test_a_number_that_is_not_known_says_why() -> None:
    judgement, _ = judged(Claim("a", metric="itl_p50", series="base", level="c2", stated=Decimal(1)))

    assert (judgement.verdict, judgement.recomputed) == ("not_derivable", None)
    assert judgement.reason is not None
    assert "ITL p50 for base C=2" in judgement.reason.en


def test_a_reason_of_the_author_goes_before_any_number() -> None:
    reason = Text(zh="没有记录", en="it was not recorded")
    judgement, _ = judged(replace(step("20"), reason=reason))

    assert (judgement.verdict, judgement.reason, judgement.address) == ("not_derivable", reason, None)


def test_a_number_that_the_round_has_not_is_not_derivable() -> None:
    # The baseline is compared with nobody, least of all with itself.
    judgement, _ = judged(Claim("a", metric="throughput_ratio", series="base", level="c1", stated=Decimal(1)))

    assert (judgement.verdict, judgement.reason) == ("not_derivable", NO_SUCH_VALUE)


@pytest.mark.parametrize(
    ("op", "shown"),
    [("=", "1,234.50\u202fms"), ("<=", "≤ 1,234.50\u202fms"), ("about", "≈ 1,234.50\u202fms")],
)
def test_the_number_is_told_as_it_was_written(op: Op, shown: str) -> None:
    judgement, _ = judged(step("1234.50", op))

    assert stated(judgement) == same(shown)


def test_a_ratio_of_series_is_told_in_times() -> None:
    judgement, _ = judged(Claim("a", metric="throughput_ratio", series="fast", level="c1", stated=Decimal("1.25")))

    assert stated(judgement) == same("1.25×")


IN_ALL = Claim("a", metric="requests_total", series="base", stated=Decimal(1))
OWNED = Claim("a", metric="undisturbed_throughput", series="base", level="c1", stated=Decimal(1))
IN_WORDS = replace(
    step("1", "<="), text=Text(zh="{series} 在 {level} 只要 {stated}", en="{stated} on {series} at {level}")
)


@pytest.mark.parametrize(
    ("claim", "zh", "en"),
    [
        (step("1"), "base C=1 的 ITL p50", "ITL p50 of base at C=1"),
        (IN_ALL, "base 的请求总数", "requests attempted in all of base"),
        (OWNED, "base C=1 没有停顿时的吞吐", "throughput without stalls of base at C=1"),
        (IN_WORDS, "base 在 C=1 只要 1\u202fms", "1\u202fms on base at C=1"),
    ],
    ids=["of a level", "of a series", "with a 的 of its own", "in the author's words"],
)
def test_what_is_claimed_in_words(claim: Claim, zh: str, en: str) -> None:
    judgement, analysis = judged(claim)

    assert Printer(analysis, GRAPH, "zh").plain_sentence(told(judgement)) == zh
    assert Printer(analysis, GRAPH, "en").plain_sentence(told(judgement)) == en
