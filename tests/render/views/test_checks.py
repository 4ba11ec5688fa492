"""The page of all checks: what each asks and looks at, and what it concluded in the rounds."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import pytest

from generator.frame import Analysis
from generator.kinds import Check, Stage
from generator.render.views.checks import (
    NAMED,
    Advice,
    CheckView,
    Concluded,
    Conclusion,
    Rounds,
    Subject,
    check_views,
)
from generator.text import Lang, Text
from generator.themes import LATENCY, RECORDS, Theme
from generator.told.findings import Finding, Status
from generator.told.sentence import say
from tests.support.analyses import graph, small_analysis

TITLE, QUESTION, RULE = Text(zh="题", en="Title"), Text(zh="问", en="Question?"), Text(zh="规则", en="Rule.")


def declared(
    key: str, stage: Stage = "levels", theme: Theme = RECORDS, *, spoils: bool = False, rule: Text | None = RULE
) -> Check:
    return Check(key, TITLE, QUESTION, stage, lambda _: (), theme, rule, spoils)


def analysis(round_id: str, *found: tuple[str, Status], empty: int = 0) -> Analysis:
    """Return a round with findings, the first so many of which had nothing to examine."""
    small = small_analysis()
    findings = tuple(
        Finding(check, status, say("话", f"words {at}"), is_empty=at < empty)
        for at, (check, status) in enumerate(found)
    )
    return replace(small, round=replace(small.round, id=round_id), findings=findings)


def subjects(
    *checks: Check, analyses: Sequence[Analysis] = (), looked: Sequence[str] = (), lang: Lang = "en"
) -> dict[Stage, tuple[Subject, ...]]:
    by_key = {check.key: check for check in checks}
    return check_views(by_key, Rounds(analyses, graph()), dict.fromkeys(by_key, looked), lang)


def the_one(check: Check, *analyses: Analysis, looked: Sequence[str] = (), lang: Lang = "en") -> CheckView:
    ((told,),) = (one.checks for one in subjects(check, analyses=analyses, looked=looked, lang=lang)[check.stage])
    return told


def test_checks_are_told_by_their_stage_and_by_what_they_are_about() -> None:
    told = subjects(declared("b"), declared("a", theme=LATENCY), declared("c"), declared("late", "conclusions"))

    assert [(one.key, [check.key for check in one.checks]) for one in told["levels"]] == [
        ("levels-latency", ["a"]),
        ("levels-records", ["b", "c"]),
    ]
    assert [one.key for one in told["conclusions"]] == ["conclusions-records"]


def test_a_check_says_what_it_asks_decides_and_may_do() -> None:
    told = the_one(declared("early", spoils=True))

    assert told == CheckView(
        "early", "Title", "Question?", "Rule.", spoils=True, looks_at=(), advice=None, concluded=()
    )
    assert the_one(declared("late", rule=None)).rule == ""


def test_each_language_has_its_own_words() -> None:
    told = the_one(declared("early"), looked=["ttft_p50", "decode_floor"], lang="zh")

    assert (told.title, told.question, told.rule) == ("题", "问", "规则")
    assert told.looks_at == (("ttft_p50", "TTFT p50"), ("decode_floor", "解码步长下限"))


def test_rounds_are_counted_by_what_was_said_of_them_the_gravest_first() -> None:
    new = analysis("new", ("early", "fail"), ("other", "warn"), ("early", "pass"), ("early", "pass"))
    told = the_one(declared("early"), new, analysis("silent"), analysis("old", ("early", "pass")))

    # Of findings that are shown alike the first is led to.
    assert told.concluded == (
        Concluded("fail", 1, (Conclusion("new", "rounds/new/checks.html#finding-1"),)),
        Concluded(
            "pass",
            2,
            (
                Conclusion("new", "rounds/new/checks.html#finding-3"),
                Conclusion("old", "rounds/old/checks.html#finding-1"),
            ),
        ),
    )


def test_of_many_rounds_the_newest_are_named_and_the_others_counted() -> None:
    many = [analysis(f"r{at}", ("early", "pass")) for at in range(100)]
    (told,) = the_one(declared("early"), *many).concluded

    assert (told.rounds, told.others) == (100, 100 - NAMED)
    assert [one.round_id for one in told.newest] == [f"r{at}" for at in range(NAMED)]


@pytest.mark.parametrize(("empty", "shown"), [(0, ["pass"]), (1, ["pass", "empty"]), (2, ["empty"])])
def test_what_had_nothing_to_examine_is_no_pass(empty: int, shown: list[str]) -> None:
    told = the_one(declared("early"), analysis("ours", ("early", "pass"), ("early", "pass"), empty=empty))

    assert [said.shown for said in told.concluded] == shown


def advising(round_id: str, status: Status, remedy: str) -> Analysis:
    found = analysis(round_id, ("early", status))
    return replace(found, findings=(replace(found.findings[0], remedy=say("办法", remedy)),))


def test_the_newest_advice_is_told_that_of_a_failure_before_that_of_a_note() -> None:
    rounds = [
        advising("new", "note", "Record it."),
        advising("old", "warn", "Run it again."),
        advising("oldest", "fail", "…"),
    ]

    assert the_one(declared("early"), *rounds).advice == Advice(
        "Run it again.", Conclusion("old", "rounds/old/checks.html#finding-1")
    )
    assert the_one(declared("early"), *rounds[:1]).advice == Advice(
        "Record it.", Conclusion("new", "rounds/new/checks.html#finding-1")
    )
