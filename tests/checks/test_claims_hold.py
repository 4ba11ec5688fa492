from __future__ import annotations

from dataclasses import replace
from decimal import Decimal

from generator.analysis.stages import analyse
from generator.checks.claims_hold import claims_hold
from generator.frame import Analysis
from generator.render.wording.numbers import Printer
from generator.text import Lang, Text
from generator.told.claims import Claim
from generator.told.findings import Finding
from tests.support.memory_round import GRAPH, memory_round

STEP = Claim("step", metric="itl_p50", series="s", level="c1", stated=Decimal(20))
LOST = Claim("lost", text=Text(zh="说不清", en="nobody knows"), reason=Text(zh="没有留存", en="it did not survive"))


def examined(*claims: Claim) -> tuple[list[Finding], Analysis]:
    """Return what the check says of claims about a step of 20 ms."""
    round_ = memory_round({"s": {"c1": {"concurrency": 1, "itl_p50": 0.020}}})
    analysis = analyse(replace(round_, claims=claims), GRAPH, (claims_hold,))
    return list(analysis.findings), analysis


def said(finding: Finding, analysis: Analysis, lang: Lang = "en") -> str:
    return Printer(analysis, GRAPH, lang).plain_sentence(finding.message).replace("\u202f", " ")


def test_without_claims_there_is_nothing_to_check() -> None:
    (finding,), _ = examined()

    assert (finding.status, finding.is_empty) == ("pass", True)


def test_claims_that_hold_pass() -> None:
    (finding,), analysis = examined(STEP, replace(STEP, id="again"))

    assert (finding.status, finding.is_empty) == ("pass", False)
    assert said(finding, analysis) == "All 2 statements hold."


def test_another_last_digit_passes_and_is_counted() -> None:
    (finding,), analysis = examined(STEP, replace(STEP, id="near", stated=Decimal(21)))

    assert finding.status == "pass"
    assert said(finding, analysis) == "All 2 statements hold; 1 of them is rounded differently in the last digit."


def test_a_contradicted_claim_warns_with_both_numbers() -> None:
    (finding,), analysis = examined(STEP, replace(STEP, id="off", stated=Decimal(25)))

    assert finding.status == "warn"
    assert [address.metric for address in finding.evidence] == ["itl_p50"]
    assert finding.remedy is not None
    assert said(finding, analysis) == (
        "1 of 2 statements is contradicted by the data. ITL p50 of s at C=1 (25 ms stated, 20 ms recomputed)."
    )
    assert "（原文 25 ms，重算 20 ms）" in said(finding, analysis, "zh")


def test_the_furthest_off_are_named_and_all_are_counted() -> None:
    # Off by 1 ÷ 2 of the larger number at 10 and 40, by 9 ÷ 10 at 200; six in all, of which five are named.
    off = [replace(STEP, id=f"a{number}", stated=Decimal(number)) for number in (25, 30, 40, 10, 200, 24)]
    (finding,), analysis = examined(*off)
    text = said(finding, analysis)

    assert text.startswith("6 of 6 statements are contradicted by the data. Furthest off: ITL p50 of s at C=1 (200 ms")
    assert text.count("stated") == 5
    assert "24 ms" not in text


def test_what_cannot_be_derived_is_noted() -> None:
    (finding,), analysis = examined(STEP, LOST)

    assert finding.status == "note"
    assert said(finding, analysis) == "1 of 2 statements cannot be derived from the data: “nobody knows”."
    assert said(finding, analysis, "zh") == "2 条陈述里有 1 条无从由数据推导：“说不清”。"


def test_both_kinds_are_told_apart() -> None:
    found, _ = examined(LOST, replace(STEP, stated=Decimal(30)))

    assert [finding.status for finding in found] == ["warn", "note"]
