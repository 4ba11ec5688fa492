from __future__ import annotations

from dataclasses import replace

import pytest

from generator.comparing.fates import Fate, flaws
from generator.findings import Finding, Status
from generator.frame import Analysis
from generator.sentence import say
from generator.values import Address
from tests.comparing.two_rounds import DECLARED, analysed

FAILED = Address("failed", "level", "a", "c8")


def found(status: Status, series: str | None = "a", *, empty: bool = False) -> Finding:
    return Finding("x", status, say(zh="话", en="words"), series, evidence=(FAILED,), is_empty=empty)


def saying(*findings: Finding, failed: float = 1.0) -> Analysis:
    counted = {"requests": (320.0,), "failed": (failed,), "output_throughput": (100.0,)}
    return replace(analysed({"c8": counted}), findings=findings)


def fates(base: Analysis, head: Analysis) -> list[Fate]:
    return [one.fate for one in flaws(base, head, DECLARED)]


@pytest.mark.parametrize(
    ("before", "after", "fate"),
    [
        ("warn", "pass", "resolved"),
        ("warn", "note", "improved"),
        ("fail", "warn", "improved"),
        ("warn", "warn", "still"),
        ("warn", "fail", "worsened"),
        ("note", "warn", "worsened"),
        ("pass", "warn", "new"),
        ("unknown", "warn", "first_seen"),
        ("warn", "unknown", "unchecked"),
    ],
)
def test_a_finding_has_a_fate(before: Status, after: Status, fate: Fate) -> None:
    assert fates(saying(found(before)), saying(found(after))) == [fate]


def test_what_was_not_looked_for_is_neither_resolved_nor_new() -> None:
    assert fates(saying(found("warn")), saying(found("pass", empty=True))) == ["unchecked"]
    assert fates(saying(found("warn")), saying()) == ["unchecked"]
    assert fates(saying(), saying(found("warn"))) == ["first_seen"]


def test_of_findings_that_are_as_grave_the_shared_evidence_decides() -> None:
    many, few = saying(found("warn"), failed=8.0), saying(found("warn"), failed=1.0)
    assert fates(many, few) == ["improved"]
    assert fates(few, many) == ["worsened"]


def test_the_gravest_of_several_findings_counts() -> None:
    assert fates(saying(found("pass"), found("warn")), saying(found("pass"))) == ["resolved"]


def test_what_never_was_grave_is_not_told_nor_what_is_of_a_series_that_one_round_alone_has() -> None:
    assert fates(saying(found("note")), saying(found("pass"))) == []
    assert fates(saying(found("warn", "gone")), saying()) == []
    assert fates(saying(found("warn", None)), saying(found("pass", None))) == ["resolved"]
