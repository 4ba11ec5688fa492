"""The page of all checks: what each asks, and what it concluded in each round."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from generator.frame import Analysis
from generator.kinds import Check, Stage
from generator.render.views.checks import CheckView, Concluded, Conclusion, check_views
from generator.text import Lang, Text
from generator.themes import RECORDS
from generator.told.findings import Finding, Status
from generator.told.sentence import say
from tests.support.analyses import small_analysis

TITLE, QUESTION, RULE = Text(zh="题", en="Title"), Text(zh="问", en="Question?"), Text(zh="规则", en="Rule.")


def declared(key: str, stage: Stage = "levels", *, spoils: bool = False, rule: Text | None = RULE) -> Check:
    return Check(key, TITLE, QUESTION, stage, lambda _: (), RECORDS, rule, spoils)


def analysis(round_id: str, *found: tuple[str, Status], empty: int = 0) -> Analysis:
    """Return a round with findings, the first so many of which had nothing to examine."""
    small = small_analysis()
    findings = tuple(
        Finding(check, status, say("话", f"words {at}"), is_empty=at < empty)
        for at, (check, status) in enumerate(found)
    )
    return replace(small, round=replace(small.round, id=round_id), findings=findings)


def views(*checks: Check, analyses: Sequence[Analysis] = (), lang: Lang = "en") -> dict[Stage, tuple[CheckView, ...]]:
    return check_views({check.key: check for check in checks}, analyses, lang)


def test_checks_are_told_by_their_stage() -> None:
    told = views(declared("early", spoils=True), declared("late", "conclusions", rule=None))

    assert told["levels"] == (CheckView("early", "Title", "Question?", "Rule.", spoils=True, concluded=()),)
    assert [(one.key, one.rule, one.spoils) for one in told["conclusions"]] == [("late", "", False)]


def test_each_language_has_its_own_words() -> None:
    (told,) = views(declared("early"), lang="zh")["levels"]

    assert (told.title, told.question, told.rule) == ("题", "问", "规则")


def test_a_round_leads_to_the_first_finding_of_each_status() -> None:
    found = analysis("ours", ("early", "fail"), ("other", "warn"), ("early", "pass"), ("early", "pass"))
    (told,) = views(declared("early"), analyses=[found])["levels"]

    page = "rounds/ours/checks.html"
    said = (Conclusion("fail", f"{page}#finding-1"), Conclusion("pass", f"{page}#finding-3"))
    assert told.concluded == (Concluded("ours", said),)


@pytest.mark.parametrize(("empty", "shown"), [(0, ["pass"]), (1, ["empty", "pass"]), (2, ["empty"])])
def test_what_had_nothing_to_examine_is_no_pass(empty: int, shown: list[str]) -> None:
    found = analysis("ours", ("early", "pass"), ("early", "pass"), empty=empty)
    (told,) = views(declared("early"), analyses=[found])["levels"]

    assert [said.shown for said in told.concluded[0].conclusions] == shown


def test_rounds_come_in_the_order_given_and_only_where_the_check_spoke() -> None:
    rounds = [analysis("new", ("early", "note")), analysis("silent"), analysis("old", ("early", "pass"))]
    (told,) = views(declared("early"), analyses=rounds)["levels"]

    assert [one.round_id for one in told.concluded] == ["new", "old"]
