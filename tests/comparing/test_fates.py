from __future__ import annotations

from dataclasses import replace

import pytest

from generator.comparing.fates import Fate, flaws
from generator.frame import Analysis
from generator.told.findings import Finding, Status
from generator.told.sentence import say
from generator.values import Address
from tests.comparing.two_rounds import DECLARED, analysed
from tests.support.machines import machine, ran_on

FAILED = Address("failed", "level", "a", "c8")
FURTHER = Address("failed", "level", "a", "c16")


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


def on_machines(status: Status) -> Finding:
    return Finding("same_machine", status, say(zh="话", en="words"))


@pytest.mark.parametrize(
    ("hosts", "fate"), [(("A", "A"), "resolved"), (("A", None), "partly"), ((None, None), "partly")]
)
def test_what_differed_is_resolved_only_where_it_is_on_record(hosts: tuple[str | None, ...], fate: Fate) -> None:
    """The base ran on two hosts. A head that does not name its hosts may have run on two of them, too."""
    before = {"a": machine({"host": "A"}), "b": machine({"host": "B"})}
    after = {one: machine({} if of is None else {"host": of}) for one, of in zip("ab", hosts, strict=True)}
    base = replace(saying(on_machines("warn")), round=ran_on(before))
    head = replace(saying(on_machines("pass")), round=ran_on(after))
    assert fates(base, head) == [fate]


def test_what_is_graver_by_numbers_of_one_round_alone_was_not_checked_in_the_other() -> None:
    few, many = (
        saying(found("note"), failed=1.0),
        saying(replace(found("warn"), evidence=(FAILED, FURTHER)), failed=1.0),
    )
    assert fates(few, many) == ["first_seen"]  # 1 failure at the level of both: what warns lies elsewhere
    assert fates(many, few) == ["partly"]
    worse = saying(replace(found("warn"), evidence=(FAILED, FURTHER)), failed=8.0)
    assert fates(few, worse) == ["worsened"]  # 1 failure, then 8
    assert fates(worse, few) == ["improved"]


@pytest.mark.parametrize(
    ("before", "after", "is_of_base"), [("warn", "pass", True), ("note", "warn", False), ("pass", "fail", False)]
)
def test_a_flaw_is_of_the_base_where_it_was_grave_there(before: Status, after: Status, is_of_base: bool) -> None:
    (flaw,) = flaws(saying(found(before)), saying(found(after)), DECLARED)
    assert flaw.is_of_base is is_of_base
